import { appendFile, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { it } from 'vitest';
import { carryOut, setUp } from './carry-out.js';
import { judgement } from './judge.js';
import { AWKWARDNESSES, makeDraft } from './make-draft.js';
import { RecordedSandbox } from './recorded-sandbox.js';

it.runIf(process.env.EACH)('each', async () => {
  const platform = await RecordedSandbox.open();
  const folder = await mkdtemp(path.join(tmpdir(), 'awk-each-'));
  for (const { name } of AWKWARDNESSES.filter((x) => process.env.EACH === '1' || x.name === process.env.EACH)) {
    let tried = 0;
    let bad = 0;
    let first = '';
    for (let seed = 1; seed < 150 && tried < Number(process.env.EACH_N ?? 6); seed += 1) {
      const draft = makeDraft(seed, [name]);
      if (draft.done.length === 0) continue;
      tried += 1;
      const office = await setUp(draft, path.join(folder, name.replaceAll(/\W+/g, '-'), String(seed)), platform.url);
      let found: readonly string[];
      try { found = judgement(draft, await carryOut(office, platform)); } catch (e) { found = ['CRASH ' + String((e as Error).stack)]; }
      if (found.length > 0) { bad += 1; first += `   seed ${seed} ${draft.scenario.name} ${draft.format} ${draft.settings.onInvalid} ${office.file}\n` + found.slice(0, 3).map((x) => `      - ${x.slice(0, 420)}\n`).join(''); }
    }
    await appendFile(process.env.EACH_OUT ?? '/tmp/each.txt', `${bad === 0 ? 'ok  ' : 'BAD '} ${bad}/${tried} ${name}\n${first}`);
  }
  await platform.close();
}, 3_000_000);
