import { existsSync, readdirSync, readlinkSync } from 'node:fs';

/** Whether the system lists the open files of a process. */
export const LISTS_OPEN_FILES = existsSync('/proc/self/fd');

/** Names of this process's open files. Workers are shared, so that a test may look only for files of its own. */
export function openFiles(): readonly string[] {
  if (!LISTS_OPEN_FILES) return [];
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      // Closed since it was listed.
      return [];
    }
  });
}
