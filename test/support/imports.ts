import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startConsole, type TestConsole } from './console.js';
import { orderJob } from './orders.js';

interface ReportedRow {
  readonly row: number;
  readonly status: string;
  readonly cells: readonly string[];
  readonly faults: readonly { readonly column?: number; readonly text: string; readonly code?: string }[];
  readonly corrected: readonly number[];
}

/** Whatever of it an answer has; a test fails where it reads what isn't there. */
interface Answer {
  readonly httpStatus: number;
  readonly code: string;
  readonly detail: string;
  readonly others?: readonly string[];
  readonly upload: string;
  readonly name: string;
  readonly size: number;
  readonly sheets: readonly { readonly name: string; readonly hidden: boolean }[];
  readonly import: string;
  readonly state: string;
  readonly check: string;
  readonly run: string;
  readonly file: string;
  readonly yaml: string;
  readonly version: number;
  readonly checkingAgain: boolean;
  readonly counts: Readonly<Record<string, number>>;
  readonly faults: readonly {
    readonly kind: string;
    readonly code?: string;
    readonly count: number;
    readonly first: number;
    readonly outside?: true;
  }[];
  readonly limits: readonly string[];
  readonly warnings: readonly string[];
  readonly failure: { readonly code: string; readonly text: string; readonly others: readonly string[] };
  readonly corrections: { readonly cells: number };
  readonly headers: readonly {
    readonly letter: string;
    readonly text: string;
    readonly field?: string;
    readonly allowed?: readonly string[];
  }[];
  readonly items: readonly ReportedRow[];
  readonly rows: readonly ReportedRow[];
  readonly total: number;
  readonly left: number;
  readonly text?: string;
  readonly cells: readonly { readonly row: number; readonly column: number; readonly text: string }[];
}

/** A user at a console with the job `orders` in its folder, who puts files in. */
export class ImportFixture {
  readonly console: TestConsole;
  readonly #cookie: string;

  private constructor(console: TestConsole, cookie: string) {
    this.console = console;
    this.#cookie = cookie;
  }

  static async open(start: Parameters<typeof startConsole>[0] = {}): Promise<ImportFixture> {
    const console = await startConsole({ env: process.env as Record<string, string>, ...start });
    const fixture = new ImportFixture(console, await console.signIn());
    await fixture.job('orders.yaml', `${orderJob()}connection: sandbox\n`);
    return fixture;
  }

  async job(name: string, text: string): Promise<void> {
    await mkdir(path.join(this.console.folder, 'jobs'), { recursive: true });
    await writeFile(path.join(this.console.folder, 'jobs', name), text);
  }

  send(method: string, at: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.console.ask(`/api/v1${at}`, {
      method,
      headers: {
        cookie: this.#cookie,
        origin: this.console.origin,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async ask(method: string, at: string, body?: unknown): Promise<Answer> {
    const answer = await this.send(method, at, body);
    const text = await answer.text();
    return { ...(text === '' ? {} : JSON.parse(text)), httpStatus: answer.status };
  }

  /** A file as a page sends it. */
  async upload(
    name: string,
    content: string | Uint8Array | ReadableStream,
    others: RequestInit = {},
  ): Promise<Answer> {
    const answer = await this.console.ask('/api/v1/uploads', {
      method: 'POST',
      headers: {
        cookie: this.#cookie,
        origin: this.console.origin,
        'content-type': 'application/octet-stream',
        'x-file-name': encodeURIComponent(name),
      },
      body: content as string,
      ...others,
    });
    return { ...((await answer.json()) as Answer), httpStatus: answer.status };
  }

  /** Puts a sheet in and waits until it is checked. */
  async import(
    name: string,
    content: string | Uint8Array,
    wish: object = { job: 'orders.yaml' },
  ): Promise<string> {
    const { upload, detail } = await this.upload(name, content);
    if (upload === undefined) throw new Error(detail);
    const made = await this.ask('POST', '/imports', { upload, name, ...wish });
    if (made.import === undefined) throw new Error(made.detail);
    await this.checked(made.import);
    return made.import;
  }

  /** How the import stands when nothing of it is being checked any more. */
  async checked(id: string): Promise<Answer> {
    for (;;) {
      const now = await this.ask('GET', `/imports/${id}`);
      if (now.httpStatus !== 200) throw new Error(JSON.stringify(now));
      if (now.state !== 'checking' && !now.checkingAgain) return now;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  rows(id: string, query = ''): Promise<Answer> {
    return this.ask('GET', `/imports/${id}/rows${query}`);
  }

  close(): Promise<void> {
    return this.console.close();
  }
}
