import type { Connection } from '../model/connection.js';
import type { ConsoleSettings } from '../model/console.js';
import { checkUrl } from './base-url.js';
import type { Problem } from './problem.js';

const DEFAULTS = {
  timestamps: 'milliseconds',
  timezone: 'Asia/Shanghai',
  allowInsecureHttp: false,
  confirm: 'default',
  retryCode500: 'retry',
} as const;

/** How long a worker that is not heard of keeps what it carries, unless the settings say otherwise. */
export const WORKER_LEASE_MS = 15_000;

/** How a console is served where nothing is said. */
export const USUAL_CONSOLE: ConsoleSettings = {
  sessionAgeMs: 12 * 3_600_000,
  checkTimeoutMs: 30 * 60_000,
  uploadLimit: 200 * 1024 ** 2,
};

/** The simulated platform, started in process when nothing serves it. */
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

/** The connection that LICENSE_SYNC_BASE_URL, _TOKEN and _APP_KEY give; undefined without the first. */
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
