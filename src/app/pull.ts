import path from 'node:path';
import { type Language, type Message, render } from '../errors/message.js';
import { columnsFor } from '../guess/columns-for.js';
import { usualRun } from '../job/assemble.js';
import { loadConnections, resolveConnection } from '../job/connections.js';
import { refuseUnfit } from '../job/job-changes.js';
import { openExistingLedger } from '../ledger/open.js';
import type { Reconciled } from '../model/drift.js';
import { comparisonNamed } from '../platform/comparisons/index.js';
import { operationNamed } from '../platform/operations/index.js';
import type { PullEnd, PullServices } from '../pull/contract.js';
import { pull } from '../pull/pull.js';
import { openPlatform } from '../run/open-platform.js';
import { systemClock } from '../util/clock.js';
import { distinctMessages } from '../util/distinct-messages.js';
import { isLedgerPath, stateFolderOf } from '../util/ledger-place.js';
import type { StopSignal } from '../util/stop-signal.js';
import { type AppContext, fileFrom } from './context.js';
import { ledgerLocation } from './open.js';
import { permittedIfAny } from './people/permit.js';

export interface PullInput {
  /** The spreadsheet with the keys: enterprises for assets, customers of channels for enterprises. */
  readonly keys: string;
  /** The sheet that is written; .xlsx, .csv or .ndjson. */
  readonly output: string;
  /** By name. */
  readonly connection?: string;
  /** Requests under way at a time, at most. */
  readonly concurrency?: number;
  /** Of the keys, by name or 1-based position; default the first visible one. */
  readonly sheet?: string | number;
  /** Of the keys; default 1. */
  readonly headerRow?: number;
  /** Where the keys are an encrypted workbook: the environment variable that holds its password. */
  readonly passwordEnv?: string;
}

/** Whoever pulls looks on, and may stop it. */
interface PullContext extends AppContext, Pick<PullServices, 'progress' | 'warn' | 'paused'> {
  readonly stop: StopSignal;
}

export interface PulledSheet extends PullEnd {
  readonly what: Reconciled;
  readonly connection: string;
  readonly sandbox: boolean;
  readonly warnings: readonly Message[];
  readonly durationMs: number;
}

/** `pull asset` and `pull enterprise`: what the platform has for the keys of a sheet, as a sheet of its own. */
export async function pullRecords(
  context: PullContext,
  what: Reconciled,
  input: PullInput,
): Promise<PulledSheet> {
  const began = performance.now();
  const { env, cwd, stop } = context;
  refuseUnfit('concurrency', input.concurrency, 1);
  refuseUnfit('headerRow', input.headerRow, 1);
  const connections = await loadConnections(undefined, { env, cwd });
  const connection = resolveConnection(connections, { flag: input.connection });
  const usual = usualRun();
  const run = { ...usual, concurrency: input.concurrency ?? usual.concurrency };
  const comparison = comparisonNamed(what);
  // A served sandbox leaves its address there; a pull keeps nothing in the ledger.
  const location = await ledgerLocation(context);
  await askLedger(context, location);
  const stateFolder = stateFolderOf(location);
  const warned: Message[] = [];
  const inquiry = operationNamed(comparison.inquiry);
  // What names a record among those of one request (an asset's number) is not asked for.
  const asked = new Set(inquiry.shape.map((it) => it.name));
  const wanted = comparison.key.filter((it) => it.required && asked.has(it.name)).map((it) => it.name);
  const services: PullServices = {
    clock: systemClock,
    stateFolder,
    stop,
    progress: context.progress,
    paused: context.paused,
    warn: (warning) => {
      warned.push(warning);
      context.warn(warning);
    },
    findColumns: (headers, sheet) => columnsFor(inquiry, wanted, headers, sheet),
    openClient: () => openPlatform(connection, { run }, stateFolder, env),
  };
  const { keys, sheet, headerRow = 1, passwordEnv } = input;
  const password = passwordEnv === undefined ? undefined : ({ kind: 'env', name: passwordEnv } as const);
  const end = await pull(
    {
      comparison,
      keys: { file: fileFrom(context, keys), sheet, headerRow, password, env },
      output: path.resolve(cwd, input.output),
      connection,
      run,
    },
    services,
  );
  const { name, sandbox } = connection;
  const durationMs = performance.now() - began;
  return { ...end, what, connection: name, sandbox, warnings: distinctMessages(warned), durationMs };
}

/** Whether the caller may: what is pulled is of no ledger, and yet not for everybody. */
async function askLedger(context: AppContext, location: string): Promise<void> {
  if (isLedgerPath(location) && (context.as?.kind ?? 'local') === 'local') return;
  const ledger = await openExistingLedger(location, { note: context.found });
  try {
    await permittedIfAny(context, ledger, 'pull');
  } finally {
    await ledger?.close();
  }
}

/** The object that `--json` prints. */
export function pulledData(it: PulledSheet, language: Language) {
  return {
    pull: it.what,
    connection: it.connection,
    status: it.status,
    keys: it.keys,
    rows: it.records,
    empty: it.empty,
    unanswered: it.unanswered,
    requests: it.requests,
    retries: it.retries,
    output: it.output,
    durationMs: Math.round(it.durationMs),
    sandbox: it.sandbox ? 'SANDBOX' : undefined,
    reason: it.reason && render(it.reason),
    warnings: it.warnings.map((warning) => render(warning, language)),
  };
}
