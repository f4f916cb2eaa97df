// Processes one queued run by so many workers, and reports how long it took from the first intent to the last outcome:
// `node workers.mjs CLI WORKERS SLOTS`, in a folder with job.yaml, its ledger named by LICENSE_SYNC_LEDGER.
import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import pg from 'pg';

const [cli, workers, slots] = process.argv.slice(2);
const call = promisify(execFile);

function startWorker() {
  const argv = [cli, 'worker', '--slots', slots];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  const ready = new Promise((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text) => {
      told = (told + text).slice(-4000);
      if (told.includes('taking runs from')) resolve();
    });
    child.once('exit', () => reject(new Error(`a worker ended: ${told}`)));
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  return { child, ready, ended };
}

async function ask(url, sql) {
  const address = new URL(url);
  const schema = address.searchParams.get('schema');
  address.search = '';
  const client = new pg.Client({ connectionString: address.href });
  await client.connect();
  try {
    await client.query(`SET search_path = ${pg.escapeIdentifier(schema)}`);
    return (await client.query(sql)).rows[0];
  } finally {
    await client.end();
  }
}

// The first one makes the tables.
const carriers = [startWorker()];
await carriers[0].ready;
while (carriers.length < Number(workers)) carriers.push(startWorker());
await Promise.all(carriers.map((it) => it.ready));

const submitted = await call(process.execPath, [cli, 'submit', 'job.yaml', '--json', '--quiet', '--yes']);
const { run } = JSON.parse(submitted.stdout);
const waited = await call(process.execPath, [
  cli,
  'wait',
  run,
  '--json',
  '--quiet',
  '--output',
  'result.csv',
]);
const { counts } = JSON.parse(waited.stdout);
const { ms } = await ask(
  process.env.LICENSE_SYNC_LEDGER,
  'SELECT max(ended_at) - min(started_at) AS ms FROM attempts',
);

/** The most memory that a process had resident so far, MiB; undefined where the system doesn't report. */
function peakOf(pid) {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
  } catch {
    return undefined;
  }
}
const peaks = carriers.map(({ child }) => peakOf(child.pid));
for (const { child } of carriers) child.kill('SIGTERM');
await Promise.all(carriers.map((it) => it.ended));
const workerPeak = peaks.includes(undefined) ? undefined : Math.max(...peaks);
process.stdout.write(JSON.stringify({ counts, executeMs: Number(ms), workerPeak }));
