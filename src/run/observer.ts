import type { Message } from '../errors/message.js';
import type { Status } from '../model/status.js';
import type { PauseNews } from '../platform/client/request-gate.js';

export type Stage = 'plan' | 'execute' | 'report';

export interface Progress {
  readonly stage: Stage;
  /** Rows read, items with an outcome, or rows written. */
  readonly done: number;
  /** Known from the execute stage on. */
  readonly total?: number;
  readonly counts?: Readonly<Partial<Record<Status, number>>>;
  readonly inFlight?: number;
  readonly requests?: number;
  readonly retries?: number;
}

export interface RunAbout {
  readonly job: string;
  readonly operation: string;
  readonly connection: string;
}

/** What a run reports of its progress. The stages themselves never print. */
export interface RunObserver {
  started(run: string, about: RunAbout): void;
  progress(progress: Progress): void;
  warn(message: Message): void;
  /** The platform asked for a pause; undefined when the pause is over. */
  paused(pause: PauseNews | undefined): void;
}

/** The observer with some of its methods replaced; its own may need `this`, so that it can't simply be spread. */
export function observerWith(observer: RunObserver, own: Partial<RunObserver>): RunObserver {
  return {
    started: (run, about) => observer.started(run, about),
    progress: (progress) => observer.progress(progress),
    warn: (warning) => observer.warn(warning),
    paused: (pause) => observer.paused(pause),
    ...own,
  };
}

export const SILENT: RunObserver = { started() {}, progress() {}, warn() {}, paused() {} };

/** Reports warnings only. */
export function warningTo(warn: ((it: Message) => unknown) | undefined): RunObserver {
  return observerWith(SILENT, { warn: (it) => void warn?.(it) });
}
