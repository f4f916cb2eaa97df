import path from 'node:path';
import { type Code, type Language, type Message, message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { OperationName } from '../model/operation.js';
import { operationNamed } from '../platform/operations/index.js';
import { chinesePurpose } from '../platform/operations/words.js';
import { plainText } from '../util/plain-text.js';
import { buildDraft, type Draft } from './build-draft.js';
import { headerName, shown } from './column-leaf.js';
import { decide } from './decide.js';
import type { DraftNode } from './draft.js';
import { type FoundTables, findTables } from './find-tables.js';
import { findJoins, type Join } from './joins.js';
import { type Sureness, sureness } from './match.js';
import { type OwnTemplate, ownTemplate } from './own-template.js';
import { type Fit, proposals } from './propose.js';
import { ROWS_READ, readSheet, type SheetView } from './read-sheet.js';
import { askForSteps, type DraftStep, draftSteps } from './steps.js';
import { targetsOf } from './targets.js';
import { templateDraft } from './template-draft.js';
import { jobText } from './write-yaml.js';

interface GuessInput {
  /** The spreadsheet. */
  readonly file: string;
  /** Absolute path that the job file is going to have: its paths are from there. */
  readonly jobFile: string;
  /** `$schema` of the first line, from the job file's folder. */
  readonly schema: string;
  readonly operation?: OperationName;
  /** Several, each a step of the job. */
  readonly steps?: readonly OperationName[];
  /** Of a text file. */
  readonly encoding?: string;
  /** Of an encrypted workbook: the environment variable that holds its password, and where it is looked up. */
  readonly password?: { readonly kind: 'env'; readonly name: string };
  readonly env?: NodeJS.ProcessEnv;
  /** Of the comments. */
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
  /** Of a job of several steps. */
  readonly steps?: readonly { readonly name: string; readonly operation: OperationName }[];
  /** Operations by how well they fit, unless one was named. */
  readonly proposals: readonly Fit[];
  /** The word that found the operation; empty where it was named, or only its columns fit. */
  readonly word: string;
  readonly columns: readonly GuessedColumn[];
  /** Required fields without a column; the job can be loaded, but its rows are not valid before they have one. */
  readonly lacking: readonly string[];
  readonly unused: readonly string[];
  /** For the person to look at. */
  readonly notes: readonly Message[];
}

const SHEETS_READ = 10;

/**
 * Works out a job for a spreadsheet from its headers and cells: sheet, header row, operation and map. Nothing is
 * written.
 * @throws ProductError usage for a file that can't be opened or that fits no operation, input for one that can't be read
 */
export async function guessJob(input: GuessInput): Promise<Guess> {
  const found = await findTables(input.file, input);
  try {
    if (input.steps) return await guessSteps(input, found, input.steps);
    const made = await ownTemplate(found, input.operation);
    if (made) return fromTemplate(input, found, made);
    const [main, ...others] = await readTables(found);
    const aim = input.operation === undefined ? aimOf(input.file, found, main!, others) : NAMED;
    const name = input.operation ?? aim.fits[0]!.operation;
    const named = await ownTemplate(found, name);
    if (named) return fromTemplate(input, found, named, aim);
    const operation = operationNamed(name);
    const targets = targetsOf(operation);
    const joins = operation.place.kind === 'array' ? findJoins(main!, others, targets) : [];
    const draft = buildDraft(targets, main!, joins);
    const sheets = [main!, ...joins.map((it) => it.view)];
    return compose(input, found, aim, { main: main!, sheets, joins, work: { operation: name, draft } });
  } finally {
    await found.source.close();
  }
}

/** The same sheet read by several operations, one after the other. */
async function guessSteps(
  input: GuessInput,
  found: FoundTables,
  operations: readonly OperationName[],
): Promise<Guess> {
  const [main, ...others] = await readTables(found);
  const joins = new Map<OperationName, readonly Join[]>();
  for (const name of operations) {
    const operation = operationNamed(name);
    const targets = targetsOf(operation);
    joins.set(name, operation.place.kind === 'array' ? findJoins(main!, others, targets) : []);
  }
  const steps = draftSteps(operations, main!, (it) => joins.get(it) ?? []);
  const all = [...new Map([...joins.values()].flat().map((it) => [it.view.sheet.name, it])).values()];
  const sheets = [main!, ...all.map((it) => it.view)];
  return compose(input, found, NAMED, { main: main!, sheets, joins: all, work: steps });
}

function fromTemplate(input: GuessInput, found: FoundTables, made: OwnTemplate, aim = NAMED): Guess {
  const { operation, main, views } = made;
  const draft = templateDraft(made, targetsOf(operation));
  const sheets = [...views.values()];
  return compose(input, found, aim, { main, sheets, joins: [], work: { operation: operation.name, draft } });
}

/** The likeliest sheet first; others with headers in their first row, as far as they can be read. */
async function readTables({ source, tables }: FoundTables): Promise<readonly SheetView[]> {
  const [first, ...rest] = tables;
  const main = await readSheet(source, first!.sheet, first!.header.number);
  if (!source.isWorkbook || main.fromResult) return [main];
  const others: SheetView[] = [];
  for (const { sheet, header } of rest.filter((it) => !it.isAboutData).slice(0, SHEETS_READ)) {
    if (header.number !== 1) continue;
    try {
      others.push(await readSheet(source, sheet, 1));
    } catch (error) {
      // A faulty sheet that no job would read is no problem.
      if (!(error instanceof ProductError)) throw error;
    }
  }
  return [main, ...others];
}

/** The purpose of a spreadsheet: operations, the chosen one first, and the word that named it. */
interface Aim {
  readonly fits: readonly Fit[];
  readonly word: string;
}

const NAMED: Aim = { fits: [], word: '' };

/** @throws ProductError usage where nothing tells which of several operations is meant, or none fits */
function aimOf(file: string, found: FoundTables, main: SheetView, others: readonly SheetView[]): Aim {
  const headers = new Set(main.columns.map((it) => it.header.folded));
  const related = others.filter((it) => it.columns.some((column) => headers.has(column.header.folded)));
  const columns = [main, ...related].flatMap((it) => it.columns);
  const fits = proposals(columns);
  const base = path.basename(file, path.extname(file));
  const names = [base, main.sheet.name, ...(found.tables[0]?.titles ?? [])];
  const decision = decide({ marks: found.marks, names, columns }, fits);
  if (decision.kind === 'found') {
    const taken = fits.filter((it) => it.operation === decision.operation);
    return { fits: [...taken, ...fits.filter((it) => !taken.includes(it))], word: decision.word };
  }
  const { words } = decision;
  // Repeatable operations come first, so that copying the first suggestion creates nothing.
  const repeatable = (it: OperationName): number => (operationNamed(it).repeatable ? 0 : 1);
  const candidates = decision.candidates.toSorted((a, b) => repeatable(a) - repeatable(b));
  const params = { file: path.basename(file), sheet: main.sheet.name };
  const [first] = candidates;
  if (first === undefined) {
    const shownHeaders = plainText(main.columns.slice(0, 12).map(shown).join(', '), 300);
    throw new ProductError('usage', message('guess.no_operation', { ...params, headers: shownHeaders }));
  }
  const fitting = { ...params, candidates: candidates.join(', '), first };
  const asked = candidates.includes('order.new_buy') ? askForSteps(fits) : [];
  if (words.length === 0)
    throw new ProductError('usage', message('guess.which_operation', fitting), { others: asked });
  const said = plainText(words.map((it) => `"${it}"`).join(', '), 200);
  const open = message('guess.which_operation_said', { ...fitting, words: said });
  throw new ProductError('usage', open, { others: asked });
}

/** A draft with the sheets that it reads. */
interface Composed {
  readonly main: SheetView;
  readonly sheets: readonly SheetView[];
  readonly joins: readonly Join[];
  readonly work: { readonly operation: OperationName; readonly draft: Draft } | readonly DraftStep[];
}

function compose(
  input: GuessInput,
  found: FoundTables,
  aim: Aim,
  { main, sheets, joins, work }: Composed,
): Guess {
  const parts: readonly (Omit<DraftStep, 'name'> & { readonly name?: string })[] =
    'draft' in work ? [work] : work;
  const operations = parts.map((it) => it.operation);
  /** A field as it is named where there are several steps. */
  const within = (field: string, name: string | undefined): string =>
    name === undefined ? field : `${name}.${field}`;
  const name = jobName(input.jobFile);
  const folder = path.dirname(input.jobFile);
  const file = relative(folder, path.resolve(input.file));
  const lacking = parts.flatMap(({ name: step, draft }) =>
    draft.lacking.map((it) => within(it.target.shown, step)),
  );
  const unread = parts.map(({ draft }) =>
    draft.unused.map(({ sheet, column }) =>
      sheet === main.sheet.name ? shown(column) : `${sheet}!${shown(column)}`,
    ),
  );
  const unused = unread[0]!.filter((it) => unread.every((others) => others.includes(it)));
  const { source } = found;
  const text = jobText(
    {
      schema: input.schema,
      name,
      description: plainText(describe(operations, path.basename(input.file), input.language), 200),
      source: [
        ['file', file],
        ['sheet', source.isWorkbook && !main.fromResult ? main.sheet.name : undefined],
        ['headerRow', main.headerRow === 1 ? undefined : main.headerRow],
        ['encoding', found.encoding],
        ['password', input.password && { env: input.password.name }],
        ['merged', readsMerged(parts, [main, ...joins.map((it) => it.view)]) ? 'fill' : undefined],
        ['delimiter', found.delimiter === '\t' ? 'tab' : found.delimiter],
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
      source: readAs(source.encoding),
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
        field: within(it.target.shown, step),
        sure: sureness(it),
      })),
    ),
    lacking,
    unused,
    notes: [
      ...notesOf(main, joins),
      ...parts.flatMap(({ draft }) => doubts(draft.map)),
      ...(operations.join() === 'order.new_buy' ? askForSteps(aim.fits) : []),
      ...source.warnings,
    ],
  };
}

function describe(operations: readonly OperationName[], file: string, language: Language): string {
  const chinese = language === 'zh';
  const purposes = operations.map((it) => (chinese && chinesePurpose(it)) || operationNamed(it).purpose);
  return chinese ? `${purposes.join('；')}（${file}）` : `${purposes.join('; ')} (${file})`;
}

/** A note about the encoding of a text file, unless it is UTF-8. */
function readAs(encoding: string | undefined): readonly Message[] {
  if (encoding === undefined || encoding === 'utf-8') return [];
  return [message('guess.read_as', { encoding })];
}

/** Whether a column that the map reads has merged ranges over its data. */
function readsMerged(parts: readonly { readonly draft: Draft }[], views: readonly SheetView[]): boolean {
  return parts
    .flatMap(({ draft }) => draft.matches)
    .some(({ sheet, column }) =>
      views.some((view) => view.sheet.name === sheet && view.merged.has(column.header.column)),
    );
}

/** In the order of columns, with the main sheet first. */
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

/** Notes of leaves that are important even for users who don't open the job file. */
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

/** With slashes on every system; a bare name stays one. */
function relative(from: string, to: string): string {
  return path.relative(from, to).split(path.sep).join('/');
}
