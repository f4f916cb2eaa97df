import { access } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Connection } from '../model/connection.js';
import { checkNode, nearestName } from './check.js';
import { environmentConnection, readConnection, SANDBOX } from './connection.js';
import { readTextFile } from './file.js';
import { type Problem, problemAt, throwProblems, withoutEchoes } from './problem.js';
import { configSchema } from './schema/connection.js';
import { type Entry, type MappingNode, shown } from './yaml/node.js';
import { parseYaml } from './yaml/parse.js';

export const CONFIG_FILE = 'license-sync.yaml';

export interface Connections {
  /** Absolute; absent when there is none. */
  readonly configFile?: string;
  readonly defaultConnection?: string;
  /** Absolute path of the SQLite file, or a postgres:// URL (which may hold a password). */
  readonly ledger: string;
  readonly connections: ReadonlyMap<string, Connection>;
  /**
   * Connections that lack something only their users need, such as a variable for production on a machine that has
   * just the sandbox: told when one of them is asked for.
   */
  readonly withheld: ReadonlyMap<string, readonly Problem[]>;
}

export interface ConnectionOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/**
 * Finds `license-sync.yaml` upwards from the job file's folder (from `cwd` when there is no job) and reads it, with
 * the built-in connection `sandbox` and the connection `env` where LICENSE_SYNC_BASE_URL is set (contract section 3).
 * Throws a `ProblemsError` of kind usage with everything wrong in the file.
 */
export async function loadConnections(
  jobFile: string | undefined,
  options: ConnectionOptions,
): Promise<Connections> {
  const { env, cwd } = options;
  const connections = new Map<string, Connection>([['sandbox', SANDBOX]]);
  const withheld = new Map<string, readonly Problem[]>();
  const fromEnvironment = environmentConnection(env);
  if (fromEnvironment?.connection) connections.set('env', fromEnvironment.connection);
  else if (fromEnvironment) withheld.set('env', fromEnvironment.problems);

  const configFile = await findUpwards(jobFile ? dirname(resolve(cwd, jobFile)) : cwd);
  if (!configFile) {
    return { ledger: ledgerPath(env, cwd) ?? join(cwd, '.license-sync', 'ledger.db'), connections, withheld };
  }
  const source = await readTextFile(configFile, cwd);
  const parsed = parseYaml({ name: source.name, text: source.text, confidential: true }, env);
  const problems: Problem[] = [...parsed.problems];
  const folder = dirname(configFile);
  const { root } = parsed;
  const checked = root && checkNode(configSchema, root, { hide: ['ledger'] });
  problems.push(...(checked?.problems ?? []));

  const declared = new Set([...connections.keys(), ...withheld.keys()]);
  let missing = parsed.missing;
  for (const entry of entriesOf(root?.entries.get('connections'), problems)) {
    const [from, until] = extentOf(entry, source.text.length, root!);
    const lacking = missing.filter(({ place }) => place.offset >= from && place.offset < until);
    missing = missing.filter((one) => !lacking.includes(one));
    const holes = lacking.map((one) => one.problem);
    const read = readConnection(entry, folder);
    problems.push(...withoutEchoes([...holes, ...read.problems]).filter((one) => !holes.includes(one)));
    declared.add(entry.key);
    connections.delete(entry.key);
    withheld.delete(entry.key);
    if (holes.length > 0) withheld.set(entry.key, holes);
    else if (read.connection) connections.set(entry.key, read.connection);
  }
  problems.push(...missing.map((one) => one.problem));

  const byDefault = root?.entries.get('defaultConnection');
  const name = byDefault?.value.kind === 'scalar' ? byDefault.value.written : '';
  if (byDefault && name !== '' && !declared.has(name))
    problems.push(unknownDefault(byDefault, [...declared]));
  const defaultConnection = checked?.value?.defaultConnection;
  const ledgerEntry = root?.entries.get('ledger');
  const inFile = checked?.value?.ledger;
  if (ledgerEntry && inFile !== undefined && !isLedger(inFile))
    problems.push(problemAt(ledgerEntry.value.place, 'job.bad_ledger', {}));
  throwProblems(withoutEchoes(problems));
  return {
    configFile,
    ...(defaultConnection === undefined ? {} : { defaultConnection }),
    ledger: ledgerPath(env, cwd) ?? absoluteLedger(inFile ?? '.license-sync/ledger.db', folder),
    connections,
    withheld,
  };
}

/** The connection that a job runs on, by the first of: `--connection`, the job, `defaultConnection`, the environment. */
export function resolveConnection(
  from: Connections,
  wanted: { readonly flag?: string | undefined; readonly job?: string | undefined },
): Connection {
  const hasEnv = from.connections.has('env') || from.withheld.has('env');
  const name = wanted.flag ?? wanted.job ?? from.defaultConnection ?? (hasEnv ? 'env' : undefined);
  const names = [...new Set([...from.connections.keys(), ...from.withheld.keys()])];
  const known = names.join(', ');
  if (name === undefined) throw new ProductError('usage', message('job.no_connection', { known }));
  const found = from.connections.get(name);
  if (found) return found;
  throwProblems(from.withheld.get(name) ?? []);
  const near = nearestName(name, names);
  throw new ProductError(
    'usage',
    near === undefined
      ? message('job.unknown_connection_far', { name, known })
      : message('job.unknown_connection', { name, near, known }),
  );
}

async function findUpwards(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, CONFIG_FILE);
    const exists = await access(file).then(
      () => true,
      () => false,
    );
    if (exists) return file;
    if (dirname(at) === at) return undefined;
  }
}

function ledgerPath(env: NodeJS.ProcessEnv, cwd: string): string | undefined {
  const moved = env.LICENSE_SYNC_LEDGER;
  if (!moved) return undefined;
  if (!isLedger(moved)) throw new ProductError('usage', message('job.bad_ledger_variable'));
  return absoluteLedger(moved, cwd);
}

const POSTGRES = /^postgres(?:ql)?:\/\//;

function isLedger(it: string): boolean {
  return POSTGRES.test(it) || !/^[a-z][a-z0-9+.-]*:\/\//i.test(it);
}

function absoluteLedger(it: string, folder: string): string {
  return POSTGRES.test(it) ? it : resolve(folder, it);
}

function entriesOf(entry: Entry | undefined, problems: Problem[]): readonly Entry[] {
  if (!entry) return [];
  const { value } = entry;
  if (value.kind === 'mapping') return [...value.entries.values()];
  if (value.kind === 'scalar' && value.value === null) return [];
  problems.push(problemAt(value.place, 'job.expected_mapping', { key: entry.key, value: '…' }));
  return [];
}

/** Where a connection's text begins and ends, so that a missing variable is known to be its own. */
function extentOf(entry: Entry, end: number, root: MappingNode): readonly [number, number] {
  const all = root.entries.get('connections')?.value;
  const siblings = all?.kind === 'mapping' ? [...all.entries.values()] : [];
  const starts = [...siblings, ...root.entries.values()].map((one) => one.keyPlace.offset);
  const from = entry.keyPlace.offset;
  return [from, Math.min(end + 1, ...starts.filter((start) => start > from))];
}

function unknownDefault(entry: Entry, known: readonly string[]): Problem {
  const name = shown(entry.value);
  const near = nearestName(name, known);
  const { place } = entry.value;
  const list = known.join(', ');
  return near === undefined
    ? problemAt(place, 'job.unknown_default_far', { name, known: list })
    : problemAt(place, 'job.unknown_default', { name, near, known: list });
}
