// The least that a client can do: a pool, a body, its reply read as JSON. Prints the loop's
// time and CPU time in seconds, the start excluded.
import { readFile } from 'node:fs/promises';
import { Pool } from 'undici';

const [url, file, lanes] = process.argv.slice(2);
const bodies = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
const pool = new Pool(url, { connections: Number(lanes), pipelining: 1 });
const headers = {
  authorization: 'Bearer bench',
  'content-type': 'application/json',
  accept: 'application/json',
};
const path = '/order/api/order/v1/licenseOrder/batchOrder?appKey=bench&g_nonce=bench-';
const before = process.cpuUsage();
const started = performance.now();
let next = 0;

async function lane() {
  while (next < bodies.length) {
    const at = next;
    next += 1;
    const response = await pool.request({ method: 'POST', path: path + at, headers, body: bodies[at] });
    const reply = await response.body.json();
    if (reply.code !== 0) throw new Error(`order ${at + 1}: ${JSON.stringify(reply)}`);
  }
}

await Promise.all(Array.from({ length: Number(lanes) }, lane));
const { user, system } = process.cpuUsage(before);
const loop = (performance.now() - started) / 1000;
process.stdout.write(`${JSON.stringify({ loop, loopCpu: (user + system) / 1e6 })}\n`);
await pool.close();
