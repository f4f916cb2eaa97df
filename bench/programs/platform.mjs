// The least that a platform can be: takes batch orders, notes every order, answers when the latency is over. It checks
// nothing and reads of HTTP only what the clients of these measures send, so that the machine is left to the programs
// that are measured. When it is stopped, it prints what it counted.
import { createServer } from 'node:net';

const latencyMs = Number(process.argv[2]);
const ORDER = /"channelOrderId":"([^"]*)"/;
const SEQUENCE = /"sequence":(\d+)/g;
const LENGTH = /\r\ncontent-length: *(\d+)/i;
/** Orders executed, by the caller's number of the request. */
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

/** Replies wait in the order of their requests; one timer serves them all. */
const due = [];
let first = 0;

function answerLater(socket, text) {
  due.push({ at: performance.now() + latencyMs, socket, text });
  if (due.length - first === 1) wakeFor(due[first]);
}

/** A timer is about a millisecond late. */
function wakeFor({ at }) {
  setTimeout(answerDue, Math.max(1, Math.round(at - performance.now() - 1)));
}

function answerDue() {
  // Timers count whole milliseconds: what is nearly due goes now, so that the mean is the latency.
  const until = performance.now() + 0.7;
  for (; first < due.length && due[first].at <= until; first += 1) due[first].socket.write(due[first].text);
  if (first === due.length) {
    due.length = 0;
    first = 0;
  } else wakeFor(due[first]);
}

/** Takes the requests out of what has arrived on a connection; gives what is left of the last. */
function take(arrived, socket) {
  let rest = arrived;
  for (;;) {
    const head = rest.indexOf('\r\n\r\n');
    if (head < 0) return rest;
    const end = head + 4 + Number(LENGTH.exec(rest.toString('latin1', 0, head))?.[1] ?? 0);
    if (rest.length < end) return rest;
    const reply = carryOut(rest.toString('utf8', head + 4, end));
    const text = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${reply.length}\r\n\r\n${reply}`;
    if (latencyMs > 0) answerLater(socket, text);
    else socket.write(text);
    rest = rest.subarray(end);
  }
}

const server = createServer((socket) => {
  let rest = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on('data', (bytes) => {
    rest = take(rest.length === 0 ? bytes : Buffer.concat([rest, bytes]), socket);
  });
  socket.on('error', () => socket.destroy());
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`);
});
process.once('SIGTERM', () => {
  process.stdout.write(`counted ${JSON.stringify({ requests, orders, duplicates })}\n`, () => process.exit());
});
