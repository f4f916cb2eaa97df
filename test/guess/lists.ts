import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ExcelJS from 'exceljs';
import { ProductError } from '../../src/errors/product-error.js';
import type { Guess } from '../../src/guess/compose-job.js';
import { guessJob } from '../../src/guess/guess.js';
import type { OperationName } from '../../src/model/operation.js';
import type { Fixture } from '../support/job-runs.js';

/** A sheet as a user might have made it, and what a careful person would take it for. */
export interface HeaderList {
  readonly name: string;
  readonly file: string;
  readonly sheet?: string;
  /** In the row above the headers. */
  readonly title?: string;
  readonly operation: OperationName;
  /** Whether anything in it reports which operation is meant. */
  readonly tells: boolean;
  /** Header, field (empty: none; `?a|b`: any of these, but not surely), cells. */
  readonly columns: readonly (readonly string[])[];
}

export interface Judged {
  readonly headers: number;
  readonly right: number;
  readonly wrongAndSure: readonly string[];
  readonly wrong: readonly string[];
  readonly lists: number;
  /** Jobs that use every column with a field. */
  readonly whole: number;
  readonly operations: number;
  readonly wrongOperations: readonly string[];
  readonly askedInVain: readonly string[];
  /** Columns that aren't sure and of which the job asks nothing. */
  readonly questionsMissing: readonly string[];
}

const HERE = path.dirname(fileURLToPath(import.meta.url));

export function listsIn(folder: string): readonly HeaderList[] {
  return readdirSync(path.join(HERE, folder))
    .filter((it) => it.endsWith('.json'))
    .flatMap((it) => JSON.parse(readFileSync(path.join(HERE, folder, it), 'utf8')) as HeaderList[]);
}

const TABLES: readonly (readonly [RegExp, string])[] = [
  [/^o\./, ''],
  [/^a\./, 'assets.'],
  [/^p\./, 'assets.products.'],
  [/^f\./, 'assets.products.productFeatures.'],
  [/^x\./, 'assets.assetExtendList.'],
  [/^m\./, 'assets.merchandises.'],
];

/** Fields as a guess shows them. */
export function inFull(short: string): string {
  const found = TABLES.find(([pattern]) => pattern.test(short));
  return found ? short.replace(found[0], found[1]) : short;
}

/** Guesses every list, once as it is for the operation, once with the operation named for the columns. */
export async function judge(fixture: Fixture, lists: readonly HeaderList[]): Promise<Judged> {
  const wrong: string[] = [];
  const wrongAndSure: string[] = [];
  const wrongOperations: string[] = [];
  const askedInVain: string[] = [];
  const questionsMissing: string[] = [];
  let headers = 0;
  let right = 0;
  let whole = 0;
  for (const list of lists) {
    const input = await fileOf(fixture, list);
    const decided = await decide(input);
    if (decided === 'asked') {
      if (list.tells) askedInVain.push(`${list.name}: asked, not ${list.operation}`);
    } else if (!list.tells || decided !== list.operation) {
      wrongOperations.push(`${list.name}: ${decided}, not ${list.tells ? list.operation : 'asked'}`);
    }
    const found = await guessJob({ ...given(input), operation: list.operation });
    let used = true;
    const asked = found.text.replace(/\n\s*# ?/g, ' ');
    for (const it of found.columns.filter((column) => column.sure !== 'sure'))
      if (!asked.includes(`Is "${it.header}" the `)) questionsMissing.push(`${list.name}: ${it.header}`);
    for (const [header = '', truth = ''] of list.columns) {
      headers += 1;
      const verdict = judgeHeader(found, header, truth);
      if (verdict === 'right') {
        right += 1;
        continue;
      }
      if (truth !== '') used = false;
      const reported = `${list.name} (${list.operation}): ${JSON.stringify(header)} is ${truth || 'nothing'}, not ${verdict}`;
      wrong.push(reported);
      if (verdict.endsWith(' sure')) wrongAndSure.push(reported);
    }
    if (used) whole += 1;
  }
  const operations = lists.length - wrongOperations.length - askedInVain.length;
  return {
    headers,
    right,
    wrong,
    wrongAndSure,
    lists: lists.length,
    whole,
    operations,
    wrongOperations,
    askedInVain,
    questionsMissing,
  };
}

function judgeHeader(found: Guess, header: string, truth: string): string {
  const at = header.replace(/\s+/g, ' ').trim();
  const columns = found.columns.filter((it) => it.header === at);
  const taken = columns.find((it) => it.field !== undefined);
  const reported = taken ? `${taken.field} ${taken.sure}` : 'nothing';
  if (truth.startsWith('?')) {
    const fits = truth.slice(1).split('|').map(inFull);
    if (!taken) return 'right';
    return fits.includes(taken.field) && taken.sure !== 'sure' ? 'right' : reported;
  }
  if (truth === '') return taken ? reported : 'right';
  return taken?.field === inFull(truth) ? 'right' : reported;
}

async function decide(input: string): Promise<OperationName | 'steps' | 'asked'> {
  try {
    return (await guessJob(given(input))).operation;
  } catch (error) {
    if (error instanceof ProductError && /^guess\.(?:no|which)_operation/.test(error.detail.code))
      return 'asked';
    throw error;
  }
}

const given = (file: string) =>
  ({ file, jobFile: `${file}.yaml`, schema: 'job.schema.json', language: 'en' }) as const;

async function fileOf(fixture: Fixture, list: HeaderList): Promise<string> {
  const rows = [
    ...(list.title === undefined ? [] : [[list.title]]),
    list.columns.map(([header = '']) => header),
    ...[2, 3].map((at) => list.columns.map((it) => it[at] ?? '')),
  ];
  const name = list.file.replace(/\.csv$/i, '.csv');
  if (!list.file.endsWith('.xlsx')) {
    const quoted = rows.map((row) =>
      row.map((it) => (/["\r\n,;]/.test(it) ? `"${it.replaceAll('"', '""')}"` : it)),
    );
    return fixture.file(name, `\ufeff${quoted.map((it) => it.join(',')).join('\r\n')}\r\n`);
  }
  const workbook = new ExcelJS.Workbook();
  const sheet = workbook.addWorksheet(list.sheet ?? 'Sheet1');
  sheet.addRows(rows);
  if (list.title !== undefined) sheet.mergeCells(1, 1, 1, list.columns.length);
  return fixture.file(name, new Uint8Array(await workbook.xlsx.writeBuffer()));
}

/** The figures in one line, and each fault. */
export function figures(it: Judged): string {
  const share = ((100 * it.right) / it.headers).toFixed(1);
  return [
    `${it.lists} lists: ${it.right} of ${it.headers} headers right (${share}%), ${it.wrongAndSure.length} wrong and told as sure, ` +
      `${it.whole} jobs use every true column, ${it.operations} operations right or asked where nothing tells, ` +
      `${it.wrongOperations.length} wrong, ${it.askedInVain.length} asked in vain`,
    ...it.wrong,
    ...it.wrongOperations,
    ...it.askedInVain,
  ].join('\n');
}
