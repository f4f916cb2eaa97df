import { dirname } from 'node:path';
import type { Connection } from '../model/connection.js';
import type { ConsoleSettings } from '../model/console.js';
import { rememberLedgerPatience } from '../util/ledger-address.js';
import { nearestName } from '../util/name-match.js';
import { DEFAULT_CONSOLE, WORKER_LEASE_MS } from './built-in-connections.js';
import { checkNode } from './check.js';
import { readConnection, readConsole, readLedger } from './config-sections.js';
import { readTextFile } from './file.js';
import { type Problem, problemAt, throwProblems, withoutFollowingErrors } from './problem.js';
import { configSchema } from './schema/connection.js';
import { durationMs } from './schema/sections.js';
import { type MapEntry, type MappingNode, shown } from './yaml/node.js';
import { parseYaml } from './yaml/parse.js';

export interface Config {
  readonly defaultConnection?: string;
  /** The ledger that the file names: absolute path of the SQLite file, or a server's URL without password. */
  readonly namedLedger?: string;
  /** Milliseconds that a worker without a heartbeat keeps its leases. */
  readonly workerLeaseMs: number;
  readonly console: ConsoleSettings;
  readonly connections: ReadonlyMap<string, Connection>;
  /**
   * Connections with an unset variable, such as the production token on a machine that only uses the sandbox. Their problems
   * are reported only if such a connection is requested.
   */
  readonly withheld: ReadonlyMap<string, readonly Problem[]>;
}

/**
 * Reads a `license-sync.yaml`.
 * @param file absolute
 * @param builtIn connections that exist without the file; connections of the file with the same names replace them
 * @throws ProblemsError usage with all problems of the file
 */
export async function readConfig(
  file: string,
  builtIn: Pick<Config, 'connections' | 'withheld'>,
  { env, cwd }: { readonly env: NodeJS.ProcessEnv; readonly cwd: string },
): Promise<Config> {
  const connections = new Map(builtIn.connections);
  const withheld = new Map(builtIn.withheld);
  const source = await readTextFile(file, cwd);
  const parsed = parseYaml({ name: source.name, text: source.text, confidential: true }, env);
  const problems: Problem[] = [...parsed.problems];
  const folder = dirname(file);
  const { root } = parsed;
  const checked = root && checkNode(configSchema, root, { hide: ['ledger', 'clientSecret'] });
  problems.push(...(checked?.problems ?? []));

  const declared = new Set([...connections.keys(), ...withheld.keys()]);
  let missing = parsed.missing;
  for (const entry of entriesOf(root?.entries.get('connections'), problems)) {
    const [from, until] = extentOf(entry, source.text.length, root!);
    const missingHere = missing.filter(({ place }) => place.offset >= from && place.offset < until);
    missing = missing.filter((variable) => !missingHere.includes(variable));
    const unset = missingHere.map(({ problem }) => problem);
    const read = readConnection(entry, folder);
    problems.push(
      ...withoutFollowingErrors([...unset, ...read.problems]).filter((problem) => !unset.includes(problem)),
    );
    declared.add(entry.key);
    connections.delete(entry.key);
    withheld.delete(entry.key);
    if (unset.length > 0) withheld.set(entry.key, unset);
    else if (read.connection) connections.set(entry.key, read.connection);
  }
  // Parts of jobs are read with the jobs that use them.
  for (const key of ['maps', 'defaults']) {
    const entry = root?.entries.get(key);
    if (!entry) continue;
    const [from, until] = extentOf(entry, source.text.length, root!);
    missing = missing.filter(({ place }) => place.offset < from || place.offset >= until);
  }
  problems.push(...missing.map(({ problem }) => problem));

  const byDefault = root?.entries.get('defaultConnection');
  const name = byDefault?.value.kind === 'scalar' ? byDefault.value.written : '';
  if (byDefault && name !== '' && !declared.has(name))
    problems.push(unknownDefault(byDefault, [...declared]));
  const defaultConnection = checked?.value?.defaultConnection;
  const ledgerEntry = root?.entries.get('ledger');
  const ledger = ledgerEntry && readLedger(ledgerEntry, folder, env);
  problems.push(...(ledger?.problems ?? []));
  const consoleSection =
    checked?.value && readConsole(checked.value.console, root?.entries.get('console')?.value, folder);
  problems.push(...(consoleSection?.problems ?? []));
  throwProblems(withoutFollowingErrors(problems));
  const patience = checked?.value?.ledgerPatience;
  rememberLedgerPatience(patience === undefined ? undefined : durationMs(patience));
  const lease = checked?.value?.workers.lease;
  return {
    defaultConnection,
    namedLedger: ledger?.location,
    workerLeaseMs: lease === undefined ? WORKER_LEASE_MS : durationMs(lease),
    console: consoleSection?.settings ?? DEFAULT_CONSOLE,
    connections,
    withheld,
  };
}

function entriesOf(entry: MapEntry | undefined, problems: Problem[]): readonly MapEntry[] {
  if (!entry) return [];
  const { value } = entry;
  if (value.kind === 'mapping') return [...value.entries.values()];
  if (value.kind === 'scalar' && value.value === null) return [];
  problems.push(problemAt(value.place, 'job.expected_mapping', { key: entry.key, value: '…' }));
  return [];
}

/** Start and end offset of an entry's text, to find the missing variables that belong to it. */
function extentOf(entry: MapEntry, end: number, root: MappingNode): readonly [number, number] {
  const all = root.entries.get('connections')?.value;
  const siblings = all?.kind === 'mapping' ? [...all.entries.values()] : [];
  const starts = [...siblings, ...root.entries.values()].map(({ keyPlace }) => keyPlace.offset);
  const from = entry.keyPlace.offset;
  return [from, Math.min(end + 1, ...starts.filter((start) => start > from))];
}

function unknownDefault(entry: MapEntry, known: readonly string[]): Problem {
  const name = shown(entry.value);
  const near = nearestName(name, known);
  const { place } = entry.value;
  const list = known.join(', ');
  return near === undefined
    ? problemAt(place, 'job.unknown_default_far', { name, known: list })
    : problemAt(place, 'job.unknown_default', { name, near, known: list });
}
