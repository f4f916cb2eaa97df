import { loadConnections, resolveConnection } from '../../src/job/connections.js';
import { loadSendingJob } from '../../src/job/load.js';
import type { Correction, Row } from '../../src/model/row.js';
import { ALL_OPERATIONS } from '../../src/platform/operations/catalogue.js';
import { RowChecks } from '../../src/run/corrections/check-rows.js';
import type { FileRows } from '../../src/run/corrections/check-window.js';
import { openInput } from '../../src/run/input/opened-input.js';
import { workbook, worksheet } from '../fixtures/workbook.js';
import type { Fixture } from './job-runs.js';

export const HEADER = ['Order', 'Customer', 'Asset', 'Nodes', 'Note'];
export const [ORDER, CUSTOMER, ASSET, NODES, NOTE] = [1, 2, 3, 4, 5];

/** A workbook of texts; an empty line is a row without cells. */
export function sheetOf(
  lines: readonly (readonly string[])[],
  { merged = [] }: { readonly merged?: readonly string[] } = {},
): Uint8Array {
  const rows = [HEADER, ...lines].map((cells, index) => {
    const number = index + 1;
    const written = cells.map((text, column) =>
      text === '' ? '' : `<c r="${'ABCDE'[column]}${number}" t="inlineStr"><is><t>${text}</t></is></c>`,
    );
    return `<row r="${number}">${written.join('')}</row>`;
  });
  const ranges = merged.map((it) => `<mergeCell ref="${it}"/>`).join('');
  const xml = worksheet(rows.join(''));
  return workbook({
    sheet:
      ranges === '' ? xml : xml.replace('</sheetData>', `</sheetData><mergeCells>${ranges}</mergeCells>`),
  });
}

export function correction(row: number, column: number, text: string): Correction {
  return { row, column, header: HEADER[column - 1]!, text };
}

/** Checks of an input's rows, with the rows as its file has them. */
export async function openChecks(
  fixture: Fixture,
  jobFile: string,
  input: string,
): Promise<{ readonly checks: RowChecks; readonly file: FileRows }> {
  const loaded = await loadSendingJob(jobFile, { env: {}, operations: ALL_OPERATIONS });
  const job = { ...loaded, source: { ...loaded.source, file: input } };
  const connections = await loadConnections(job.file, { env: {}, cwd: fixture.folder });
  const connection = resolveConnection(connections, { job: job.connection });
  const checks = await RowChecks.open({ job, connection }, input, {});
  const rows = new Map<number, Row>();
  const { source, table } = await openInput(job, input, {});
  for await (const page of table.rows()) for (const row of page) rows.set(row.number, row);
  await source.close();
  const file = { row: async (number: number) => rows.get(number), last: Math.max(...rows.keys()) };
  return { checks, file };
}

/** Random numbers from a seed, the same ones each time. */
export function seeded(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * below);
  };
}

/** What offices' sheets of orders are like: several rows an order, some with faults. */
export interface RandomSheet {
  readonly lines: readonly (readonly string[])[];
  readonly merged: readonly string[];
  /** What the job says of its source. */
  readonly source: string;
}

export function randomSheet(random: (below: number) => number): RandomSheet {
  const shape = (['plain', 'fillDown', 'merged', 'refused', 'carried'] as const)[random(5)]!;
  const lines: string[][] = [];
  const merged: string[] = [];
  for (let order = 1; lines.length < 12 + random(25); order += 1) {
    const count = 1 + random(4);
    const first = lines.length + 2;
    for (let n = 0; n < count; n += 1) {
      const isKeyed = shape === 'plain' || shape === 'carried' || n === 0;
      const nodes = random(8) === 0 ? 'many' : '5';
      lines.push([
        isKeyed ? `SO-${order}` : '',
        shape !== 'carried' || lines.length === 0 ? `Customer ${order}` : '',
        random(12) === 0 ? '' : `A${order}-${n}`,
        nodes,
        '',
      ]);
    }
    if (count > 1 && (shape === 'merged' || shape === 'refused'))
      merged.push(`A${first}:A${first + count - 1}`);
    if (random(9) === 0) lines.push(['', '', '', '', random(2) === 0 ? 'a note' : '']);
  }
  const keys = {
    plain: '',
    fillDown: ', fillDown: [Order]',
    merged: ', merged: fill',
    refused: '',
    carried: ', fillDown: [Customer]',
  }[shape];
  return { lines, merged, source: keys };
}

/** One correction of a row of data; an order's number becomes a new one, or that of a neighbour. */
export function randomCorrection(
  random: (below: number) => number,
  { lines }: RandomSheet,
  nth: number,
): Correction {
  const row = 2 + random(lines.length);
  const near = lines[Math.max(0, row - 3)]?.[0] ?? '';
  switch (random(7)) {
    case 6:
      return { row, column: 0, header: '', text: 'exclude' };
    case 0:
      return correction(row, ORDER, near !== '' && random(2) === 0 ? near : `SO-new-${nth}`);
    case 1:
      return correction(row, CUSTOMER, random(3) === 0 ? '' : `Customer x${nth}`);
    case 2:
      return correction(row, ASSET, `B${nth}`);
    case 3:
      return correction(row, NOTE, '=1+1');
    default:
      return correction(row, NODES, ['7', 'seven', '', '12'][random(4)]!);
  }
}
