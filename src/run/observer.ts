import type { Message } from '../errors/message.js';
import type { Status } from '../model/status.js';
import type { PauseEvent } from '../platform/client/request-gate.js';

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

/** Receives a run's progress. The stages themselves never print. */
export interface RunObserver {
  started(run: string, about: RunAbout): void;
  progress(progress: Progress): void;
  warn(message: Message): void;
  /** The platform requested a wait; undefined at its end. */
  paused(pause: PauseEvent | undefined): void;
}

/** The observer with some methods replaced. A spread would lose methods that need `this`. */
export function observerWith(observer: RunObserver, replacements: Partial<RunObserver>): RunObserver {
  return {
    started: (run, about) => observer.started(run, about),
    progress: (progress) => observer.progress(progress),
    warn: (warning) => observer.warn(warning),
    paused: (pause) => observer.paused(pause),
    ...replacements,
  };
}

export const SILENT: RunObserver = { started() {}, progress() {}, warn() {}, paused() {} };

/** Reports warnings only. */
export function warningTo(warn: ((warning: Message) => unknown) | undefined): RunObserver {
  return observerWith(SILENT, { warn: (warning) => void warn?.(warning) });
}
