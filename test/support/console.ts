import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type ServedConsole, serveConsole } from '../../src/console/serve.js';

/** A console in a folder of its own, in the process of the test. */
export interface TestConsole {
  readonly folder: string;
  /** `http://127.0.0.1:PORT`, without a slash at its end. */
  readonly origin: string;
  /** What was told to whoever runs it. */
  readonly told: readonly string[];
  readonly served: ServedConsole;
  /** Asks by nobody, unless `headers` say who. */
  ask(path: string, options?: RequestInit): Promise<Response>;
  /** Signs in by the printed address; gives the cookie. */
  signIn(): Promise<string>;
  close(): Promise<void>;
}

interface Start {
  /** `license-sync.yaml`; none where absent. */
  readonly settings?: string;
  readonly env?: Record<string, string>;
  readonly host?: string;
  /** Where its ledger is, if not in its folder. */
  readonly ledger?: string;
}

export async function startConsole({
  settings,
  env = {},
  host = '127.0.0.1',
  ledger,
}: Start = {}): Promise<TestConsole> {
  const folder = await mkdtemp(path.join(tmpdir(), 'license-sync-console-'));
  if (settings !== undefined) await writeFile(path.join(folder, 'license-sync.yaml'), settings);
  const told: string[] = [];
  const app = { env, cwd: folder, language: 'en', ...(ledger === undefined ? {} : { ledger }) } as const;
  const served = await serveConsole(app, { port: 0, host, tell: (text) => told.push(text) });
  const origin = new URL(served.url).origin;
  const ask = (at: string, options: RequestInit = {}): Promise<Response> =>
    fetch(origin + at, { redirect: 'manual', ...options });
  return {
    folder,
    origin,
    told,
    served,
    ask,
    async signIn() {
      const answer = await fetch(served.url, { redirect: 'manual' });
      return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    },
    async close() {
      await served.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
