import { parentPort, workerData } from 'node:worker_threads';
import { CaseMaker, type Target } from './cases.js';
import { CaseRunner, type Plant } from './run-case.js';

export interface WorkerTask {
  readonly target: Target;
  readonly seed: string;
  readonly root: string;
  readonly folder: string;
  /** Cases `from`, `from + step`, … below `to`. */
  readonly from: number;
  readonly step: number;
  readonly to: number;
  /** The case in progress, for the process that watches: [number]. */
  readonly now: Int32Array;
  readonly plant?: Plant;
}

export type WorkerSays =
  | { readonly kind: 'failed'; readonly number: number; readonly reason: string }
  | {
      readonly kind: 'done';
      readonly ends: ReadonlyMap<string, number>;
      readonly slowest: readonly [number, number];
    };

const MOST_FAILURES = 3;

const task = workerData as WorkerTask;
const maker = new CaseMaker(task.target, task.seed, task.root);
const runner = new CaseRunner(task.folder, task.plant);
const ends = new Map<string, number>();
let slowest: readonly [number, number] = [-1, 0];
let failures = 0;

for (let number = task.from; number < task.to && failures < MOST_FAILURES; number += task.step) {
  const it = maker.make(number);
  Atomics.store(task.now, 0, number);
  const began = performance.now();
  try {
    const end = await runner.run(it);
    ends.set(end, (ends.get(end) ?? 0) + 1);
  } catch (error) {
    failures += 1;
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    parentPort?.postMessage({ kind: 'failed', number, reason } satisfies WorkerSays);
  }
  const took = performance.now() - began;
  if (took > slowest[1]) slowest = [number, took];
}
parentPort?.postMessage({ kind: 'done', ends, slowest } satisfies WorkerSays);
