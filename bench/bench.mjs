// Runs the measures and prints what came of them. `npm run bench -- --help` reports its options.
import { existsSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describeMachine } from './harness/machine.mjs';
import { measure } from './harness/measuring.mjs';
import { readOptions, USAGE } from './harness/options.mjs';
import { findPeers, installPeers } from './harness/peers.mjs';
import { DIST, INPUTS, RESULTS, SCRATCH } from './harness/places.mjs';
import { keepResult, writePage } from './harness/results-page.mjs';
import { figureTable, goalTable } from './harness/tables.mjs';
import { Inputs } from './make/inputs.mjs';
import { GROUPS, MEASURES } from './measures/index.mjs';
import { FULL, QUICK } from './measures/sizes.mjs';

const ROUNDS = 5;
const NAMES = MEASURES.map(({ name }) => name);

const say = (text) => process.stderr.write(`${text}\n`);
const print = (text) => process.stdout.write(`${text}\n`);

async function main(options) {
  if (!existsSync('/usr/bin/time')) throw new Error('GNU time is needed (Debian: apt install time)');
  if (!existsSync(DIST)) throw new Error('the program is not built yet: npm run build');
  const failed = installPeers();
  if (failed !== undefined) say(`the peers of bench/package.json could not be installed: ${failed}`);
  const base = options.base === undefined ? undefined : path.resolve(options.base);
  const peers = findPeers(base);
  const setting = {
    peers,
    base,
    sizes: options.quick ? QUICK : FULL,
    inputs: new Inputs(INPUTS, (text) => say(`  ${text}`)),
  };
  const results = [];
  for (const it of MEASURES.filter(({ name }) => options.only.includes(name))) {
    say(`${it.name}: ${it.title(setting)}`);
    const about = describe(it, peers);
    const rounds = options.quick ? 1 : (options.rounds ?? it.rounds ?? ROUNDS);
    const result = { ...(await measure(it, setting, rounds, say)), about };
    results.push(result);
    print(`\n${it.name}: ${result.title}\n\n${figureTable(result)}\n`);
    if (options.quick) continue;
    await keepResult(result);
    await writePage(NAMES);
  }
  print(`${goalTable(results)}\n`);
  print(
    options.quick ? 'Small inputs: the ratios mean nothing; nothing was written.' : `Written: ${RESULTS}`,
  );
  return results.every(isWhole) ? 0 : 1;
}

/** Whether all of the program's own figures are there; a peer may fail. */
function isWhole({ name, of }) {
  const { contenders } = MEASURES.find((it) => it.name === name);
  return contenders.every((it) => it.peer !== undefined || of[it.name] !== undefined);
}

function describe({ contenders }, peers) {
  const used = [...new Set(contenders.map(({ peer }) => peer))].filter((it) => peers.has(it));
  return {
    ...describeMachine(),
    date: new Date().toISOString().slice(0, 16).replace('T', ' ').concat(' UTC'),
    command: commandLine(),
    load: os.loadavg()[0].toFixed(1),
    peers: used.map((name) => `${name} ${peers.get(name)}`),
  };
}

/** As it was given, but for the folder of `--base`, which is this machine's own. */
function commandLine() {
  const given = process.argv.slice(2).map((it, at, all) => (all[at - 1] === '--base' ? 'FOLDER' : it));
  return ['npm run bench', ...(given.length > 0 ? ['--'] : []), ...given].join(' ');
}

process.on('exit', () => rmSync(SCRATCH, { recursive: true, force: true }));
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

try {
  const options = readOptions(process.argv.slice(2), NAMES, GROUPS);
  if (options.help) print(USAGE);
  else if (options.list) print(NAMES.join('\n'));
  else process.exitCode = await main(options);
} catch (error) {
  say(`bench: ${error.message}`);
  process.exitCode = 2;
}
