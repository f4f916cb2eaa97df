import type { Ledger } from '../../ledger/contract/ledger.js';
import type { Run, RunKind, RunState } from '../../ledger/contract/run.js';
import { isRefusedPlan } from '../../ledger/rules/run-states.js';
import type { Connection } from '../../model/connection.js';
import type { LiveState } from '../../run/live-state.js';
import { unpackSettings } from '../../run/settings.js';
import { type AppContext, wordsOf } from '../context.js';
import { withLedger } from '../open.js';
import { describe } from '../runs.js';

export interface RunsWanted {
  /** Part of a name, in any case. */
  readonly job?: string | undefined;
  readonly person?: string | undefined;
  /** A state as people are told it; `stopped` includes interrupted runs. */
  readonly status?: LiveState | undefined;
  readonly kind?: RunKind | undefined;
  /** Milliseconds since 1970, `to` not included. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Only plans that wait for somebody's approval. */
  readonly waiting?: boolean | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

/** States in the ledger that may be told as one. */
const STATES_OF: Partial<Readonly<Record<LiveState, readonly RunState[]>>> = {
  executing: ['executing', 'executed'],
  stopped: ['stopped', 'interrupted'],
  'cut off': ['planning', 'planned', 'executing', 'executed', 'queued'],
};

const READ_AT_ONCE = 50;
/** What is told only after a look at each run isn't looked for any longer than this; the next page goes on there. */
const LOOKED_AT = 2000;

/** Runs by filter, the newest first. `next`: what `before` is on the next page. */
export function runsData(context: AppContext, wanted: RunsWanted) {
  const { job, person, kind, from, to, status, limit } = wanted;
  return withLedger(context, async ({ ledger }) => {
    const items: Awaited<ReturnType<typeof listedRun>>[] = [];
    const states = status && (STATES_OF[status] ?? ([status] as readonly RunState[]));
    const kinds: readonly RunKind[] | undefined = wanted.waiting ? ['plan'] : kind && [kind];
    // They are looked at at their import; whoever asks for checks sees them too.
    const without = kind === undefined ? ('import_checks' as const) : undefined;
    const filter = {
      job,
      person,
      kinds,
      from,
      to,
      without,
      states: wanted.waiting ? (['planned'] as const) : states,
    };
    let before = wanted.before;
    for (let looked = 0; looked < LOOKED_AT; ) {
      const page = await ledger.runs.find({ ...filter, before }, READ_AT_ONCE);
      for (const run of page) {
        looked += 1;
        before = run.id;
        const it = await fitting(ledger, run, wanted, context);
        if (it) items.push(it);
        if (items.length === limit) return { items, next: before };
      }
      if (page.length < READ_AT_ONCE) return { items };
    }
    return { items, next: before };
  });
}

async function fitting(ledger: Ledger, run: Run, { status, waiting }: RunsWanted, context: AppContext) {
  const it = await listedRun(ledger, run, context);
  if (waiting && it.approval?.state !== 'waiting') return undefined;
  const isOff = it.state === 'cut off';
  if (status !== undefined && isOff !== (status === 'cut off')) return undefined;
  return it;
}

/** A pruned run has forgotten it. */
function isSandbox({ settings }: Run): boolean | undefined {
  const connection: Partial<Connection> | undefined = unpackSettings(settings).connection;
  return connection?.sandbox;
}

/** A run with whose it is and how its approval stands. */
export async function listedRun(ledger: Ledger, run: Run, context: AppContext) {
  return {
    ...(await describe(ledger, run, wordsOf(context))),
    sandbox: isSandbox(run),
    ...(isRefusedPlan(run) ? { refused: true as const } : {}),
  };
}
