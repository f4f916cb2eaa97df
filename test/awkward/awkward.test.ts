import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { carryOut, fileOf, type Office, setUp } from './carry-out.js';
import { goesThrough, judgement, judgementOfSent } from './judge.js';
import { makeDraft } from './make-draft.js';
import { RecordedSandbox } from './recorded-sandbox.js';
import type { Draft } from './sheet.js';

/** `AWKWARD_SEEDS=1000` for many; `AWKWARD_SEED=17` for one, whose folder is kept. */
const SEEDS = process.env.AWKWARD_SEED
  ? [Number(process.env.AWKWARD_SEED)]
  : Array.from({ length: Number(process.env.AWKWARD_SEEDS ?? 50) }, (_, index) => index + 1);
/** So that one failure doesn't hide a class of them, and a thousand of them don't fill the screen. */
const SHOWN = Number(process.env.AWKWARD_SHOWN ?? 10);

describe('awkward sheets', () => {
  let platform: RecordedSandbox;
  let folder: string;
  let kept = false;

  beforeAll(async () => {
    platform = await RecordedSandbox.open();
    folder = await mkdtemp(path.join(tmpdir(), 'license-sync-awkward-'));
  });

  afterAll(async () => {
    await platform.close();
    if (!kept) await rm(folder, { recursive: true, force: true });
  });

  it('a seed makes the same file, byte for byte', async () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const [one, other] = [await fileOf(makeDraft(seed)), await fileOf(makeDraft(seed))];
      expect(one.equals(other)).toBe(true);
    }
  });

  it(
    `what the platform carried out is what a careful person reads, or the row is told: ${SEEDS.length} sheets`,
    async () => {
      const failures: string[] = [];
      let through = 0;
      for (const seed of SEEDS) {
        const draft = makeDraft(seed, process.env.AWKWARD_ONLY?.split('|'));
        if (process.env.AWKWARD_ONLY && draft.done.length === 0) continue;
        const office = await setUp(draft, path.join(folder, String(seed)), platform.url);
        const found = await faultsOf(draft, office);
        if (goesThrough(draft)) through += 1;
        if (found.length === 0 && !process.env.AWKWARD_SEED) {
          await rm(office.folder, { recursive: true, force: true });
          continue;
        }
        kept = true;
        if (found.length > 0) failures.push(failure(draft, office, found));
      }
      // A program that refuses everything would be safe too.
      if (SEEDS.length > 20) expect(through).toBeGreaterThan(SEEDS.length / 5);
      const shown = failures.slice(0, SHOWN).join('\n\n');
      expect(failures.length, `${failures.length} of ${SEEDS.length} sheets:\n\n${shown}\n`).toBe(0);
    },
    Math.max(120_000, SEEDS.length * 3000),
  );

  async function faultsOf(draft: Draft, office: Office): Promise<readonly string[]> {
    const carried = await carryOut(office, platform);
    const found = [...judgement(draft, carried)];
    if (found.length > 0 || draft.seed % 3 !== 0 || draft.refusal === 'must') return found;
    const ledger = path.join(office.folder, 'other', 'ledger.db');
    const checked = await carryOut(office, platform, { only: 'check', ledger });
    if (checked.sent.length > 0) found.push('a check sent something');
    const input = checked.end?.output;
    if (input === undefined) return found;
    const again = await carryOut(office, platform, { input, ledger });
    return [...found, ...judgementOfSent(draft, again).map((it) => `from its result: ${it}`)];
  }
});

function failure(draft: Draft, office: Office, found: readonly string[]): string {
  const { seed, scenario, format, done } = draft;
  const what = `${scenario.name}, ${scenario.language}, .${format}, ${draft.settings.onInvalid}`;
  return [
    `seed ${seed}: ${what}: ${done.join('; ') || 'nothing awkward'}`,
    `  ${office.file}`,
    ...found.map((it) => `  - ${it}`),
  ].join('\n');
}
