import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BENCH, CLI, program } from '../harness/places.mjs';
import { freshLedger } from '../harness/server.mjs';
import { wireTemplate } from '../make/wire.mjs';
import { runOurs, withPlatform } from './orders.mjs';
import { shown } from './sizes.mjs';

const ours = 'license-sync';
const bare = 'undici Pool';
const LANES = 64;
const ENDPOINT = '/order/api/order/v1/licenseOrder/batchOrder?appKey=bench&g_nonce=';

/** The whole command, platform in another process. */
function run(sizeOf, latencyMs, concurrency, options = {}) {
  const prepare = async ({ inputs, sizes }, folder) => {
    const { kind = 'wire', format = 'csv', ...others } = options;
    const table = await inputs.table(kind, sizeOf(sizes), format);
    const argv = ['--concurrency', String(concurrency), '--yes'];
    return withPlatform(latencyMs, table.rows, (url) =>
      runOurs(folder, kind, table, { command: 'run', argv, url, ...others }),
    );
  };
  return { name: ours, prepare };
}

/** The same requests in a loop that does nothing else. */
function loop(sizeOf, latencyMs, lanes) {
  const prepare = async ({ inputs, sizes }) => {
    const file = await inputs.bodies(sizeOf(sizes));
    return withPlatform(latencyMs, sizeOf(sizes), (url) => ({
      argv: [process.execPath, program('send-undici.mjs'), url, file, String(lanes)],
      read: (out) => JSON.parse(out),
    }));
  };
  return { name: bare, peer: 'undici', prepare };
}

