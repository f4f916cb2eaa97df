import type { RowOutcome } from '../../src/api/index.js';
import { STRUCK_OUT } from './awkwardnesses/calculated.js';
import type { Carried } from './execute.js';
import type { Draft, Line } from './sheet.js';
import { canonical, type Expected, expectedOf, sentValues } from './truth.js';

/** What a person who knows the truth holds against what the program did; empty when nothing. */
export function judgement(draft: Draft, carried: Carried): readonly string[] {
  const judge = new Judge(draft, carried);
  return carried.end ? judge.ran() : judge.refused();
}

/** Only what was sent, where rows have other numbers than in the sheet (a result workbook read again). */
export function judgementOfSent(draft: Draft, carried: Carried): readonly string[] {
  return new Judge(draft, carried).sent();
}

/** Whether nothing is in the way: all rows are plain, or the contract says how they are read. */
export function goesThrough(draft: Draft): boolean {
  return (
    draft.refusal === 'no' && !allLines(draft).some((it) => it.verdict === 'fault' || it.verdict === 'maybe')
  );
}

/** Faults of a text file's lines, not of its cells. */
export const LINE_FAULTS: ReadonlySet<string> = new Set([
  'a line that shifted',
  'a quote inside a field',
  'a cell under an empty header',
]);

const allLines = (draft: Draft): readonly Line[] => [...draft.page.lines, ...(draft.joined?.lines ?? [])];
const shown = (line: Line): string => `row ${line.row} (${line.reasons.join(', ') || 'plain'})`;

class Judge {
  readonly #draft: Draft;
  readonly #carried: Carried;
  readonly #expected: readonly Expected[];
  readonly #rows: ReadonlyMap<number, RowOutcome>;
  readonly #found: string[] = [];

  constructor(draft: Draft, carried: Carried) {
    this.#draft = draft;
    this.#carried = carried;
    this.#expected = expectedOf(draft);
    this.#rows = new Map(carried.rows.map((it) => [it.row, it]));
  }

