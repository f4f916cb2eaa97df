// The least that a platform can be: takes batch orders, notes every order, answers after the latency. It checks
// nothing, so that the machine is left to the programs that are measured. Told to stop, it prints what it counted.
import { createServer } from 'node:http';

const latencyMs = Number(process.argv[2]);
const ORDER = /"channelOrderId":"([^"]*)"/;
const SEQUENCE = /"sequence":(\d+)/g;
/** Orders carried out, by the caller's number of the request. */
const seen = new Set();
let requests = 0;
let orders = 0;
let duplicates = 0;

function carryOut(body) {
  requests += 1;
  const number = ORDER.exec(body)?.[1];
  const sequences = [...body.matchAll(SEQUENCE)].map((found) => Number(found[1]));
  if (number === undefined || seen.has(number)) duplicates += sequences.length;
  seen.add(number);
  const data = sequences.map((sequence) => {
    orders += 1;
    return `{"sequence":${sequence},"licenseOrderId":"LO-${String(orders).padStart(8, '0')}"}`;
  });
  return `{"code":0,"message":"success","data":[${data.join(',')}]}`;
}

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (text) => {
    body += text;
  });
  request.on('end', () => {
    const reply = carryOut(body);
    const headers = { 'content-type': 'application/json', 'content-length': reply.length };
    const answer = () => response.writeHead(200, headers).end(reply);
    if (latencyMs > 0) setTimeout(answer, latencyMs);
    else answer();
  });
});
server.keepAliveTimeout = 600_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`);
});
process.once('SIGTERM', () => {
  process.stdout.write(`counted ${JSON.stringify({ requests, orders, duplicates })}\n`, () => process.exit());
});
