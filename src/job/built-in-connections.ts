import type { Connection } from '../model/connection.js';
import type { ConsoleSettings } from '../model/console.js';
import { isLoopback } from '../util/loopback.js';
import { type Problem, problemAt } from './problem.js';
import type { Place } from './yaml/node.js';

type CheckedUrl =
  | { readonly value: string; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: Problem };

/** The address of a platform, without a trailing slash. The problem never repeats the value, which may contain a secret. */
export function checkUrl(text: string, allowInsecure: boolean, place: Place): CheckedUrl {
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    return { problem: problemAt(place, 'job.bad_url', {}) };
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return { problem: problemAt(place, 'job.bad_url', {}) };
  if (url.username || url.password) return { problem: problemAt(place, 'job.url_credentials', {}) };
  if (/[?#]/.test(text)) return { problem: problemAt(place, 'job.url_query', {}) };
  if (url.protocol === 'http:' && !allowInsecure && !isLoopback(url.hostname))
    return { problem: problemAt(place, 'job.insecure_http', { host: url.hostname }) };
  return { value: url.origin + url.pathname.replace(/\/+$/, '') };
}

const DEFAULTS = {
  timestamps: 'milliseconds',
  timezone: 'Asia/Shanghai',
  allowInsecureHttp: false,
  confirm: 'default',
  retryCode500: 'retry',
} as const;

/** Default time that a worker without a heartbeat keeps its leases. */
export const WORKER_LEASE_MS = 15_000;

/** The settings of the console without the key `console`. */
export const DEFAULT_CONSOLE: ConsoleSettings = {
  sessionAgeMs: 12 * 3_600_000,
  checkTimeoutMs: 30 * 60_000,
  uploadLimit: 200 * 1024 ** 2,
};

/** The simulated platform, which is started in process unless a server for it is running. */
export const SANDBOX: Connection = {
  name: 'sandbox',
  sandbox: true,
  appKey: 'sandbox',
  token: { kind: 'sandbox' },
  ...DEFAULTS,
};

export interface ReadConnection {
  /** Undefined when there are problems. */
  readonly connection: Connection | undefined;
  readonly problems: readonly Problem[];
}

/** The connection of LICENSE_SYNC_BASE_URL, _TOKEN and _APP_KEY; undefined without the first variable. */
export function environmentConnection(env: NodeJS.ProcessEnv): ReadConnection | undefined {
  const baseUrl = env.LICENSE_SYNC_BASE_URL;
  if (!baseUrl) return undefined;
  const place = { text: { name: 'LICENSE_SYNC_BASE_URL', text: '', confidential: true }, offset: 0 };
  const url = checkUrl(baseUrl, false, place);
  if (url.problem) return { connection: undefined, problems: [url.problem] };
  const appKey = env.LICENSE_SYNC_APP_KEY;
  return {
    problems: [],
    connection: {
      name: 'env',
      sandbox: false,
      baseUrl: url.value,
      ...(appKey ? { appKey } : {}),
      token: { kind: 'env', name: 'LICENSE_SYNC_TOKEN' },
      ...DEFAULTS,
    },
  };
}
