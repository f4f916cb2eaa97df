import { message } from '../errors/message.js';
import type { Connection } from '../model/connection.js';
import type { Clock } from '../util/clock.js';
import { stateFolderOf } from '../util/ledger-address.js';
import { type DoctorOptions, readConfiguration } from './configuration.js';
import { checkCertificate, checkName, checkPort, targetOf } from './network.js';
import { checkRequest } from './request.js';
import { checkLedger } from './state-folder.js';
import { checkToken, type DoctorFinding, finding, type StepName } from './step.js';

/** The checked connection, for the summary. */
export interface ExamineSummary {
  readonly connection?: Connection;
}

/** Locates the connection's platform. `close` ends a sandbox that was started for it. */
type LocatePlatform = (
  connection: Connection,
  stateFolder: string,
) => Promise<{ readonly connection: Connection; close(): Promise<void> }>;

/**
 * Checks everything that a run needs, step by step, and yields each finding immediately. Nothing is changed, neither on the
 * platform nor in the ledger. A step that depends on a failed one is `skipped`.
 */
export async function* examine(
  options: DoctorOptions,
  clock: Clock,
  locatePlatform: LocatePlatform,
): AsyncGenerator<DoctorFinding, ExamineSummary> {
  const { findings, connection, ledger } = await readConfiguration(options);
  yield* findings;
  if (ledger) {
    const found = await checkLedger(ledger.place, options.env);
    const { warning } = ledger;
    if (!warning || found.state === 'fault') yield found;
    else {
      const others = found.state === 'warning' ? [found.message, ...(found.others ?? [])] : [];
      yield { ...finding('ledger', 'warning', warning), others };
    }
  }
  if (!connection || !ledger) {
    yield* unreached(['token', 'name', 'port', 'certificate', 'request', 'clock']);
    return {};
  }
  const token = await checkToken(connection, options.env);
  yield token;
  const platform = await locatePlatform(connection, stateFolderOf(ledger.place));
  try {
    yield* examinePlatform(platform.connection, options.env, clock, token.state !== 'fault');
  } finally {
    await platform.close();
  }
  yield finding('activity scope', 'skipped', message('doctor.activity_scope'));
  return { connection: platform.connection };
}

async function* examinePlatform(
  connection: Connection,
  env: NodeJS.ProcessEnv,
  clock: Clock,
  hasToken: boolean,
): AsyncGenerator<DoctorFinding> {
  const target = targetOf(connection.baseUrl ?? '');
  const steps = [
    ['name', () => checkName(target)],
    ['port', () => checkPort(target, env)],
    ['certificate', () => checkCertificate(target, env, clock, connection.timezone)],
  ] as const;
  for (const [index, [, check]] of steps.entries()) {
    const found = await check();
    yield found;
    if (found.state !== 'fault') continue;
    yield* unreached([...steps.slice(index + 1).map(([name]) => name), 'request', 'clock']);
    return;
  }
  if (hasToken) yield* await checkRequest(connection, env, clock);
  else yield* unreached(['request', 'clock']);
}

function* unreached(steps: readonly StepName[]): Generator<DoctorFinding> {
  for (const step of steps) yield finding(step, 'skipped', message('doctor.unreached'));
}
