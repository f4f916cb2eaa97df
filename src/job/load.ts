import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { ComparisonShape } from '../model/comparison.js';
import type { AnyJob, Job, ReconcileJob, SendingJob, StepsJob } from '../model/job.js';
import { batchProblems, type JobOperation, operationOf, readActions, type ScopeOf } from './actions.js';
import { assembleJob, assembleReconcile, assembleSteps, type JobContext } from './assemble.js';
import { checkNode, unknownValue } from './check.js';
import { readComparison } from './comparison.js';
import { cronProblems } from './cron.js';
import { driftScope, UNKNOWN_DRIFT } from './drift-scope.js';
import { readTextFile } from './file.js';
import { resultsFolder } from './find-config.js';
import { inputFileProblems } from './input-file.js';
import { kindOf, kindProblems, withoutKeysOf } from './kind.js';
import { readMap } from './map/read.js';
import { ROWS, readCondition, withLookups } from './map/scope.js';
import { notifyProblems, SHOWN } from './notify.js';
import { type CountedParts, effectiveJob } from './parts/effective.js';
import { MASKED_VARIABLES } from './parts/masked-variables.js';
import { fail, type Problem, throwProblems, withoutFollowingErrors } from './problem.js';
import { anyJobSchema, type JobKind, jobSchema, reconcileSchema, stepsSchema } from './schema/job.js';
import { readSteps } from './steps.js';
import { wrongArgument } from './wrong-argument.js';
import { type MappingNode, type Node, nodeAt, shown } from './yaml/node.js';
import { parseYaml } from './yaml/parse.js';
import type { SourceText } from './yaml/text.js';

export type { JobOperation } from './actions.js';

export interface LoadJobOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly operations: readonly JobOperation[];
  /** What a job can compare with; a job that names anything else is refused. */
  readonly comparisons?: readonly ComparisonShape[];
  /** `--set` arguments, `run.concurrency=4`. */
  readonly set?: readonly string[];
  /** Folder that a relative `file` is from; the process's when left out. */
  readonly cwd?: string;
}

/**
 * Reads and checks a job file of any kind (contract sections 3, 8 and 9): every default filled in, `${NAME}`
 * replaced, source and output made absolute (`{job}` and `{run}` stay in the output's path), maps checked against
 * the fields they fill, expressions compiled. Whether the columns exist is checked later, with the spreadsheet. All
 * problems come in one `ProblemsError` of kind usage; a file that can't be read is a ProductError.
 */
export async function loadJobFile(file: string, options: LoadJobOptions): Promise<AnyJob> {
  return load(await readJobFile(file, options), options);
}

/** `loadJobFile` for commands that send rows, in one step or in several: a job that compares is a ProductError of kind usage. */
export async function loadSendingJob(file: string, options: LoadJobOptions): Promise<SendingJob> {
  const read = await readJobFile(file, options);
  refuseKind(read, 'reconcile', 'job.is_reconcile');
  const job = load(read, options);
  return 'reconcile' in job ? wrongKind(read, 'job.is_reconcile') : job;
}

/** `loadSendingJob` for commands that know no steps: a job of several is a ProductError of kind usage. */
export async function loadJob(file: string, options: LoadJobOptions): Promise<Job> {
  const job = await loadSendingJob(file, options);
  if ('steps' in job) throw new ProductError('usage', message('job.is_steps', { file }));
  return job;
}

/** `loadJobFile` for commands that compare: a job that sends rows is a ProductError of kind usage. */
export async function loadReconcileJob(file: string, options: LoadJobOptions): Promise<ReconcileJob> {
  const read = await readJobFile(file, options);
  refuseKind(read, 'operation', 'job.is_operation');
  refuseKind(read, 'steps', 'job.is_operation');
  const job = load(read, options);
  return 'reconcile' in job ? job : wrongKind(read, 'job.is_operation');
}

/** A job with the tree that it was made of; variables stand in that by their names (`masked-variables.ts`). */
export async function loadEffective(
  file: string,
  options: LoadJobOptions,
): Promise<Omit<ReadFile, 'problems'> & { readonly job: Awaited<ReturnType<typeof loadJobFile>> }> {
  const job = await loadJobFile(file, options);
  return { ...(await readJobFile(file, { ...options, env: MASKED_VARIABLES })), job };
}

/** A file as a tree, with its problems so far. */
interface ReadFile {
  readonly name: string;
  readonly path: string;
  readonly sha256: string;
  /** As it counts. */
  readonly root: MappingNode;
  readonly parts?: CountedParts;
  /** The key of `license-sync.yaml`. */
  readonly defaultConnection?: Node;
  readonly problems: Problem[];
  /** Folder of the result, if the file doesn't name one. */
  readonly results: string;
}

async function readJobFile(file: string, options: LoadJobOptions): Promise<ReadFile> {
  const cwd = options.cwd ?? process.cwd();
  const wrong = wrongArgument(file, 'job', cwd);
  if (wrong) throw new ProductError('usage', wrong);
  const { name, path, sha256, text: whole } = await readTextFile(file, cwd);
  const text: SourceText = {
    name,
    text: whole,
    confidential: confidentialLines(whole, ['notify', 'password']),
  };
  const parsed = parseYaml(text, options.env);
  const problems: Problem[] = [...parsed.problems, ...parsed.missing.map((one) => one.problem)];
  const own = parsed.root ?? fail(problems);
  const found = await effectiveJob({ path, text, own }, options.set ?? [], { ...options, cwd }, problems);
  return { name, path, sha256, ...found, problems, results: await resultsFolder(path) };
}

