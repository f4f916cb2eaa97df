import path from 'node:path';
import { type Code, type Language, type Message, message } from '../errors/message.js';
import type { OperationName } from '../model/operation.js';
import { operationNamed } from '../platform/operations/catalogue.js';
import { chinesePurpose } from '../platform/operations/operation-words.js';
import type { SecretSource } from '../util/secret-source.js';
import { plainText } from '../util/text.js';
import type { Draft } from './build-draft.js';
import { headerName, shown } from './column-leaf.js';
import { type Fit, type YesNoColumn, yesNoColumn } from './decide.js';
import { type FoundTables, ROWS_READ, type SheetView } from './find-tables.js';
import type { Join } from './joins.js';
import { type Sureness, sureness } from './match.js';
import { type DraftStep, suggestSteps } from './steps.js';
import { type DraftNode, jobText, type PasswordPlace } from './write-yaml.js';

export interface GuessFrom {
  readonly file: string;
  /** The path of the spreadsheet in the job, if it differs from `file`. */
  readonly called?: string;
  /** Absolute path of the future job file, to which its paths are relative. */
  readonly jobFile: string;
  /** `$schema` of the first line, relative to the job file's folder. */
  readonly schema: string;
  readonly operation?: OperationName;
  /** Operations of a job of several steps. */
  readonly steps?: readonly OperationName[];
  /** The sheet with the rows; default the most likely one. */
  readonly sheet?: string | undefined;
  /** Default `sandbox`. */
  readonly connection?: string | undefined;
  /** Encoding of a text file. */
  readonly encoding?: string;
  /** Source of the password of an encrypted workbook, and the environment for it. */
  readonly password?: SecretSource | undefined;
  readonly env?: NodeJS.ProcessEnv;
  /** Language of the comments. */
  readonly language: Language;
}

export interface GuessedColumn {
  readonly sheet: string;
  readonly header: string;
  /** As users write it, without the items' array. */
  readonly field: string;
  readonly sure: Sureness;
}

/** A job for a spreadsheet. */
export interface Guess {
  readonly text: string;
  readonly name: string;
  readonly operation: OperationName | 'steps';
  /** The steps of a job of several. */
  readonly steps?: readonly { readonly name: string; readonly operation: OperationName }[];
  /** Operations by how well they match, unless the operation was specified. */
  readonly proposals: readonly Fit[];
  /** The word that names the operation; empty if the operation was specified, or follows from the columns only. */
  readonly word: string;
  readonly columns: readonly GuessedColumn[];
  /** Required fields without a column. The job can be loaded, but its rows are invalid until these fields are mapped. */
  readonly lacking: readonly string[];
  readonly unused: readonly string[];
  /** Notes for the user. */
  readonly notes: readonly Message[];
}

/** The purpose of a spreadsheet: operations, the chosen one first, and the word that names it. */
export interface Aim {
  readonly fits: readonly Fit[];
  readonly word: string;
}

/** A draft with the sheets that it reads. */
interface Composed {
  readonly main: SheetView;
  readonly sheets: readonly SheetView[];
  readonly joins: readonly Join[];
  readonly work: { readonly operation: OperationName; readonly draft: Draft } | readonly DraftStep[];
}

/** The job file of a draft, with the notes for the user. */
export function composeJob(
  input: GuessFrom,
  found: FoundTables,
  aim: Aim,
  { main, sheets, joins, work }: Composed,
): Guess {
  const parts: readonly (Omit<DraftStep, 'name'> & { readonly name?: string })[] =
    'draft' in work ? [work] : work;
  const operations = parts.map((it) => it.operation);
  /** The name of a field, with the step if there are several. */
  const qualified = (field: string, name: string | undefined): string =>
    name === undefined ? field : `${name}.${field}`;
  const name = jobName(input.jobFile);
  const folder = path.dirname(input.jobFile);
  const file = relative(folder, path.resolve(input.called ?? input.file));
  const lacking = parts.flatMap(({ name: step, draft }) =>
    draft.lacking.map((it) => qualified(it.target.shown, step)),
  );
  const unusedByPart = parts.map(({ draft }) =>
    draft.unused.map(({ sheet, column }) =>
      sheet === main.sheet.name ? shown(column) : `${sheet}!${shown(column)}`,
    ),
  );
  const unused = unusedByPart[0]!.filter((it) => unusedByPart.every((columns) => columns.includes(it)));
  const { source } = found;
  const conditionColumn = 'draft' in work ? yesNoColumn(main.columns, work.operation) : undefined;
  const proposed = conditionColumn && [
    message('guess.where_proposed', {
      column: headerName(conditionColumn.column),
      no: conditionColumn.no.join(', '),
    }),
  ];
  const text = jobText(
    {
      schema: input.schema,
      name,
      connection: input.connection ?? 'sandbox',
      description: plainText(describe(operations, path.basename(input.file), input.language), 200),
      source: [
        ['file', file],
        ['sheet', source.isWorkbook && !main.fromResult ? main.sheet.name : undefined],
        ['headerRow', main.headerRow === 1 ? undefined : main.headerRow],
        ['encoding', found.encoding],
        ['password', input.password && passwordPlace(input.password, folder)],
        ['merged', readsMerged(parts, [main, ...joins.map((it) => it.view)]) ? 'fill' : undefined],
        ['delimiter', found.delimiter === '\t' ? 'tab' : found.delimiter],
        ['where', conditionColumn && condition(conditionColumn)],
      ],
      output: path.basename(folder) === 'jobs' ? '../results/{job}-{run}.xlsx' : 'results/{job}-{run}.xlsx',
    },
    'draft' in work
      ? { operation: work.operation, map: work.draft.map }
      : work.map(({ draft, ...it }) => ({ ...it, map: draft.map })),
    {
      first: [
        message('guess.head', { file: plainText(path.basename(input.file), 80) }),
        ...(lacking.length > 0 ? [message('guess.head_lacking', { fields: lacking.join(', ') })] : []),
      ],
      source: [...encodingNotes(source.encoding), ...(proposed ?? [])],
      last: unused.length === 0 ? [] : [message('guess.unused', { columns: unused.join(', ') })],
    },
    input.language,
  );
  return {
    text,
    name,
    ...('draft' in work
      ? { operation: work.operation }
      : {
          operation: 'steps' as const,
          steps: work.map((it) => ({ name: it.name, operation: it.operation })),
        }),
    proposals: aim.fits,
    word: aim.word,
    columns: parts.flatMap(({ name: step, draft }) =>
      inSheetOrder(draft.matches, sheets).map((it) => ({
        sheet: it.sheet,
        header: headerName(it.column),
        field: qualified(it.target.shown, step),
        sure: sureness(it),
      })),
    ),
    lacking,
    unused,
    notes: [
      ...notesOf(main, joins),
      ...(proposed ?? []),
      ...parts.flatMap(({ draft }) => doubts(draft.map)),
      ...(operations.join() === 'order.new_buy' ? suggestSteps(aim.fits) : []),
      ...source.warnings,
    ],
  };
}

