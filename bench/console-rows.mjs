// How long the console takes to answer with a page of a large run: `node bench/console-rows.mjs [--rows 1000000]`. Checks a
// sheet of so many rows, then asks over HTTP, each address so often, and prints the median and the longest time.
import { spawn, spawnSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const PROGRAM = fileURLToPath(new URL('../bin/license-sync.js', import.meta.url));
const TIMES = 15;

const { values } = parseArgs({ options: { rows: { type: 'string', default: '1000000' } } });
const rows = Number(values.rows);
const cwd = mkdtempSync(path.join(tmpdir(), 'license-sync-console-rows-'));

/** One row in a thousand has no lock. */
async function writeSheet() {
  const file = createWriteStream(path.join(cwd, 'locks.csv'));
  file.write('Lock,Remark\n');
  for (let row = 0; row < rows; row += 1) {
    const line = row % 1000 === 500 ? ',x\n' : `${1_000_000_000_000_000 + row},\n`;
    if (!file.write(line)) await new Promise((resolve) => file.once('drain', resolve));
  }
  file.end();
  await finished(file);
}

async function measure(name, ask) {
  const took = [];
  let bytes = 0;
  for (let time = 0; time < TIMES; time += 1) {
    const began = performance.now();
    bytes = (await ask(time)).length;
    took.push(performance.now() - began);
  }
  took.sort((a, b) => a - b);
  const ms = (it) => `${it.toFixed(0)} ms`.padStart(8);
  console.log(`${name.padEnd(44)}${ms(took[TIMES >> 1])}${ms(took.at(-1))}${`${bytes} B`.padStart(12)}`);
}

let served;
try {
  await writeSheet();
  writeFileSync(
    path.join(cwd, 'locks.yaml'),
    'version: 1\nname: locks\noperation: asset.lock\nconnection: sandbox\nsource: { file: locks.csv }\nmap:\n  assetNums: Lock\n  operatorIdentity: { value: bench }\nbatch: { size: 40 }\n',
  );
  const checked = spawnSync(process.execPath, [PROGRAM, 'validate', 'locks.yaml', '--json'], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  const { run, counts, error } = JSON.parse(checked.stdout);
  if (error) throw new Error(error.message);
  console.log(`${rows} rows: ${JSON.stringify(counts)}`);
  served = spawn(process.execPath, [PROGRAM, 'console', '--port', '0'], { cwd });
  const url = await new Promise((resolve) => {
    served.stdout.on('data', (it) => resolve(/console (http\S+)/.exec(String(it))?.[1]));
  });
  const signedIn = await fetch(url, { redirect: 'manual' });
  const cookie = signedIn.headers.get('set-cookie').split(';')[0];
  const get = async (at) => {
    const answer = await fetch(`${new URL(url).origin}/api/v1${at}`, { headers: { cookie } });
    if (!answer.ok) throw new Error(`${at}: ${await answer.text()}`);
    return answer.text();
  };
  console.log(`${'answer'.padEnd(44)}  median longest`);
  await measure('list of runs', () => get('/runs'));
  await measure('the run', () => get(`/runs/${run}`));
  await measure('100 rows, anywhere', (time) =>
    get(`/runs/${run}/rows?limit=100&after=${Math.floor((rows / TIMES) * time)}`),
  );
  await measure('100 skipped rows, anywhere', (time) =>
    get(`/runs/${run}/rows?status=skipped&limit=100&after=${Math.floor((rows / TIMES) * time)}`),
  );
  await measure('rows that hold a text, nowhere', () => get(`/runs/${run}/rows?search=nowhere`));
  await measure("a row's story", (time) => get(`/runs/${run}/rows/${2 + time}`));
} finally {
  served?.kill('SIGTERM');
  rmSync(cwd, { recursive: true, force: true });
}
