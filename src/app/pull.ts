import path from 'node:path';
import { type Language, type Message, render } from '../errors/message.js';
import { columnsFor } from '../guess/columns-for.js';
import { usualRun } from '../job/assemble.js';
import { loadConnections, resolveConnection } from '../job/connections.js';
import { requireWholeNumber } from '../job/job-changes.js';
import { openExistingLedger } from '../ledger/open.js';
import type { Reconciled } from '../model/comparison.js';
import { comparisonNamed, operationNamed } from '../platform/operations/catalogue.js';
import { pull } from '../pull/pull.js';
import type { PullEnd, PullServices } from '../pull/services.js';
import { openPlatform } from '../run/open-platform.js';
import { systemClock } from '../util/clock.js';
import { distinctMessages } from '../util/error-detail.js';
import { isLedgerPath, stateFolderOf } from '../util/ledger-address.js';
import { type AppContext, fileFrom, type RunWatch, type WatchedContext } from './context.js';
import { permittedIfAny } from './permit.js';
import { ledgerLocation } from './with-ledger.js';

export interface PullInput {
  /** The spreadsheet with the keys: enterprises for assets, customers of channels for enterprises. */
  readonly keys: string;
  /** The file to write; .xlsx, .csv or .ndjson. */
  readonly output: string;
  /** By name. */
  readonly connection?: string;
  /** Maximum number of requests in flight. */
  readonly concurrency?: number;
  /** Of the keys, by name or 1-based position; default the first visible one. */
  readonly sheet?: string | number;
  /** Of the keys; default 1. */
  readonly headerRow?: number;
  /** The environment variable with the password, if the keys are in an encrypted workbook. */
  readonly passwordEnv?: string;
}

type PullContext = Pick<WatchedContext, keyof AppContext | 'stop'> & {
  readonly watch: Pick<RunWatch, 'progress' | 'warn' | 'paused'>;
};

export interface PulledSheet extends PullEnd {
  readonly what: Reconciled;
  readonly connection: string;
  readonly sandbox: boolean;
  readonly warnings: readonly Message[];
  readonly durationMs: number;
}

/** `pull asset` and `pull enterprise`: exports the platform's records for the keys of a sheet into a new sheet. */
export async function pullRecords(
  context: PullContext,
  what: Reconciled,
  input: PullInput,
): Promise<PulledSheet> {
  const startedAt = performance.now();
  const { env, cwd, stop, watch } = context;
  requireWholeNumber('concurrency', input.concurrency, 1);
  requireWholeNumber('headerRow', input.headerRow, 1);
  const connections = await loadConnections(undefined, { env, cwd });
  const connection = resolveConnection(connections, { flag: input.connection });
  const usual = usualRun();
  const run = { ...usual, concurrency: input.concurrency ?? usual.concurrency };
  const comparison = comparisonNamed(what);
  // A served sandbox stores its address there. A pull stores nothing in the ledger.
  const location = await ledgerLocation(context);
  await checkPermission(context, location);
  const stateFolder = stateFolderOf(location);
  const warnings: Message[] = [];
  const inquiry = operationNamed(comparison.inquiry);
  // Key fields that only distinguish records of one reply (an asset's number) are not columns of the keys.
  const requested = new Set(inquiry.shape.map((it) => it.name));
  const keyFields = comparison.key.filter((it) => it.required && requested.has(it.name)).map((it) => it.name);
  const services: PullServices = {
    clock: systemClock,
    stateFolder,
    stop,
    progress: watch.progress,
    paused: watch.paused,
    warn: (warning) => {
      warnings.push(warning);
      watch.warn(warning);
    },
    findColumns: (headers, sheet) => columnsFor(inquiry, keyFields, headers, sheet),
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
  const durationMs = performance.now() - startedAt;
  return { ...end, what, connection: name, sandbox, warnings: distinctMessages(warnings), durationMs };
}

/** Checks the permission: exported data is in no ledger, but not every user may read it. */
async function checkPermission(context: AppContext, location: string): Promise<void> {
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