const COLLECTION = {
  info: {
    name: 'orders',
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  item: [
    {
      name: 'order',
      request: {
        method: 'POST',
        header: [
          { key: 'Authorization', value: 'Bearer bench' },
          { key: 'Content-Type', value: 'application/json' },
        ],
        body: { mode: 'raw', raw: wireTemplate() },
        url: `{{url}}${ENDPOINT}{{$guid}}`,
      },
    },
  ],
};

/** A collection with the .csv as its data, no scripts, no report: the least that newman does. */
const newman = {
  name: 'newman',
  peer: 'newman',
  prepare: async ({ inputs, sizes }, folder) => {
    const table = await inputs.table('wire', sizes.whole, 'csv');
    await writeFile(path.join(folder, 'orders.json'), JSON.stringify(COLLECTION));
    const cli = path.join(BENCH, 'node_modules/newman/bin/newman.js');
    return withPlatform(20, table.rows, (url) => ({
      argv: [
        process.execPath,
        cli,
        'run',
        'orders.json',
        '-d',
        table.file,
        '--env-var',
        `url=${url}`,
        '--silent',
      ],
    }));
  },
};

/** One curl a row, 64 at a time; the requests lie ready in files, the replies go to files. */
const curl = {
  name: 'xargs -P 64 curl',
  peer: 'curl',
  prepare: async ({ inputs, sizes }, folder) => {
    const bodies = await inputs.bodyFolder(sizes.whole);
    const names = Array.from({ length: sizes.whole }, (_, index) => `${index + 1}\n`);
    await writeFile(path.join(folder, 'names'), names.join(''));
    return withPlatform(20, sizes.whole, (url) => {
      const headers = ['-H', 'Authorization: Bearer bench', '-H', 'Content-Type: application/json'];
      const files = ['-o', 'reply-{}', '--data-binary', `@${bodies}/{}`];
      const request = ['curl', '-sS', ...headers, ...files, `${url}${ENDPOINT}{}`];
      return { argv: ['xargs', '-a', 'names', '-P', String(LANES), '-I', '{}', ...request] };
    });
  },
};

const ofTheLoop = (limit) => ({
  text: 'rate of executing, of the bare loop',
  sense: 'least',
  limit,
  value: (of) => of[bare].loop / of[ours].execute,
});

function executing(latencyMs, concurrency) {
  const sent = (sizes) => sizes.sent;
  return {
    name: `execute-${latencyMs}ms`,
    title: ({ sizes }) =>
      `Send ${shown(sizes.sent)} orders at ${latencyMs} ms latency, concurrency ${concurrency}`,
    contenders: [run(sent, latencyMs, concurrency), loop(sent, latencyMs, concurrency)],
    goals: [ofTheLoop(0.95)],
  };
}

/** The same with a disk whose fsync takes longer, which a preloaded library makes of any. */
function onSlowDisk(fsyncMs) {
  const sent = (sizes) => sizes.sent;
  const { prepare, ...sending } = run(sent, 20, LANES);
  const slow = {
    ...sending,
    peer: 'gcc',
    prepare: async (setting, folder) => {
      const library = path.join(folder, 'slow-fsync.so');
      const argv = ['-shared', '-fPIC', '-O2', '-o', library, program('slow-fsync.c'), '-ldl'];
      const { status, stderr } = spawnSync('gcc', argv, { encoding: 'utf8' });
      if (status !== 0) throw new Error(`gcc: ${stderr}`);
      const trial = await prepare(setting, folder);
      return { ...trial, env: { ...trial.env, LD_PRELOAD: library, SLOW_FSYNC_MS: String(fsyncMs) } };
    },
  };
  return {
    name: 'execute-slow-disk',
    title: ({ sizes }) =>
      `Send ${shown(sizes.sent)} orders at 20 ms latency, concurrency ${LANES}, fsync ${fsyncMs} ms longer`,
    contenders: [slow, loop(sent, 20, LANES)],
    goals: [ofTheLoop(0.6)],
  };
}

const onServer = 'license-sync, ledger on PostgreSQL';

/** The same run with its ledger on a server of the same machine. */
function sharedLedger() {
  const sent = (sizes) => sizes.sent;
  const here = run(sent, 20, LANES);
  const there = {
    name: onServer,
    prepare: async (setting, folder) => {
      const trial = await here.prepare(setting, folder);
      return { ...trial, env: { ...trial.env, LICENSE_SYNC_LEDGER: await freshLedger() } };
    },
  };
  return {
    name: 'execute-postgres',
    title: ({ sizes }) =>
      `Send ${shown(sizes.sent)} orders at 20 ms latency, concurrency ${LANES}, ledger in a file and on a server`,
    contenders: [here, there],
    goals: [
      {
        text: 'rate of executing with the ledger on a server, of that with a file',
        sense: 'least',
        limit: 0.8,
        value: (of) => of[ours].execute / of[onServer].execute,
      },
    ],
  };
}

const SLOTS = 8;
const workersOf = (count) => (count === 1 ? '1 worker' : `${count} workers`);

/** A queued run, processed by so many workers of 8 slots each: some twenty seconds of it, however many they are. */
function carried(latencyMs, workers) {
  const rowsOf = ({ worked }) => Math.round((worked * workers * 100) / latencyMs);
  return {
    name: workersOf(workers),
    prepare: async ({ inputs, sizes }, folder) => {
      const table = await inputs.table('wire', rowsOf(sizes), 'csv');
      return withPlatform(latencyMs, table.rows, async (url) => {
        const { env } = await runOurs(folder, 'wire', table, { command: 'run', url });
        return {
          argv: [process.execPath, program('workers.mjs'), CLI, String(workers), String(SLOTS)],
          env: { ...env, LICENSE_SYNC_LEDGER: await freshLedger() },
          read: (out) => {
            const { counts, executeMs, workerPeak } = JSON.parse(out);
            if (counts.succeeded !== table.rows) throw new Error(`rows are ${JSON.stringify(counts)}`);
            return { execute: executeMs / 1000, rate: (table.rows * 1000) / executeMs, worker: workerPeak };
          },
        };
      });
    },
  };
}

function workers(latencyMs, limit) {
  const [one, many] = [1, 8];
  return {
    name: `workers-${latencyMs}ms`,
    title: () => `Workers of ${SLOTS} slots each carry a queued run at ${latencyMs} ms latency`,
    rounds: 3,
    contenders: [one, 2, 4, many].map((it) => carried(latencyMs, it)),
    goals: [
      {
        text: `rate of ${workersOf(many)}, of that of ${workersOf(one)}`,
        sense: 'least',
        limit,
        value: (of) => of[workersOf(many)].rate / of[workersOf(one)].rate,
      },
      { text: "a worker's peak, MiB", sense: 'most', limit: 200, value: (of) => of[workersOf(many)].worker },
    ],
  };
}

const validated = {
  name: 'license-sync validate',
  prepare: async ({ inputs, sizes }, folder) =>
    runOurs(folder, 'wire', await inputs.table('wire', sizes.sent, 'csv'), {
      command: 'validate',
      output: 'csv',
    }),
};

const rate = (peer, limit) => ({
  text: `rows a second, of ${peer}'s`,
  sense: 'least',
  limit,
  value: (of) => of[peer].wall / of[ours].wall,
});

export const SENDING = [
  executing(20, 64),
  executing(100, 256),
  onSlowDisk(5),
  sharedLedger(),
  workers(20, 6),
  workers(100, 7),
  {
    name: 'whole-small',
    title: ({ sizes }) => `Whole run of ${shown(sizes.whole)} orders from .csv at 20 ms latency`,
    rounds: 3,
    contenders: [run((sizes) => sizes.whole, 20, LANES), newman, curl],
    goals: [rate('newman', 40), rate('xargs -P 64 curl', 5)],
  },
  {
    name: 'client-cpu',
    title: ({ sizes }) => `Client's CPU for ${shown(sizes.sent)} orders on loopback without latency`,
    contenders: [
      run((sizes) => sizes.sent, 0, LANES, { output: 'csv' }),
      validated,
      loop((sizes) => sizes.sent, 0, LANES),
    ],
    goals: [
      ofTheLoop(0.5),
      {
        text: 'CPU per request (run less validate), of the bare loop',
        sense: 'most',
        limit: 2,
        value: (of) => (of[ours].cpu - of[validated.name].cpu) / of[bare].loopCpu,
      },
    ],
  },
  {
    name: 'whole-large',
    title: ({ sizes }) =>
      `Whole run of ${shown(sizes.wide)} one-row orders, .xlsx to result workbook, platform without latency`,
    rounds: 3,
    contenders: [
      run((sizes) => sizes.wide, 0, LANES, { kind: 'wide', format: 'xlsx' }),
      {
        name: 'openpyxl, reading alone',
        peer: 'openpyxl',
        prepare: async ({ inputs, sizes }) => {
          const { file } = await inputs.table('wide', sizes.wide, 'xlsx');
          return { argv: ['/usr/bin/python3', program('read_openpyxl.py'), file] };
        },
      },
    ],
    goals: [
      {
        text: "wall, of openpyxl's read-only reading",
        sense: 'most',
        limit: 1.1,
        value: (of) => of[ours].wall / of['openpyxl, reading alone'].wall,
      },
      { text: 'peak, MiB', sense: 'most', limit: 400, value: (of) => of[ours].peak },
    ],
  },
];