function describe(operations: readonly OperationName[], file: string, language: Language): string {
  const chinese = language === 'zh';
  const purposes = operations.map((it) => (chinese && chinesePurpose(it)) || operationNamed(it).purpose);
  return chinese ? `${purposes.join('；')}（${file}）` : `${purposes.join('; ')} (${file})`;
}

function condition({ column, yes }: YesNoColumn): string {
  const cell = `row[${JSON.stringify(headerName(column))}]`;
  return yes.length === 1 ? `${cell} == ${JSON.stringify(yes[0])}` : `${cell} in ${JSON.stringify(yes)}`;
}

/** A note about the encoding of a text file, unless it is UTF-8. */
function encodingNotes(encoding: string | undefined): readonly Message[] {
  if (encoding === undefined || encoding === 'utf-8') return [];
  return [message('guess.read_as', { encoding })];
}

/** True if a column that the map reads has merged ranges over its data. */
function readsMerged(parts: readonly { readonly draft: Draft }[], views: readonly SheetView[]): boolean {
  return parts
    .flatMap(({ draft }) => draft.matches)
    .some(({ sheet, column }) =>
      views.some((view) => view.sheet.name === sheet && view.merged.has(column.header.column)),
    );
}

/** Sorts by column, with the main sheet first. */
function inSheetOrder(matches: Draft['matches'], views: readonly SheetView[]): Draft['matches'] {
  const names = views.map((it) => it.sheet.name);
  return [...matches].sort(
    (a, b) =>
      names.indexOf(a.sheet) - names.indexOf(b.sheet) || a.column.header.column - b.column.header.column,
  );
}

function notesOf(main: SheetView, joins: readonly Join[]): readonly Message[] {
  return [
    ...(main.cut ? [message('guess.rows_cut', { rows: ROWS_READ })] : []),
    ...(main.fromResult ? [message('guess.from_result')] : []),
    ...(main.rows === 0 ? [message('guess.no_rows', { sheet: main.sheet.name, row: main.headerRow })] : []),
    ...joins.map((it) => message('guess.joined', { sheet: it.view.sheet.name, columns: it.on.join(', ') })),
  ];
}

/** Notes of leaves that matter even to users who don't open the job file. */
function doubts(node: DraftNode): readonly Message[] {
  if (node.kind === 'branch') return node.members.flatMap(doubts);
  return node.notes.filter((it) => DOUBTS.has(it.code));
}

const DOUBTS: ReadonlySet<Code> = new Set<Code>([
  'guess.header_twice',
  'guess.dates_mixed',
  'guess.dates_both_orders',
  'guess.order_open',
  'guess.date_serials',
]);

/** A job's name from its file's: letters, digits and hyphens (contract section 3). */
function jobName(file: string): string {
  const base = path.basename(file, path.extname(file)).normalize('NFKC');
  const name = base
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)
    .replace(/[\ud800-\udbff]$/u, '');
  return name === '' ? 'job' : name;
}

/** A relative path with slashes on every system. */
function relative(from: string, to: string): string {
  return path.relative(from, to).split(path.sep).join('/');
}

function passwordPlace(password: SecretSource, folder: string): PasswordPlace {
  return password.kind === 'env' ? { env: password.name } : { file: relative(folder, password.path) };
}
