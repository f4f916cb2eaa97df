import { resolve } from 'node:path';
import { ProductError } from '../errors/product-error.js';
import { isLedgerPath, ledgerPlace, type PasswordSource } from '../util/ledger-place.js';
import { isPostgresUrl, isSchemaName } from '../util/postgres-url.js';
import { checkNode } from './check.js';
import { type Problem, problemAt } from './problem.js';
import { ledgerSchema } from './schema/ledger.js';
import { type MapEntry, type Node, nodeAt } from './yaml/node.js';

interface ReadLedger {
  /** Its place; absent when there are problems. */
  readonly place?: string;
  readonly problems: readonly Problem[];
}

/**
 * The key `ledger` of `license-sync.yaml`, in `folder`: a path, a server's URL, or a mapping of the URL and what must not
 * stand in it. Problems never contain values, as these may be secrets.
 */
export function readLedger(entry: MapEntry, folder: string, env: NodeJS.ProcessEnv): ReadLedger {
  const { value } = entry;
  if (value.kind === 'mapping') return readServer(value, folder, env);
  const { key } = entry;
  if (value.kind !== 'scalar') {
    return { problems: [problemAt(value.place, 'job.expected_text', { key, value: '…' })] };
  }
  if (value.value === null) return { problems: [problemAt(entry.keyPlace, 'job.empty_value', { key })] };
  if (value.written === '') {
    return { problems: [problemAt(value.place, 'job.empty_text', { key })] };
  }
  return placeOf(value.written, value, folder, { env });
}

function readServer(node: Node, folder: string, env: NodeJS.ProcessEnv): ReadLedger {
  const checked = checkNode(ledgerSchema, node, { hide: ['url', 'password'] });
  const problems = [...checked.problems];
  const it = checked.value;
  if (!it) return { problems };
  const placeOfKey = (key: string) => nodeAt(node, [key])?.node.place ?? node.place;
  const ways = Object.values(it.password ?? {}).filter((one) => one !== undefined);
  if (it.password && ways.length !== 1) {
    problems.push(problemAt(placeOfKey('password'), 'job.password_ways', { count: ways.length }));
  }
  if (!isPostgresUrl(it.url)) problems.push(problemAt(placeOfKey('url'), 'job.ledger_url', {}));
  if (it.schema !== undefined && !isSchemaName(it.schema)) {
    problems.push(problemAt(placeOfKey('schema'), 'job.ledger_schema', {}));
  }
  if (problems.length > 0) return { problems };
  const password = passwordSource(it.password, folder);
  return placeOf(it.url, nodeAt(node, ['url'])?.node ?? node, folder, {
    env,
    ...(password ? { password } : {}),
    ...(it.schema === undefined ? {} : { schema: it.schema }),
  });
}

function placeOf(
  text: string,
  node: Node,
  folder: string,
  naming: Parameters<typeof ledgerPlace>[2],
): ReadLedger {
  if (!isLedgerPath(text) && !isPostgresUrl(text)) {
    return { problems: [problemAt(node.place, 'job.bad_ledger', {})] };
  }
  try {
    return { place: ledgerPlace(text, folder, naming), problems: [] };
  } catch (error) {
    if (!(error instanceof ProductError)) throw error;
    return { problems: [problemAt(node.place, 'job.bad_ledger_url', { reason: error.detail })] };
  }
}

function passwordSource(
  it: { env?: string | undefined; file?: string | undefined; command?: string[] | undefined } | undefined,
  folder: string,
): PasswordSource | undefined {
  if (it?.env !== undefined) return { kind: 'env', name: it.env };
  if (it?.file !== undefined) return { kind: 'file', path: resolve(folder, it.file) };
  return it?.command === undefined ? undefined : { kind: 'command', argv: it.command };
}
