// Where the design ends: `node bench/scale.mjs [--request-ms 0.4] …` simulates workers over one ledger (scale/model.mjs)
// with costs that were measured (docs/scale.md says how), and prints tables. The same each time; takes seconds.
import { parseArgs } from 'node:util';
import { simulate } from './scale/model.mjs';

/** Milliseconds, as measured on the machine of results.md; each has a flag of its name. */
const MEASURED = {
  'request-ms': 1.9,
  'batch-ms': 1.5,
  'statement-ms': 0.5,
  'flush-ms': 1,
  'trip-ms': 0.3,
};
const SLOTS = 8;

const options = Object.fromEntries(Object.keys(MEASURED).map((name) => [name, { type: 'string' }]));
const { values } = parseArgs({ options });
const cost = (name) => Number(values[name] ?? MEASURED[name]);
const costs = {
  requestMs: cost('request-ms'),
  batchMs: cost('batch-ms'),
  statementMs: cost('statement-ms'),
  flushMs: cost('flush-ms'),
  tripMs: cost('trip-ms'),
};

/** Workers on machines of four cores each, as many as are required, and a database of so many cores. */
function carried(place) {
  return simulate(costs, { slots: SLOTS, cores: place.workers, perSecond: 0, ...place });
}

const WORKERS = [1, 2, 4, 8, 16, 32, 64, 128];

console.log('costs in milliseconds:', JSON.stringify(costs));
for (const latencyMs of [20, 100]) {
  console.log(
    `\nbatches a second at ${latencyMs} ms, ${SLOTS} slots a worker, each worker a core of its own\n`,
  );
  console.log('| workers | database 2 cores | busy | 4 cores | busy | 16 cores | busy |');
  console.log('|--------:|-----------------:|-----:|--------:|-----:|---------:|-----:|');
  for (const workers of WORKERS) {
    const cells = [2, 4, 16].flatMap((databaseCores) => {
      const { perSecond, databaseBusy } = carried({ workers, databaseCores, latencyMs });
      return [perSecond.toFixed(0), `${(databaseBusy * 100).toFixed(0)} %`];
    });
    console.log(`| ${workers} | ${cells.join(' | ')} |`);
  }
}

console.log('\none machine of so many cores for workers, database elsewhere with 4 cores, 20 ms\n');
console.log('| cores | 1 worker | 2 | 4 | 8 | 16 |');
console.log('|------:|---------:|--:|--:|--:|---:|');
for (const cores of [1, 2, 4, 8]) {
  const cells = [1, 2, 4, 8, 16].map((workers) =>
    carried({ workers, cores, databaseCores: 4, latencyMs: 20 }).perSecond.toFixed(0),
  );
  console.log(`| ${cores} | ${cells.join(' | ')} |`);
}

console.log(
  '\nthe platform lets so many requests a second through: hours for a run, 8 workers, 4 cores, 100 ms\n',
);
console.log('| batches | no limit | 500 | 100 | 50 |');
console.log('|--------:|---------:|----:|----:|---:|');
const rates = [0, 500, 100, 50].map(
  (perSecond) => carried({ workers: 8, databaseCores: 4, latencyMs: 100, perSecond }).perSecond,
);
for (const batches of [10_000, 100_000, 1_000_000]) {
  console.log(`| ${batches} | ${rates.map((rate) => (batches / rate / 3600).toFixed(2)).join(' | ')} |`);
}
