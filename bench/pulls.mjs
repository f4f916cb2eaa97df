// Pulls assets of few and of many enterprises: `node bench/pulls.mjs [enterprises] [assets of each]`. Prints time and most memory
// for each size, so that it shows whether memory stays where it was. Needs a build and GNU time.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const [enterprises = 2000, assets = 200] = process.argv.slice(2).map(Number);
const PROGRAM = new URL('../bin/license-sync.js', import.meta.url).pathname;
const LATENCY_MS = 5;
const FEWER = 20;

let asked = 0;
const platform = createServer((request, response) => {
  asked += 1;
  const enterprise = /asset\/([^/]+)\/list/.exec(request.url)?.[1] ?? '';
  const data = Array.from({ length: assets }, (_, at) => ({
    id: `AS-${enterprise}-${at}`,
    licenseType: 'cloud_account',
    assetNum: `${enterprise}${String(at).padStart(6, '0')}`,
    grantable: true,
    customerId: '000123',
    locked: false,
    freezing: false,
    createTime: 1_704_069_000_123,
    limitEndTime: 1_830_268_799_999,
  }));
  const text = JSON.stringify({ code: 0, message: 'success', data });
  setTimeout(() => response.end(text), LATENCY_MS);
});
await new Promise((resolve) => platform.listen(0, '127.0.0.1', resolve));

const folder = await mkdtemp(path.join(tmpdir(), 'pulls-'));
try {
  const { port } = platform.address();
  await writeFile(
    path.join(folder, 'license-sync.yaml'),
    `version: 1\nconnections:\n  fake: { baseUrl: "http://127.0.0.1:${port}", token: { env: BENCH_TOKEN } }\n`,
  );
  for (const count of [Math.ceil(enterprises / FEWER), enterprises]) {
    const keys = Array.from({ length: count }, (_, at) => `E${at}`);
    await writeFile(path.join(folder, 'keys.csv'), `enterprise_id\n${keys.join('\n')}\n`);
    for (const output of ['assets.csv', 'assets.xlsx']) {
      asked = 0;
      const command = [
        'pull',
        'asset',
        '--enterprises',
        'keys.csv',
        '--output',
        output,
        '--connection',
        'fake',
      ];
      const argv = ['-f', '%e s, %M KiB', process.execPath, PROGRAM, ...command, '--quiet'];
      const env = { ...process.env, BENCH_TOKEN: 'none' };
      const { stderr } = await promisify(execFile)('/usr/bin/time', argv, { cwd: folder, env });
      const told = stderr.trim().split('\n').at(-1);
      console.log(`${count * assets} assets as ${path.extname(output)}: ${told}, ${asked} requests`);
    }
  }
} finally {
  platform.close();
  await rm(folder, { recursive: true, force: true });
}
