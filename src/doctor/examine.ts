import { message } from '../errors/message.js';
import type { Connection } from '../model/connection.js';
import type { Clock } from '../util/clock.js';
import { stateFolderOf } from '../util/ledger-place.js';
import { checkName, checkPort, targetOf } from './address.js';
import { checkCertificate } from './certificate.js';
import { type DoctorOptions, readConfiguration } from './configuration.js';
import { checkRequest } from './request.js';
import { checkLedger } from './state-folder.js';
import { type DoctorFinding, finding, type StepName } from './step.js';
import { checkToken } from './token.js';

/** What was examined, for the closing line. */
export interface Examined {
  readonly connection?: Connection;
}

/** Where the connection's platform is found; a sandbox that was started for it ends with `close`. */
type LocatePlatform = (
  connection: Connection,
  stateFolder: string,
) => Promise<{ readonly connection: Connection; close(): Promise<void> }>;

/**
 * Checks everything that a run needs, step by step, and gives each finding at once. Nothing is changed, neither on the
 * platform nor in the ledger. A step that depends on a failed one is `skipped`.
 */
export async function* examine(
  asked: DoctorOptions,
  clock: Clock,
  locatePlatform: LocatePlatform,
): AsyncGenerator<DoctorFinding, Examined> {
  const { findings, connection, ledger } = await readConfiguration(asked);
  yield* findings;
  if (ledger) {
    const found = await checkLedger(ledger.place, asked.env);
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
  const token = await checkToken(connection, asked.env);
  yield token;
  const platform = await locatePlatform(connection, stateFolderOf(ledger.place));
  try {
    yield* examinePlatform(platform.connection, asked.env, clock, token.state !== 'fault');
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
    ['certificate', () => checkCertificate(target, env, clock)],
  ] as const;
  for (const [at, [, look]] of steps.entries()) {
    const found = await look();
    yield found;
    if (found.state !== 'fault') continue;
    yield* unreached([...steps.slice(at + 1).map(([name]) => name), 'request', 'clock']);
    return;
  }
  if (hasToken) yield* await checkRequest(connection, env, clock);
  else yield* unreached(['request', 'clock']);
}

function* unreached(steps: readonly StepName[]): Generator<DoctorFinding> {
  for (const step of steps) yield finding(step, 'skipped', message('doctor.unreached'));
}
