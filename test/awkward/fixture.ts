import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Carried, type CommandFixture, carryOut, setUp } from './execute.js';
import { goesThrough, judgement, judgementOfSent, LINE_FAULTS } from './judge.js';
import { RecordedSandbox } from './recorded-sandbox.js';
import type { Draft } from './sheet.js';

/** Operations whose items have a key. */
const ONCE = /^(?:order\.|enterprise\.(?:create|bind)$|activity\.)/;

/** One sandbox for many sheets, each with a folder, a job and a ledger of its own. */
export class AwkwardFixture {
  readonly #platform: RecordedSandbox;
  readonly #folder: string;
  #kept = false;

  private constructor(platform: RecordedSandbox, folder: string) {
    this.#platform = platform;
    this.#folder = folder;
  }

  static async open(): Promise<AwkwardFixture> {
    const platform = await RecordedSandbox.open();
    return new AwkwardFixture(platform, await mkdtemp(path.join(tmpdir(), 'license-sync-awkward-')));
  }

  async close(): Promise<void> {
    await this.#platform.close();
    if (!this.#kept) await rm(this.#folder, { recursive: true, force: true });
  }

  /**
   * Executes a sheet, and returns what is wrong in comparison with the truth: the seed, where the file
   * is (it is kept then), and what went wrong. Undefined when nothing did.
   */
  async failure(draft: Draft, keep = false): Promise<string | undefined> {
    const folder = path.join(
      this.#folder,
      `${draft.seed}-${draft.done.join('-').replaceAll(/\W+/g, '-').slice(0, 60)}`,
    );
    const fixture = await setUp(draft, folder, this.#platform.url);
    const found = await this.#faultsOf(draft, fixture);
    if (found.length === 0 && !keep) {
      await rm(folder, { recursive: true, force: true });
      return undefined;
    }
    this.#kept = true;
    if (found.length === 0) return undefined;
    const { seed, scenario, format, done, settings } = draft;
    const what = `${scenario.name}, ${scenario.language}, .${format}, onInvalid: ${settings.onInvalid}`;
    return [
      `seed ${seed}: ${what}: ${done.join('; ') || 'nothing awkward'}`,
      `  ${fixture.file}`,
      ...found.map((it) => `  - ${it}`),
    ].join('\n');
  }

  async #faultsOf(draft: Draft, fixture: CommandFixture): Promise<readonly string[]> {
    const carried = await carryOut(fixture, this.#platform);
    const found = [...judgement(draft, carried)];
    if (found.length === 0 && draft.seed % 3 === 1) return this.#again(draft, fixture, carried);
    if (found.length > 0 || draft.seed % 3 !== 0 || draft.refusal === 'must') return found;
    // A workbook has no lines that shift: there the row stands as it was understood, and its message reports the rest.
    if (draft.page.lines.some((it) => it.reasons.some((reason) => LINE_FAULTS.has(reason)))) return found;
    return this.#fromItsResult(draft, fixture);
  }

  /** The same file once more sends nothing of what succeeded. */
  async #again(draft: Draft, fixture: CommandFixture, before: Carried): Promise<readonly string[]> {
    if (!ONCE.test(draft.scenario.operation) || before.end?.status !== 'completed') return [];
    const again = await carryOut(fixture, this.#platform);
    const twice = again.sent.filter((it) => before.sent.includes(it));
    return twice.map((it) => `sent twice: ${it}`);
  }

  /** The workbook that a check writes is an input too, and must be read as the sheet was. */
  async #fromItsResult(draft: Draft, fixture: CommandFixture): Promise<readonly string[]> {
    const ledger = path.join(fixture.folder, 'other', 'ledger.db');
    // A text file has one sheet, and so none to join; it doesn't know what was a date or a boolean.
    const plain = !draft.joined && draft.page.lines.every((it) => it.verdict !== 'fault');
    const extension = plain && draft.seed % 2 === 0 ? '.csv' : '.xlsx';
    const output = path.join(fixture.folder, `checked${extension}`);
    const checked = await carryOut(fixture, this.#platform, { only: 'check', ledger, output });
    if (checked.sent.length > 0) return ['a check sent something'];
    const input = checked.end?.output;
    if (input === undefined) return [];
    const again = await carryOut(fixture, this.#platform, { input, ledger });
    const found = judgementOfSent(draft, again);
    const refused = again.refused !== undefined && goesThrough(draft) ? [`refused: ${again.refused}`] : [];
    return [...refused, ...found].map((it) => `from its result: ${it}`);
  }
}
