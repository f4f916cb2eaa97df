import { hostname } from 'node:os';

/** A process, wherever it runs. */
export interface ProcessPlace {
  readonly process: number;
  readonly host: string;
}

/** The process that this code runs in. */
export function ownProcess(): ProcessPlace {
  return { process: process.pid, host: hostname() };
}

/** Whether a process exists. One of another machine counts as existing, as that can't be known; process ids are reused. */
export function isAlive({ process: id, host }: ProcessPlace): boolean {
  if (host !== hostname()) return true;
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
