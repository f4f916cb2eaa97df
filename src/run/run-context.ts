import type { Language } from '../errors/message.js';
import type { Ledger } from '../ledger/contract/ledger.js';
import type { RunKind } from '../ledger/contract/run.js';
import type { Clock } from '../util/clock.js';
import type { StopSignal } from '../util/stop-signal.js';
import type { Ask } from './execute/consent.js';
import type { RunObserver } from './observer.js';
import type { RunLog } from './run-log.js';
import type { RunSettings } from './settings.js';

/** What every run is given by whoever starts it. */
export interface RunServices {
  readonly ledger: Ledger;
  /** Folder of the ledger; inputs are kept in it. */
  readonly stateFolder: string;
  readonly observer: RunObserver;
  readonly stop: StopSignal;
  readonly clock: Clock;
  readonly language: Language;
  /** How a yes is had: given beforehand, asked for, or not to be had. */
  readonly ask: Ask;
  /** Where credentials are looked for; the process's own when absent. */
  readonly env?: NodeJS.ProcessEnv;
  /** Absent: nothing is logged. */
  readonly log?: RunLog;
}

/** A run on its way through the stages. */
export interface RunContext {
  readonly services: RunServices;
  readonly id: string;
  readonly kind: RunKind;
  readonly settings: RunSettings;
}
