import { dirname, resolve } from 'node:path';
import type { Job, JobSource } from '../model/job.js';
import { OPERATION_NAMES, type Operation } from '../model/operation.js';
import { compileCel } from '../util/cel.js';
import { checkNode } from './check.js';
import { readTextFile } from './file.js';
import { readMap } from './map/read.js';
import { applyOverrides } from './overrides.js';
import { fail, type Problem, problemAt, throwProblems, withoutEchoes } from './problem.js';
import { type JobFile, jobSchema } from './schema/job.js';
import { durationMs } from './schema/words.js';
import { type MappingNode, nodeAt, shown } from './yaml/node.js';
import { parseYaml } from './yaml/parse.js';
import { positionOf, type SourceText } from './yaml/text.js';

export type JobOperation = Pick<Operation, 'name' | 'shape' | 'place' | 'batch'>;

export interface LoadJobOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly operations: readonly JobOperation[];
  /** `--set` arguments, `run.concurrency=4`. */
  readonly set?: readonly string[];
  /** Folder that a relative `file` is from; the process's when left out. */
  readonly cwd?: string;
}

/**
 * Reads and checks a job file (contract section 3): every default filled in, `${NAME}` replaced, source and output
 * made absolute (`{job}` and `{run}` stay in the output's path), the map checked against the operation's fields and
 * its expressions compiled once. Whether the columns exist is seen only beside the spreadsheet.
 * All that is wrong comes in one `ProblemsError` of kind usage; a file that can't be read is a ProductError.
 */
export async function loadJob(file: string, options: LoadJobOptions): Promise<Job> {
  const source = await readTextFile(file, options.cwd ?? process.cwd());
  const text: SourceText = { name: source.name, text: source.text, confidential: false };
  const parsed = parseYaml(text, options.env);
  const problems: Problem[] = [...parsed.problems, ...parsed.missing.map((one) => one.problem)];
  const root = applyOverrides(parsed.root ?? fail(problems), options.set ?? [], problems);
  const checked = checkNode(jobSchema, root);
  problems.push(...checked.problems);

  const operation = operationOf(root, options.operations);
  const mapEntry = root.entries.get('map');
  const map = operation && mapEntry ? readMap(mapEntry, operation, problems) : undefined;
  if (operation) problems.push(...batchProblems(root, operation));
  const where = readWhere(root, problems);
  throwProblems(withoutEchoes(problems));
  return assemble(checked.value!, { path: source.path, sha256: source.sha256 }, where, map);
}

function operationOf(root: MappingNode, operations: readonly JobOperation[]): JobOperation | undefined {
  const node = root.entries.get('operation')?.value;
  if (node?.kind !== 'scalar' || !OPERATION_NAMES.some((name) => name === node.value)) return undefined;
  return operations.find((operation) => operation.name === node.value);
}

/** Some operations take one item a request, whatever the job would like. */
function batchProblems(root: MappingNode, operation: JobOperation): readonly Problem[] {
  const size = nodeAt(root, ['batch', 'size'])?.node;
  if (!operation.batch.fixed || size?.kind !== 'scalar' || typeof size.value !== 'number') return [];
  if (size.value === operation.batch.size || size.value < 1) return [];
  const params = { operation: operation.name, size: operation.batch.size, value: shown(size) };
  return [problemAt(size.place, 'job.batch_fixed', params)];
}

function readWhere(root: MappingNode, problems: Problem[]): JobSource['where'] {
  const node = nodeAt(root, ['source', 'where'])?.node;
  if (node?.kind !== 'scalar' || node.value === null || node.written.trim() === '') return undefined;
  const compiled = compileCel(node.written, { variables: { row: 'row' }, result: 'bool' });
  if (compiled.ok) return { source: node.written, at: positionOf(node.place) };
  const place = node.placeAt(compiled.offset);
  problems.push(problemAt(place, 'job.bad_expression', { key: 'where', detail: compiled.detail }));
  return undefined;
}

function assemble(
  it: JobFile,
  file: { readonly path: string; readonly sha256: string },
  where: JobSource['where'],
  map: Job['map'],
): Job {
  const folder = dirname(file.path);
  const { timeout, ...run } = it.run;
  const { file: input, sheet, delimiter, where: _, ...source } = it.source;
  return {
    file: file.path,
    sha256: file.sha256,
    name: it.name,
    ...given({ description: it.description, connection: it.connection }),
    operation: it.operation,
    source: {
      file: resolve(folder, input),
      ...source,
      ...given({ sheet, where }),
      delimiter: delimiter === 'tab' ? '\t' : delimiter,
    },
    ...given({ map }),
    batch: it.batch,
    run: { ...run, timeoutMs: durationMs(timeout) },
    safety: it.safety,
    output: { file: resolve(folder, it.output.file) },
    ...given({ schedule: it.schedule }),
  };
}

/** Leaves out what is undefined, so that a job is the same after a trip through JSON. */
function given<T extends object>(it: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(it).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