/**
 * Which lines of a YAML text (1-based) belong to a key whose values may be secret, up to the next top-level key. Works on any text, as it may be
 * no valid YAML. It may report a line too many, but never one too few.
 */
function confidentialLines(text: string, keys: readonly string[]): (line: number) => boolean {
  const named = new RegExp(`(?:^|[\\s{,?"'])(?:${keys.join('|')})["']?\\s*(?::|$)`);
  const hidden = new Set<number>();
  let within = false;
  for (const [index, line] of text.split('\n').entries()) {
    const begins = /^[^\s#\-\]}]/.test(line);
    if (named.test(line)) within = true;
    else if (begins) within = false;
    if (within) hidden.add(index + 1);
  }
  return (line) => hidden.has(line);
}

/** Checked before all else: with the wrong command, correcting the file would be in vain. */
function refuseKind(read: ReadFile, kind: JobKind, code: 'job.is_reconcile' | 'job.is_operation'): void {
  if (kindOf(read.root) === kind) wrongKind(read, code);
}

function wrongKind({ name }: ReadFile, code: 'job.is_reconcile' | 'job.is_operation'): never {
  throw new ProductError('usage', message(code, { file: name }));
}

function load(read: ReadFile, options: LoadJobOptions): AnyJob {
  const { root, parts, problems, path, sha256, results } = read;
  const conditionOf = (key: 'where' | 'until') =>
    readCondition(nodeAt(root, ['source', key])?.node, key, ROWS, problems);
  const [where, until] = [conditionOf('where'), conditionOf('until')];
  problems.push(...inputFileProblems(root), ...cronProblems(root));
  problems.push(...notifyProblems(nodeAt(root, ['notify'])?.node));
  const output = nodeAt(root, ['output', 'file'])?.node;
  const outputGiven = output !== undefined && !(output.kind === 'scalar' && output.value === null);
  const context: JobContext = {
    path,
    sha256,
    parts,
    where,
    until,
    results: outputGiven ? undefined : results,
  };
  const kind = kindOf(root);
  if (kind === 'operation') return loadOperation(root, context, options, problems);
  if (kind === 'reconcile') return loadReconcile(root, context, options, problems);
  if (kind === 'steps') return loadSteps(root, context, options, problems);
  const checked = checkNode(anyJobSchema, root, HIDDEN);
  return fail(
    withoutFollowingErrors([...problems, ...checked.problems, ...kindProblems(root, checked.problems)]),
  );
}

const HIDDEN = { hide: ['notify', 'password'], show: SHOWN } as const;

function loadOperation(
  whole: MappingNode,
  context: JobContext,
  { operations }: LoadJobOptions,
  problems: Problem[],
): Job {
  const root = withoutKeysOf(whole, 'operation', problems);
  const checked = checkNode(jobSchema, root, HIDDEN);
  problems.push(...checked.problems);
  const operation = operationOf(root, operations);
  const entry = root.entries.get('map');
  const map =
    operation && entry ? readMap(entry, operation, problems, withLookups(ROWS, operations)) : undefined;
  if (operation) problems.push(...batchProblems(root, operation));
  throwProblems(withoutFollowingErrors(problems));
  return assembleJob(checked.value!, context, map);
}

function loadSteps(
  whole: MappingNode,
  context: JobContext,
  { operations }: LoadJobOptions,
  problems: Problem[],
): StepsJob {
  const root = withoutKeysOf(whole, 'steps', problems);
  const checked = checkNode(stepsSchema, root, HIDDEN);
  problems.push(...checked.problems);
  const steps = readSteps(nodeAt(root, ['steps'])?.node, operations, problems);
  throwProblems(withoutFollowingErrors(problems));
  return assembleSteps(checked.value!, context, steps);
}

function loadReconcile(
  whole: MappingNode,
  context: JobContext,
  { operations, comparisons = [] }: LoadJobOptions,
  problems: Problem[],
): ReconcileJob {
  const root = withoutKeysOf(whole, 'reconcile', problems);
  const checked = checkNode(reconcileSchema, root, HIDDEN);
  problems.push(...checked.problems);
  const named = root.entries.get('reconcile')?.value;
  const shape = comparisons.find(({ name }) => named?.kind === 'scalar' && named.value === name);
  if (!shape && checked.value && named) {
    const names = comparisons.map(({ name }) => name);
    problems.push(unknownValue(named.place, 'reconcile', shown(named), names));
  }
  const compared = shape && readComparison(root, shape, problems);
  const scopeOf: ScopeOf = (on) =>
    withLookups(compared ? driftScope(on, shape, compared) : UNKNOWN_DRIFT, operations);
  const actions = readActions(nodeAt(root, ['actions'])?.node, operations, scopeOf, problems);
  throwProblems(withoutFollowingErrors(problems));
  return assembleReconcile(checked.value!, context, {
    key: compared!.key!,
    expect: compared!.expect!,
    actions,
  });
}
