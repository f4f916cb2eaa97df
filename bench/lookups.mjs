// Validates a long sheet whose rows look a customer up, and the same without: `node bench/lookups.mjs [rows] [customers]`.
// Needs a build and GNU time.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const [rows = 500_000, customers = 1000] = process.argv.slice(2).map(Number);
const PROGRAM = new URL('../bin/license-sync.js', import.meta.url).pathname;
const LATENCY_MS = 5;

let asked = 0;
const platform = createServer((request, response) => {
  asked += 1;
  const number = new URL(request.url, 'http://x').searchParams.get('channelCustomerId');
  const record = {
    channelCode: 'CH',
    channelCustomerId: number,
    customerId: `CU-${number}`,
    enterpriseName: 'G',
  };
  const reply = { code: 0, message: 'success', data: [record] };
  setTimeout(() => response.end(JSON.stringify(reply)), LATENCY_MS);
});
await new Promise((resolve) => platform.listen(0, '127.0.0.1', resolve));

const job = (name, branch) => `version: 1
name: ${name}
operation: enterprise.create
connection: fake
source: { file: rows.csv }
map:
  crmCustomerId: Name
  customerName: Name
  branchName: ${branch}
safety: { maxItems: 10000000 }
output: { file: "out-{job}.csv" }
`;
const LOOK_UP =
  '{ lookup: enterprise.query, with: { channelCode: { value: CH }, channelCustomerId: No }, take: customerId }';

const folder = await mkdtemp(path.join(tmpdir(), 'lookups-'));
try {
  const lines = Array.from({ length: rows }, (_, at) => `K${(at * 7919) % customers},Name ${at}`);
  await writeFile(path.join(folder, 'rows.csv'), `No,Name\n${lines.join('\n')}\n`);
  const { port } = platform.address();
  await writeFile(
    path.join(folder, 'license-sync.yaml'),
    `version: 1\nconnections:\n  fake: { baseUrl: "http://127.0.0.1:${port}", token: { env: BENCH_TOKEN } }\n`,
  );
  for (const [name, branch] of [
    ['plain', 'No'],
    ['looked-up', LOOK_UP],
  ]) {
    await writeFile(path.join(folder, `${name}.yaml`), job(name, branch));
    const argv = ['-f', '%e s, %M KiB', process.execPath, PROGRAM, 'validate', `${name}.yaml`, '--quiet'];
    const env = { ...process.env, BENCH_TOKEN: 'none' };
    const { stderr } = await promisify(execFile)('/usr/bin/time', argv, { cwd: folder, env });
    console.log(`${name}: ${stderr.trim().split('\n').at(-1)}, ${asked} requests`);
  }
} finally {
  platform.close();
  await rm(folder, { recursive: true, force: true });
}
