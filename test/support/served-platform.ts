import path from 'node:path';
import type { ExecutedOrder } from '../../src/platform/simulated/order-book.js';
import type { SandboxStats } from '../../src/sandbox/stats.js';
import { type Running, start } from './command.js';

const TOKEN = 'crash-suite-token';

/** The sandbox as a process of its own that keeps every effect on disk before it answers. */
export class ServedPlatform {
  readonly #running: Running;
  readonly #url: string;

  private constructor(running: Running, url: string) {
    this.#running = running;
    this.#url = url;
  }

  /** `folder`: where its state file goes; runs are started elsewhere, so that they don't find its note. */
  static async serve(
    folder: string,
    options: { readonly latencyMs: number; readonly faults: string },
  ): Promise<ServedPlatform> {
    const running = start(
      [
        'sandbox',
        ...['--port', '0', '--state', path.join(folder, 'effects.ndjson'), '--json', '--token', TOKEN],
        ...['--latency', String(options.latencyMs)],
        ...(options.faults === '' ? [] : ['--faults', options.faults]),
      ],
      { cwd: folder },
    );
    const ready = new Promise<string>((resolve) => running.child.stdout?.once('data', resolve));
    const line = await Promise.race([ready, running.ended.then(({ stderr }) => Promise.reject(stderr))]);
    return new ServedPlatform(running, (JSON.parse(line) as { url: string }).url);
  }

  /** What makes the connection `env` of the program. */
  get environment(): Record<string, string> {
    return {
      LICENSE_SYNC_BASE_URL: this.#url,
      LICENSE_SYNC_TOKEN: TOKEN,
      LICENSE_SYNC_APP_KEY: 'crash-suite',
    };
  }

  async stats(): Promise<SandboxStats> {
    return (await this.#get('/sandbox/stats').then((it) => it.json())) as SandboxStats;
  }

  /** Everything that was executed, in order. */
  async orders(): Promise<readonly ExecutedOrder[]> {
    const text = await this.#get('/sandbox/orders').then((it) => it.text());
    return text
      .split('\n')
      .filter((it) => it !== '')
      .map((it) => JSON.parse(it) as ExecutedOrder);
  }

  async stop(): Promise<void> {
    this.#running.child.kill('SIGTERM');
    await this.#running.ended;
  }

  #get(address: string): Promise<Response> {
    return fetch(`${this.#url}${address}`, { headers: { authorization: `Bearer ${TOKEN}` } });
  }
}
