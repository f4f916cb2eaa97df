import { effect, signal } from '@preact/signals';
import { getJson } from './api/client.js';
import { offline } from './api/problem.js';

const OFFLINE_MS = 2000;
const ONLINE_MS = 20_000;

/** The console has another version than when the page was loaded. */
export const updated = signal(false);

let loadedVersion: string | undefined;

/** @param version of the console, as in its responses */
export function noteVersion(version: string): void {
  loadedVersion ??= version;
  updated.value = version !== loadedVersion;
}

/** Requests something from the console; `offline` is set by the request. */
export async function checkConnection(): Promise<void> {
  try {
    noteVersion((await getJson<{ readonly version: string }>('/sign-in')).version);
  } catch {
    // A problem of the console is reported by the requests of the page.
  }
}

/** Detects that the connection is lost or back, also while the page requests nothing. @returns ends it */
export function watchConnection(): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const check = async (): Promise<void> => {
    clearTimeout(timer);
    if (!document.hidden) await checkConnection();
    wait();
  };
  const wait = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void check(), offline.value ? OFFLINE_MS : ONLINE_MS);
  };
  const follow = (): void => void check();
  const stop = effect(() => (offline.value ? follow() : wait()));
  const events = ['online', 'offline', 'visibilitychange'];
  for (const it of events) addEventListener(it, follow);
  return () => {
    stop();
    clearTimeout(timer);
    for (const it of events) removeEventListener(it, follow);
  };
}
