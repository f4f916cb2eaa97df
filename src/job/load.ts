import { basename, dirname, join } from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { ComparisonShape } from '../model/comparison.js';
import type { AnyJob, Job, ReconcileJob, SendingJob, StepsJob } from '../model/job.js';
import { assembleJob, assembleReconcile, assembleSteps, type JobContext } from './assemble.js';
import { checkNode, unknownValue } from './check.js';
import { driftScope, readComparison, UNKNOWN_DRIFT } from './drift-scope.js';
import { readTextFile } from './file.js';
import { resultsFolder } from './find-config.js';
import { cronProblems, inputFileProblems, kindOf, kindProblems, withoutKeysOf } from './job-checks.js';
import { readMap } from './map/read.js';
import { ROWS, readCondition, withLookups } from './map/scope.js';
import { notifyProblems, SHOWN } from './notify.js';
import { effectiveJob, type SharedParts } from './parts/effective.js';
import { MASKED_VARIABLES } from './parts/parameters.js';
import { fail, type Problem, throwProblems, withoutFollowingErrors } from './problem.js';
import { anyJobSchema, jobSchema, reconcileSchema, stepsSchema } from './schema/job.js';
import {
  batchProblems,
  type JobOperation,
  operationOf,
  readActions,
  readSteps,
  type ScopeOf,
} from './steps.js';
import { wrongArgument } from './wrong-argument.js';
import { type MappingNode, type Node, nodeAt, type SourceText, shown } from './yaml/node.js';
import { parseYaml } from './yaml/parse.js';

export type { JobOperation } from './steps.js';

export interface LoadJobOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly operations: readonly JobOperation[];
  /** The available comparisons; a job with any other is rejected. */
  readonly comparisons?: readonly ComparisonShape[];
  /** `--set` arguments, such as `run.concurrency=4`. */
  readonly set?: readonly string[];
  /** Base of a relative `file`; default the current folder of the process. */
  readonly cwd?: string;
  /** The text of the job, if it is not, or not yet, that of the file. */
  readonly content?: string;
  /** The folder that the job's paths are relative to; default that of the file. */
  readonly folder?: string;
}

/**
 * Reads and checks a job file of any kind (contract sections 3, 8 and 9). Defaults are filled in, `${NAME}` is replaced, the
 * paths of source and output are made absolute (`{job}` and `{run}` stay), maps are checked against the fields that they fill,
 * and expressions are compiled. The columns are checked later, with the spreadsheet.
 * @throws ProblemsError usage with all problems; ProductError if the file can't be read
 */
export async function loadJobFile(file: string, options: LoadJobOptions): Promise<AnyJob> {
  return load(await readJobFile(file, options), options);
}

/** `loadJobFile` for commands that send rows, in one step or in several. @throws ProductError usage for a job that compares */
export async function loadSendingJob(file: string, options: LoadJobOptions): Promise<SendingJob> {
  const read = await readJobFile(file, options);
  if (kindOf(read.root) === 'reconcile') throw wrongKind(read, 'job.is_reconcile');
  return load(read, options) as SendingJob;
}

/** `loadSendingJob` for commands that do not support steps. @throws ProductError usage for a job of several steps */
export async function loadJob(file: string, options: LoadJobOptions): Promise<Job> {
  const job = await loadSendingJob(file, options);
  if ('steps' in job) throw new ProductError('usage', message('job.is_steps', { file }));
  return job;
}

/** `loadJobFile` for commands that compare. @throws ProductError usage for a job that sends rows */
export async function loadReconcileJob(file: string, options: LoadJobOptions): Promise<ReconcileJob> {
  const read = await readJobFile(file, options);
  const kind = kindOf(read.root);
  // Checked first: for the wrong command there is no use in correcting the file.
  if (kind === 'operation' || kind === 'steps') throw wrongKind(read, 'job.is_operation');
  return load(read, options) as ReconcileJob;
}

/** A job with its source tree, in which variables are replaced by their masked names. */
export async function loadEffective(
  file: string,
  options: LoadJobOptions,
): Promise<Omit<ReadFile, 'problems'> & { readonly job: Awaited<ReturnType<typeof loadJobFile>> }> {
  const job = await loadJobFile(file, options);
  return { ...(await readJobFile(file, { ...options, env: MASKED_VARIABLES })), job };
}

/** A file as a tree, with the problems found so far. */
interface ReadFile {
  readonly name: string;
  readonly path: string;
  readonly sha256: string;
  /** With `--set`, fragments and defaults applied. */
  readonly root: MappingNode;
  readonly parts?: SharedParts;
  /** The value of this key in `license-sync.yaml`. */
  readonly defaultConnection?: Node;
  readonly problems: Problem[];
  /** Folder of the result, if the file doesn't name one. */
  readonly results: string;
}

async function readJobFile(file: string, options: LoadJobOptions): Promise<ReadFile> {
  const cwd = options.cwd ?? process.cwd();
  const problem = options.content === undefined ? wrongArgument(file, 'job', cwd) : undefined;
  if (problem) throw new ProductError('usage', problem);
  const { name, path, sha256, text: content } = await readTextFile(file, cwd, options.content);
  const text: SourceText = {
    name,
    text: content,
    confidential: confidentialLines(content, ['notify', 'password']),
  };
  const parsed = parseYaml(text, options.env);
  const problems: Problem[] = [...parsed.problems, ...parsed.missing.map(({ problem }) => problem)];
  const jobRoot = parsed.root ?? fail(problems);
  const effective = await effectiveJob(
    { path, text, jobRoot },
    options.set ?? [],
    { ...options, cwd },
    problems,
  );
  const results = await resultsFolder(join(options.folder ?? dirname(path), basename(path)));
  return { name, path, sha256, ...effective, problems, results };
}

/**
 * True for a line (1-based) from a key whose values may be secret up to the next top-level key. The text may be invalid YAML.
 * Too many lines may be confidential, but never too few.
 */
function confidentialLines(text: string, keys: readonly string[]): (line: number) => boolean {
  const named = new RegExp(`(?:^|[\\s{,?"'])(?:${keys.join('|')})["']?\\s*(?::|$)`);
  const hidden = new Set<number>();
  let inSecret = false;
  for (const [index, line] of text.split('\n').entries()) {
    const begins = /^[^\s#\-\]}]/.test(line);
    if (named.test(line)) inSecret = true;
    else if (begins) inSecret = false;
    if (inSecret) hidden.add(index + 1);
  }
  return (line) => hidden.has(line);
}

function wrongKind({ name }: ReadFile, code: 'job.is_reconcile' | 'job.is_operation'): ProductError {
  return new ProductError('usage', message(code, { file: name }));
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
    folder: options.folder ?? dirname(path),
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
