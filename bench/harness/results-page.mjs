// bench/results.md: the latest result of every measure. Each is kept next to the inputs, so that one can be made again.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { MEASURED, RESULTS } from './places.mjs';
import { figureTable, goalTable } from './tables.mjs';

export async function keepResult(result) {
  await mkdir(MEASURED, { recursive: true });
  await writeFile(path.join(MEASURED, `${result.name}.json`), JSON.stringify(result, undefined, 2));
}

/** Writes the page from what is kept. @returns the measures, by names in order, that are on it */
export async function writePage(names) {
  const kept = await Promise.all(names.map(readKept));
  const results = kept.filter((it) => it !== undefined);
  await writeFile(RESULTS, page(results));
  return results;
}

async function readKept(name) {
  try {
    return JSON.parse(await readFile(path.join(MEASURED, `${name}.json`), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function page(results) {
  return `# Results of the benchmarks

Made by \`npm run bench\`; a single one is made anew with \`npm run bench -- --only NAME\`. Figures are medians over the
rounds, of whole processes, their start included; in a round the programs run one after the other, each round beginning
with another one. Wall is the time from start to exit, CPU is user and system, peak is the resident memory of the
largest process. [README.md](README.md) says what each measure does.

${distinct(results, 'machine')}
${distinct(results, 'node')}
${distinct(results, 'product')}

## Goals

${goalTable(results)}

${results.map(section).join('\n')}`;
}

const LABELS = { machine: 'Machine', node: 'Node.js', product: 'Program' };

/** Said once where it is the same for all. */
function distinct(results, name) {
  const values = [...new Set(results.map((it) => it.about[name]))];
  if (values.length <= 1) return `- ${LABELS[name]}: ${values[0] ?? ''}`;
  const lines = values.map(
    (value) =>
      `  - ${value}: ${results
        .filter((it) => it.about[name] === value)
        .map((it) => it.name)
        .join(', ')}`,
  );
  return `- ${LABELS[name]}:\n${lines.join('\n')}`;
}

function section(result) {
  const { name, title, rounds, notes, about } = result;
  const peers = about.peers.length > 0 ? `; with ${about.peers.join(', ')}` : '';
  return `## ${name}

${title}. ${about.date}, ${rounds} ${rounds === 1 ? 'round' : 'rounds'}, \`${about.command}\`, load ${about.load} at the start${peers}.

${figureTable(result)}
${notes.length > 0 ? `\n${notes.map((it) => `- ${it}`).join('\n')}\n` : ''}`;
}
