// Shows the order that everything rests on: the intent of a request is written, the fsync after that has returned, and
// only then does the first byte of the request leave. Runs a small job under strace and reads its system calls.
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { INPUTS, SCRATCH } from './harness/places.mjs';
import { runTrial } from './harness/trial.mjs';
import { Inputs } from './make/inputs.mjs';
import { runOurs, withPlatform } from './measures/orders.mjs';

const ORDERS = 300;
/** Long enough for a page of the ledger, and for a request. */
const TEXT_BYTES = 4200;

if (spawnSync('strace', ['-V']).status !== 0) {
  process.stdout.write('SKIPPED: strace is not there (Debian: apt-get install strace)\n');
} else process.exitCode = await main();

async function main() {
  await mkdir(SCRATCH, { recursive: true });
  const folder = await mkdtemp(path.join(SCRATCH, 'strace-'));
  try {
    const table = await new Inputs(INPUTS, () => {}).table('wire', ORDERS, 'csv');
    const calls = path.join(folder, 'calls');
    const trial = await withPlatform(5, ORDERS, async (url) => {
      const argv = ['--concurrency', '16', '--yes'];
      const ours = await runOurs(folder, 'wire', table, { command: 'run', argv, url, output: 'csv' });
      const watched = 'trace=pwrite64,fsync,fdatasync,write,writev,sendto,sendmsg';
      const strace = ['strace', '-f', '-o', calls, '-s', String(TEXT_BYTES), '-e', watched];
      return { ...ours, argv: [...strace, ...ours.argv] };
    });
    try {
      const { out } = await runTrial({ cwd: folder, limitMs: 120_000, ...trial }, folder);
      await trial.read(out);
    } finally {
      await trial.release();
    }
    return judge(await ordersIn(calls));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** By nonce: the line of its first write to the ledger, of the return of a flush begun after that, of its first byte. */
async function ordersIn(file) {
  const lines = (await readFile(file, 'latin1')).split('\n');
  const found = new Map();
  lines.forEach((text, line) => {
    const nonce = /g_nonce=([0-9a-f]{32})/.exec(text)?.[1];
    if (nonce !== undefined && !found.has(nonce)) found.set(nonce, { left: line });
  });
  const unwritten = new Set(found.keys());
  let unsynced = [];
  /** By thread: what the flush that it waits for is to bring to the disk. */
  const flushing = new Map();
  lines.forEach((text, line) => {
    const thread = /^\d+/.exec(text)?.[0];
    if (/\b(?:fsync|fdatasync)\(/.test(text)) {
      flushing.set(thread, unsynced);
      unsynced = [];
    }
    if (/\b(?:fsync|fdatasync)\b.*= 0$/.test(text)) {
      for (const it of flushing.get(thread) ?? []) it.synced = line;
      flushing.delete(thread);
    } else if (/\bpwrite64\(/.test(text)) {
      // What lies next to it in its page may look like a part of it.
      for (const nonce of unwritten) {
        if (!text.includes(nonce)) continue;
        unwritten.delete(nonce);
        found.get(nonce).written = line;
        unsynced.push(found.get(nonce));
      }
    }
  });
  return found;
}

function judge(found) {
  const left = [...found];
  const wrong = left.filter(([, it]) => !(it.written < it.synced && it.synced < it.left));
  for (const [nonce, it] of left.slice(0, 3)) {
    process.stdout.write(`${nonce}: written ${it.written}, fsync ${it.synced}, first byte ${it.left}\n`);
  }
  for (const [nonce, it] of wrong.slice(0, 10))
    process.stdout.write(
      `WRONG ORDER ${nonce}: written ${it.written}, fsync ${it.synced}, first byte ${it.left}\n`,
    );
  process.stdout.write(
    `${left.length} requests, ${wrong.length} in the wrong order (lines of strace's output)\n`,
  );
  return left.length === ORDERS && wrong.length === 0 ? 0 : 1;
}