  refused(): readonly string[] {
    const { refused = '', sent } = this.#carried;
    const { refusal, settings, page } = this.#draft;
    if (sent.length > 0) this.#found.push(`refused the file and yet sent ${sent.length}: ${refused}`);
    if (goesThrough(this.#draft)) this.#found.push(`refused a file that can be read: ${refused}`);
    else if (refusal === 'no' && settings.onInvalid === 'skip' && this.#certain().length > 0)
      this.#found.push(`refused the whole file for some rows, though its good ones are wanted: ${refused}`);
    const lost = this.#draft.done.includes('titles that the job does not know of');
    if (lost && !/headerRow: \d/.test(refused))
      this.#found.push(`doesn't tell where row ${page.header.row}, the header, is: ${refused}`);
    return this.#found;
  }

  ran(): readonly string[] {
    const { end } = this.#carried;
    if (this.#draft.refusal === 'must' && this.#carried.sent.length > 0)
      this.#found.push('sent from a file that must be refused');
    this.sent();
    this.#sums();
    this.#lines();
    if (goesThrough(this.#draft) && end?.exitCode !== 0) {
      const faults = this.#carried.rows.filter((it) => it.status === 'invalid' || it.status === 'rejected');
      const reported = faults.map((it) => `row ${it.row}: ${it.message}`).join('\n    ');
      this.#found.push(
        `a file that can be read whole ended with ${end?.exitCode}: ${end?.reason ?? ''} ${reported}`,
      );
    }
    return this.#found;
  }

  sent(): readonly string[] {
    const left = new Map<string, number>();
    for (const content of this.#carried.sent) left.set(content, (left.get(content) ?? 0) + 1);
    for (const it of this.#expected) {
      const times = left.get(it.content) ?? 0;
      left.delete(it.content);
      const what = `${named(it.content)} of ${it.lines.map(shown).join('; ')}`;
      if (times > it.times) this.#found.push(`sent ${times} times instead of ${it.times}: ${what}`);
      if (times > 0 && it.hope === 'impossible')
        this.#found.push(`sent, though of its rows some can't be read: ${what}`);
    }
    for (const content of left.keys()) {
      const meant = this.#expected.find((it) => named(it.content) === named(content));
      const how = meant ? `where the sheet says otherwise: ${difference(content, meant.content)}` : content;
      this.#found.push(`sent what no row says: ${named(content)} ${how}`);
    }
    for (const it of this.#wanted()) {
      const times = this.#carried.sent.filter((content) => content === it.content).length;
      if (times < it.times)
        this.#found.push(`did not send ${named(it.content)} of ${it.lines.map(shown).join('; ')}`);
    }
    return this.#found;
  }

  /** What must have been sent: all of a sheet that succeeds, and under `skip` what has no error near it. */
  #wanted(): readonly Expected[] {
    if (!this.#carried.end || this.#carried.end.status === 'stopped') return [];
    if (goesThrough(this.#draft)) return this.#expected;
    const { settings, refusal } = this.#draft;
    if (refusal !== 'no' || settings.onInvalid !== 'skip') return [];
    return this.#certain();
  }

  #certain(): readonly Expected[] {
    return this.#expected.filter((it) => it.hope === 'certain' && !this.#nearFault(it));
  }

  /**
   * An item just above rows whose item is unknown may have to wait for them; below a line that may
   * have shifted too.
   */
  #nearFault({ lines }: Expected): boolean {
    const filled = this.#draft.page.lines.filter((it) => it.cells.length > 0);
    return lines.some((line) => {
      const at = filled.indexOf(line);
      const [above, below] = [filled[at - 1], filled[at + 1]];
      if (below?.verdict === 'fault' || below?.verdict === 'maybe') return true;
      return above?.reasons.some((it) => LINE_FAULTS.has(it)) === true;
    });
  }

  /** Rows in are the sum of statuses. */
  #sums(): void {
    const { end, rows } = this.#carried;
    if (!end) return;
    const sum = Object.values(end.counts).reduce((total, it) => total + (it ?? 0), 0);
    if (sum !== end.rows) this.#found.push(`${end.rows} rows, but statuses of ${sum}`);
    if (rows.length !== end.rows) this.#found.push(`${end.rows} rows, but ${rows.length} outcomes`);
  }

  #lines(): void {
    const { joined } = this.#draft;
    for (const line of this.#draft.page.lines) {
      const at = line.row!;
      const outcome = this.#rows.get(at);
      if (line.record.size > 0) this.#dataLine(line, outcome);
      else if (line.cells.some((it) => it !== undefined) && line.verdict === 'aside')
        this.#asideLine(line, outcome);
      else if (line.verdict === 'fault') this.#faultLine(line, outcome);
    }
    for (const line of joined?.lines ?? []) {
      if (line.verdict === 'fault') this.#joinedFault(line);
      const aside = line.verdict === 'aside' && line.cells.some((it) => it !== undefined);
      if (aside && !line.reasons.includes('blank') && !this.#isReported(line, undefined))
        this.#found.push(`joined ${shown(line)} is no data, and nothing tells so`);
    }
  }

  #dataLine(line: Line, outcome: RowOutcome | undefined): void {
    if (line.verdict === 'fault') this.#faultLine(line, outcome);
    else if (!outcome) {
      if (line.verdict !== 'filtered') this.#found.push(`${shown(line)} with its key is in no result`);
    } else if (line.verdict === 'filtered') {
      if (outcome.status !== 'skipped')
        this.#found.push(`${shown(line)} isn't wanted, but is ${outcome.status}`);
    } else if (outcome.status === 'succeeded') {
      this.#succeeded(line);
      if (line.reasons.includes(STRUCK_OUT) && !this.#isReported(line, undefined))
        this.#found.push(`${shown(line)} has a struck-out cell, and no warning names it`);
    } else if (outcome.status === 'invalid' && outcome.message === '')
      this.#found.push(`${shown(line)} is invalid without a word`);
    else if (outcome.status === 'skipped' && !this.#isReported(line, outcome))
      this.#found.push(`${shown(line)} is skipped without a word`);
    else if (outcome.status === 'rejected')
      this.#found.push(`${shown(line)} was refused by the platform: ${outcome.message}`);
  }

  /** Every filled cell that the map reads is in what was sent for its row. */
  #succeeded(line: Line): void {
    const items = this.#expected.filter((it) => it.lines.includes(line));
    const sent = items
      .filter((it) => this.#carried.sent.includes(it.content))
      .map((it) => JSON.parse(it.content));
    const values = new Set(sent.flatMap((it) => [...leaves(it)]).map(canonical));
    const lost = sentValues(line, this.#draft).filter((it) => !values.has(canonical(it)));
    if (lost.length > 0)
      this.#found.push(`${shown(line)} succeeded, but was not sent with ${lost.map(canonical).join(', ')}`);
  }

  #faultLine(line: Line, outcome: RowOutcome | undefined): void {
    if (outcome?.status === 'invalid' && outcome.message !== '') return;
    if (outcome?.status === 'skipped' && this.#isReported(line, outcome)) return;
    if (!outcome && this.#isReported(line, undefined)) return;
    this.#found.push(
      `${shown(line)} must be told, but is ${outcome ? `${outcome.status} "${outcome.message}"` : 'nowhere'}`,
    );
  }

  #asideLine(line: Line, outcome: RowOutcome | undefined): void {
    if (line.reasons.includes('blank')) {
      if (outcome && outcome.status !== 'skipped')
        this.#found.push(`${shown(line)} is ${outcome.status}: ${outcome.message}`);
      return;
    }
    const fine = outcome === undefined || outcome.status === 'skipped' || !goesThrough(this.#draft);
    const well = fine && outcome?.status !== 'succeeded' && this.#isReported(line, outcome);
    if (!well)
      this.#found.push(
        `${shown(line)} is no data, but is ${outcome ? `${outcome.status} "${outcome.message}"` : 'nowhere, and nothing tells so'}`,
      );
  }

  /** A row of the joined sheet can only be reported at the rows that it belongs to, or with the file. */
  #joinedFault(line: Line): void {
    const reported = this.#carried.rows.some((it) => it.status === 'invalid' && it.message !== '');
    if (!reported && !this.#isReported(line, undefined))
      this.#found.push(`joined ${shown(line)} is told nowhere`);
  }

  #isReported(line: Line, outcome: RowOutcome | undefined): boolean {
    if (outcome && outcome.message !== '') return true;
    const ranges = this.#carried.warnings.flatMap((it) =>
      [...it.matchAll(/\d+(?:\s*[-–]\s*\d+)?/g)].map(([range]) => range),
    );
    return ranges.some((range) => {
      const [from, to = from] = range.split(/[-–]/).map(Number);
      return line.row! >= from! && line.row! <= to!;
    });
  }
}

/** The part of an item by which a reader knows it. */
function named(content: string): string {
  return (
    /"(?:channelOrderId|crmCustomerId|channelCustomerId|assetNum|size)":("[^"]*"|\d+)/.exec(content)?.[0] ??
    content
  );
}

/** Where two contents part. */
function difference(one: string, other: string): string {
  let from = 0;
  while (one[from] === other[from]) from += 1;
  const around = (it: string): string => `…${it.slice(Math.max(0, from - 40), from + 60)}…`;
  return `${around(one)} instead of ${around(other)}`;
}

function* leaves(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) for (const it of value) yield* leaves(it);
  else if (typeof value === 'object' && value !== null)
    for (const it of Object.values(value)) yield* leaves(it);
  else yield value;
}
