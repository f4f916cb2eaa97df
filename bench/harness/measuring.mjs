// One measure: its programs run in turns, so that whatever else the machine does strikes all of them.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { judge, medians } from './figures.mjs';
import { SCRATCH } from './places.mjs';
import { runTrial } from './trial.mjs';

const LIMIT_MS = 30 * 60_000;

/**
 * @param setting inputs, sizes, peers
 * @param rounds how many
 * @param say reported each step
 */
export async function measure(it, setting, rounds, say) {
  const notes = [];
  const note = (text) => {
    notes.push(text);
    say(`  ${text}`);
  };
  let contenders = [];
  for (const contender of it.contenders) {
    const { name, peer } = contender;
    if (peer !== undefined && !setting.peers.has(peer)) note(`${name}: skipped, ${peer} is not there`);
    else contenders.push({ ...contender, trials: [] });
  }
  for (const contender of contenders) {
    if (!contender.check) continue;
    const read = await inFolder((folder) => once(contender.check, setting, folder)).catch(failure);
    note(`${contender.name}: ${read.failed ?? read.note}`);
  }
  for (let round = 1; round <= rounds * (it.repeat ?? 1); round += 1) {
    const told = [];
    for (const contender of contenders) {
      const result = await inFolder((folder) => once(contender.prepare, setting, folder)).catch(failure);
      if (result.failed === undefined) {
        contender.trials.push(result.figures);
        told.push(`${contender.name} ${result.figures.wall.toFixed(2)} s`);
      } else {
        note(`${contender.name}: ${result.failed}`);
        contender.failed = true;
      }
    }
    contenders = contenders.filter((contender) => !contender.failed);
    say(`  round ${round}: ${told.join(', ')}`);
    // The first program of a round is the last of the next one.
    contenders.push(...contenders.splice(0, 1));
  }
  const order = it.contenders.map(({ name }) => name);
  contenders.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  const of = Object.fromEntries(contenders.map(({ name, trials }) => [name, medians(trials)]));
  return { name: it.name, title: it.title(setting), rounds, of, notes, goals: judge(it.goals, of, setting) };
}

/** Prepares, runs and tidies up one trial. */
async function once(prepare, setting, folder) {
  const trial = await prepare(setting, folder);
  try {
    const { figures, out } = await runTrial({ cwd: folder, limitMs: LIMIT_MS, ...trial }, folder);
    const more = (await trial.read?.(out)) ?? {};
    return typeof more === 'string' ? { note: more } : { figures: { ...figures, ...more } };
  } finally {
    await trial.release?.();
  }
}

async function inFolder(use) {
  await mkdir(SCRATCH, { recursive: true });
  const folder = await mkdtemp(path.join(SCRATCH, 'trial-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function failure(error) {
  return { failed: `failed: ${error.message}` };
}
