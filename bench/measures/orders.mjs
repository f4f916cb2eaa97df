// Runs of license-sync in a folder of their own, each with a fresh ledger.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CLI } from '../harness/places.mjs';
import { servePlatform } from '../harness/platform.mjs';
import { LONG_MAP } from '../make/long.mjs';
import { WIDE_MAP } from '../make/wide.mjs';
import { WIRE_MAP } from '../make/wire.mjs';

const MAPS = { wide: WIDE_MAP, long: LONG_MAP, wire: WIRE_MAP };
/** Beyond every measure, so that no run is held for its size. */
const MAX_ITEMS = 2_000_000;

/** @param job.numbered whether order numbers are mapped; else each request's is generated, and orders share requests */
async function writeJob(folder, { kind, file, output, batch, numbered, url }) {
  const map = numbered ? MAPS[kind] : MAPS[kind].replace(/^ {2}channelOrderId: .*\n/m, '');
  const job = `version: 1
name: bench
operation: order.new_buy
connection: bench
source: { file: ${JSON.stringify(file)} }
map:
${map}batch: { size: ${batch} }
safety: { maxItems: ${MAX_ITEMS} }
output: { file: result.${output} }
`;
  const connections = `version: 1
connections:
  bench: { baseUrl: ${JSON.stringify(url)}, appKey: bench, token: { env: BENCH_TOKEN } }
`;
  await writeFile(path.join(folder, 'license-sync.yaml'), connections);
  await writeFile(path.join(folder, 'job.yaml'), job);
}

/**
 * A trial of `run` or `validate`.
 * @param table the input, of `Inputs.table`
 * @param options.url of the platform; what only checks needs none that answers
 */
export async function runOurs(
  folder,
  kind,
  table,
  { command, argv = [], output = 'xlsx', batch = 1, numbered = true, url = 'http://127.0.0.1:9' },
) {
  await writeJob(folder, { kind, file: table.file, output, batch, numbered, url });
  const wanted = command === 'validate' ? 'valid' : 'succeeded';
  return {
    argv: [process.execPath, CLI, command, 'job.yaml', '--json', '--quiet', ...argv],
    env: { LICENSE_SYNC_LEDGER: undefined, BENCH_TOKEN: 'bench' },
    read: (out) => {
      const { counts, executeMs } = JSON.parse(out);
      if (counts[wanted] !== table.rows) throw new Error(`rows are ${JSON.stringify(counts)}`);
      return command === 'run' ? { execute: executeMs / 1000 } : {};
    },
  };
}

/** A trial against a fresh platform, which must have executed so many orders, each once. */
export async function withPlatform(latencyMs, orders, prepare) {
  const platform = await servePlatform(latencyMs);
  let trial;
  try {
    trial = await prepare(platform.url);
  } catch (error) {
    await platform.stop();
    throw error;
  }
  let stopped;
  const stop = () => {
    stopped ??= platform.stop();
    return stopped;
  };
  return {
    ...trial,
    read: async (out) => {
      const figures = (await trial.read?.(out)) ?? {};
      const stats = await stop();
      if (stats.orders !== orders || stats.duplicates > 0) {
        throw new Error(`the platform carried out ${stats.orders} orders, ${stats.duplicates} of them again`);
      }
      return figures;
    },
    release: stop,
  };
}
