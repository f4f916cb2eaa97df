import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileOf } from './execute.js';
import { AwkwardFixture } from './fixture.js';
import { goesThrough } from './judge.js';
import { AWKWARDNESSES, makeDraft } from './make-draft.js';

/** `AWKWARD_SEEDS=1000` for many sheets (`AWKWARD_FROM=501` for others); `AWKWARD_SEED=17` for one, whose folder is kept. */
const {
  AWKWARD_SEED,
  AWKWARD_SEEDS = '20',
  AWKWARD_FROM = '1',
  AWKWARD_ALONE = '1',
  AWKWARD_SHOWN = '10',
} = process.env;
const SEEDS = AWKWARD_SEED
  ? [Number(AWKWARD_SEED)]
  : Array.from({ length: Number(AWKWARD_SEEDS) }, (_, index) => index + Number(AWKWARD_FROM));

describe('messy sheets', () => {
  let fixture: AwkwardFixture;
  beforeAll(async () => {
    fixture = await AwkwardFixture.open();
  });
  afterAll(() => fixture.close());

  it('a seed makes the same file, byte for byte', async () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const [one, other] = [await fileOf(makeDraft(seed)), await fileOf(makeDraft(seed))];
      expect(one.equals(other)).toBe(true);
    }
  });

  it(
    `what the platform executed is what a careful person reads, or the row is reported: ${SEEDS.length} sheets`,
    async () => {
      const failures: string[] = [];
      let through = 0;
      for (const seed of SEEDS) {
        const draft = makeDraft(seed);
        const failure = await fixture.failure(draft, AWKWARD_SEED !== undefined);
        if (failure !== undefined) failures.push(failure);
        if (failure !== undefined && SEEDS.length > 50) process.stderr.write(`${failure}\n`);
        if (goesThrough(draft)) through += 1;
      }
      // A program that refuses everything would be safe too.
      if (SEEDS.length >= 20) expect(through).toBeGreaterThan(SEEDS.length / 5);
      expect(failures.length, reported(failures)).toBe(0);
    },
    Math.max(120_000, SEEDS.length * 3000),
  );

  describe('each awkwardness alone', () => {
    // `AWKWARD_ALONE=6` for so many sheets of each.
    const wanted = Number(AWKWARD_ALONE);
    const names = AWKWARDNESSES.map((it) => it.name);
    it.each(names)('%s', async (name) => {
      const failures: string[] = [];
      let made = 0;
      for (let seed = 1; made < wanted; seed += 1) {
        const draft = makeDraft(seed, [name]);
        if (draft.done.length === 0) continue;
        made += 1;
        const failure = await fixture.failure(draft);
        if (failure !== undefined) failures.push(failure);
      }
      expect(failures.length, reported(failures)).toBe(0);
    });
  });
});

/** So many that one class of failures doesn't hide the others, and a thousand don't fill the screen. */
function reported(failures: readonly string[]): string {
  return `${failures.length} sheets:\n\n${failures.slice(0, Number(AWKWARD_SHOWN)).join('\n\n')}\n`;
}
