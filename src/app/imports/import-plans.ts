import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run } from '../../ledger/contract/run.js';
import { liveStateOf } from '../../run/live-state.js';
import { unpackAny } from '../../run/settings.js';
import type { AppContext } from '../context.js';
import { withLedger } from '../open.js';
import { importNamed } from './import-job.js';

const PLANS_TOLD = 50;

/** The plans that were made of an import, newest first; one that was sent is a run by now. */
export function plansOfImport(context: AppContext, id: string) {
  return withLedger(context, async ({ ledger }) => {
    const { inputSha256, at: from } = await importNamed(ledger, id);
    const runs = await ledger.runs.find({ kinds: ['plan', 'run'], inputSha256, from }, PLANS_TOLD);
    const items = [];
    for (const run of runs) {
      if (run.prunedAt !== undefined || run.parent !== undefined) continue;
      const { job, import: of } = unpackAny(run.settings);
      if (of !== id) continue;
      items.push({
        run: run.id,
        sent: run.kind === 'run',
        state: await liveStateOf(ledger, run),
        ...(run.by === undefined ? {} : { by: run.by }),
        at: new Date(run.startedAt).toISOString(),
        items: run.items,
        invalid: (await ledger.runs.counts(run.id)).invalid ?? 0,
        onInvalid: job.run.onInvalid,
      });
    }
    return { items };
  });
}

/** The import that a run's rows were put in by, as long as it is there. */
export async function importOfRun({ imports }: Pick<Ledger, 'imports'>, run: Run) {
  const id = run.prunedAt === undefined ? unpackAny(run.settings).import : undefined;
  const found = id === undefined ? undefined : await imports.get(id);
  return found ? { import: { id: found.id, name: found.name } } : {};
}
