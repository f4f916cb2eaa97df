import path from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { OperationName } from '../model/operation.js';
import { operationNamed } from '../platform/operations/catalogue.js';
import { plainText } from '../util/text.js';
import { buildDraft } from './build-draft.js';
import { shown } from './column-leaf.js';
import { type Aim, composeJob, type Guess, type GuessFrom } from './compose-job.js';
import { decide, proposals } from './decide.js';
import { type FoundTables, findTables, readSheet, type SheetView } from './find-tables.js';
import { findJoins, type Join } from './joins.js';
import { type OwnTemplate, ownTemplate, templateDraft } from './own-template.js';
import { draftSteps, suggestSteps } from './steps.js';
import { targetsOf } from './targets.js';

const SHEETS_READ = 10;

/**
 * Proposes a job for a spreadsheet from its headers and cells: sheet, header row, operation and map. Nothing is written.
 * @throws ProductError usage for a file that can't be opened or matches no operation, input for one that can't be read
 */
export async function guessJob(input: GuessFrom): Promise<Guess> {
  const found = withFirst(await findTables(input.file, input), input.sheet);
  try {
    if (input.steps) return await guessSteps(input, found, input.steps);
    const template = await ownTemplate(found, input.operation);
    if (template) return fromTemplate(input, found, template);
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
    return composeJob(input, found, aim, { main: main!, sheets, joins, work: { operation: name, draft } });
  } finally {
    await found.source.close();
  }
}

/** The tables with that of a chosen sheet first. */
function withFirst(found: FoundTables, sheet: string | undefined): FoundTables {
  const isChosen = (it: FoundTables['tables'][number]) => Number(it.sheet.name === sheet);
  return { ...found, tables: found.tables.toSorted((a, b) => isChosen(b) - isChosen(a)) };
}

/** Proposes a job of several steps for one sheet. */
async function guessSteps(
  input: GuessFrom,
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
  return composeJob(input, found, NAMED, { main: main!, sheets, joins: all, work: steps });
}

function fromTemplate(input: GuessFrom, found: FoundTables, template: OwnTemplate, aim = NAMED): Guess {
  const { operation, main, views } = template;
  const draft = templateDraft(template, targetsOf(operation));
  const sheets = [...views.values()];
  return composeJob(input, found, aim, {
    main,
    sheets,
    joins: [],
    work: { operation: operation.name, draft },
  });
}

/** The most likely sheet first, then other readable sheets with headers in their first row. */
async function readTables({ source, tables }: FoundTables): Promise<readonly SheetView[]> {
  const [first, ...rest] = tables;
  const main = await readSheet(source, first!.sheet.position, first!.header.number);
  if (!source.isWorkbook || main.fromResult) return [main];
  const others: SheetView[] = [];
  for (const { sheet, header } of rest.filter((it) => !it.isAboutData).slice(0, SHEETS_READ)) {
    if (header.number !== 1) continue;
    try {
      others.push(await readSheet(source, sheet.position, 1));
    } catch (error) {
      // An unreadable sheet is skipped, because the job doesn't have to read it.
      if (!(error instanceof ProductError)) throw error;
    }
  }
  return [main, ...others];
}

const NAMED: Aim = { fits: [], word: '' };

/** @throws ProductError usage if several operations are possible, or if none matches */
function aimOf(file: string, found: FoundTables, main: SheetView, others: readonly SheetView[]): Aim {
  const headers = new Set(main.columns.map((it) => it.header.folded));
  const related = others.filter((it) => it.columns.some((column) => headers.has(column.header.folded)));
  const columns = [main, ...related].flatMap((it) => it.columns);
  const fits = proposals(columns);
  const base = path.basename(file, path.extname(file));
  const names = [base, main.sheet.name, ...(found.tables[0]?.titles ?? [])];
  const decision = decide({ marks: found.marks, names, columns }, fits);
  if (decision.kind === 'found') {
    const chosen = fits.filter((it) => it.operation === decision.operation);
    return { fits: [...chosen, ...fits.filter((it) => !chosen.includes(it))], word: decision.word };
  }
  const { words } = decision;
  // Repeatable operations first, so that copying the first suggestion creates nothing.
  const repeatable = (name: OperationName): number => (operationNamed(name).repeatable ? 0 : 1);
  const candidates = decision.candidates.toSorted((a, b) => repeatable(a) - repeatable(b));
  const params = { file: path.basename(file), sheet: main.sheet.name };
  const [first] = candidates;
  if (first === undefined) {
    const shownHeaders = plainText(main.columns.slice(0, 12).map(shown).join(', '), 300);
    throw new ProductError('usage', message('guess.no_operation', { ...params, headers: shownHeaders }));
  }
  const fitting = { ...params, candidates: candidates.join(', '), first };
  const questions = candidates.includes('order.new_buy') ? suggestSteps(fits) : [];
  if (words.length === 0)
    throw new ProductError('usage', message('guess.which_operation', fitting), { others: questions });
  const quoted = plainText(words.map((it) => `"${it}"`).join(', '), 200);
  const open = message('guess.which_operation_said', { ...fitting, words: quoted });
  throw new ProductError('usage', open, { others: questions });
}
