// Whether the console's memory stays flat: `node bench/console-uploads.mjs [--uploads 50] [--rows 20000] [--large 100]
// [--ledger URL]`. Sends in so many sheets, .xlsx and .csv in turns, checks each, looks at its rows, fixes a cell, and plans
// every fifth; then a .csv of so many megabytes. Prints the console's memory after a garbage collection, with the most that
// its children had, every five uploads.
import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import ExcelJS from 'exceljs';

const PROGRAM = fileURLToPath(new URL('../bin/license-sync.js', import.meta.url));
const MIB = 1024 ** 2;
const NODES = 3;

const { values } = parseArgs({
  options: {
    uploads: { type: 'string', default: '50' },
    rows: { type: 'string', default: '20000' },
    large: { type: 'string', default: '100' },
    ledger: { type: 'string' },
  },
});
const rows = Number(values.rows);
const cwd = mkdtempSync(path.join(tmpdir(), 'license-sync-console-uploads-'));

const cells = (upload, row) => [
  `86${upload}${row}`.padEnd(16, '0'),
  `Customer ${upload}-${row}`,
  row % 1000 ? '' : 'x',
];

function csv(upload, count = rows) {
  const lines = ['Lock,Customer,Remark'];
  for (let row = 0; row < count; row += 1) lines.push(cells(upload, row).join(','));
  return Buffer.from(`${lines.join('\n')}\n`);
}

async function xlsx(upload) {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Locks');
  sheet.addRow(['Lock', 'Customer', 'Remark']);
  for (let row = 0; row < rows; row += 1) sheet.addRow(cells(upload, row));
  return Buffer.from(await book.xlsx.writeBuffer());
}

/** Of a process and all below it: resident memory in MiB. */
function resident(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

function below(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) => {
      const own = readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean);
      return own.flatMap((it) => [it, ...below(it)]);
    });
  } catch {
    return [];
  }
}

function openFiles(pid) {
  return readdirSync(`/proc/${pid}/fd`).filter((it) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${it}`).startsWith('/');
    } catch {
      return false;
    }
  }).length;
}

/** Within the console: collects garbage at a signal, and says what its objects take. */
const COLLECTS =
  'data:text/javascript,process.on("SIGUSR2",()=>{gc();gc();process.stderr.write("heap "+process.memoryUsage().heapUsed+"\\n")})';

let served;
try {
  mkdirSync(path.join(cwd, 'jobs'));
  writeFileSync(
    path.join(cwd, 'jobs', 'locks.yaml'),
    'version: 1\nname: locks\noperation: asset.lock\nconnection: sandbox\nsource: { file: locks.csv }\nmap:\n  assetNums: Lock\n  operatorIdentity: { value: bench }\nbatch: { size: 40 }\n',
  );
  const ledger = values.ledger === undefined ? {} : { LICENSE_SYNC_LEDGER: values.ledger };
  served = spawn(process.execPath, ['--expose-gc', '--import', COLLECTS, PROGRAM, 'console', '--port', '0'], {
    cwd,
    env: { ...process.env, ...ledger },
  });
  let heard = () => {};
  served.stderr.on('data', (it) => {
    const bytes = /heap (\d+)/.exec(String(it))?.[1];
    if (bytes === undefined) process.stderr.write(it);
    else heard(Number(bytes) / MIB);
  });
  /** What objects take after a garbage collection, in MiB. */
  const collected = () =>
    new Promise((resolve) => {
      heard = resolve;
      served.kill('SIGUSR2');
    });
  const url = await new Promise((resolve) => {
    served.stdout.on('data', (it) => resolve(/console (http\S+)/.exec(String(it))?.[1]));
  });
  const { origin } = new URL(url);
  const cookie = (await fetch(url, { redirect: 'manual' })).headers.get('set-cookie').split(';')[0];
  const ask = async (method, at, body, headers = {}) => {
    const isRaw = body instanceof Uint8Array;
    const type = isRaw ? 'application/octet-stream' : 'application/json';
    const answer = await fetch(`${origin}/api/v1${at}`, {
      method,
      headers: { cookie, origin, 'content-type': type, 'x-act': crypto.randomUUID(), ...headers },
      body: isRaw || body === undefined ? body : JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${at}: ${await answer.text()}`);
    return answer.status === 204 ? undefined : answer.json();
  };
  let mostBelow = 0;
  let mostOwn = 0;
  const watching = setInterval(() => {
    mostOwn = Math.max(mostOwn, resident(served.pid));
    mostBelow = Math.max(
      mostBelow,
      below(served.pid).reduce((sum, it) => sum + resident(it), 0),
    );
  }, 100);
  const tell = async (what) => {
    const heap = await collected();
    const mib = (it) => `${it.toFixed(0)} MiB`.padStart(10);
    const after = resident(served.pid);
    console.log(
      `${what.padEnd(14)}${mib(heap)}${mib(after)}${mib(mostOwn)}${mib(mostBelow)}${String(openFiles(served.pid)).padStart(7)}`,
    );
    mostOwn = 0;
    mostBelow = 0;
  };
  const checked = async (id) => {
    for (;;) {
      const now = await ask('GET', `/imports/${id}`);
      if (now.state === 'failed') throw new Error(JSON.stringify(now.failure));
      if (now.state === 'checked' && !now.checkingAgain) return now;
      await sleep(100);
    }
  };
  const take = async (name, bytes, plans) => {
    const { upload } = await ask('POST', '/uploads', bytes, { 'x-file-name': name });
    const { import: id } = await ask('POST', '/imports', { upload, name, job: 'locks.yaml' });
    await checked(id);
    for (let from = 0; from < 2000; from += 200)
      await ask('GET', `/imports/${id}/rows?from=${from}&count=200`);
    await ask('POST', `/imports/${id}/corrections`, { cells: [{ row: 2, column: NODES, text: 'mended' }] });
    await checked(id);
    if (plans) await ask('POST', `/imports/${id}/plan`);
  };
  console.log(`${'uploads'.padEnd(14)}   objects  resident      most  children  files`);
  await tell('0');
  for (let n = 1; n <= Number(values.uploads); n += 1) {
    const isText = n % 2 === 0;
    await take(isText ? `locks-${n}.csv` : `locks-${n}.xlsx`, isText ? csv(n) : await xlsx(n), n % 5 === 0);
    if (n % 5 === 0) await tell(String(n));
  }
  const count = Math.ceil((Number(values.large) * MIB) / csv(9, 1000).length) * 1000;
  for (let n = 0; n < 3 && count > 0; n += 1) {
    await take(`large-${n}.csv`, csv(`9${n}`, count), false);
    await tell(`+ ${values.large} MB`);
  }
  clearInterval(watching);
} finally {
  served?.kill('SIGTERM');
  await new Promise((resolve) => served?.once('exit', resolve) ?? resolve());
  rmSync(cwd, { recursive: true, force: true });
}
