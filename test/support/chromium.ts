import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';

/** Where a Chromium lies on this machine; undefined: tests that want one skip themselves, saying so. */
export const CHROMIUM: string | undefined = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((it) => it !== undefined && existsSync(it));

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--remote-debugging-pipe',
  // No name resolves and nothing but this machine answers: a page that needs the network shows it.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--proxy-server=http://127.0.0.1:9',
];

interface Reply {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

/** One headless Chromium with one page, driven over a pipe. */
export class Browser {
  /** Addresses of all that the page asked for, itself included. */
  readonly requests: string[] = [];
  /** What the console, the browser's log and uncaught errors said. */
  readonly complaints: string[] = [];
  readonly #child: ChildProcess;
  readonly #profile: string;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  readonly #listeners = new Map<string, () => void>();
  #session: string | undefined;
  #last = 0;

  private constructor(child: ChildProcess, profile: string) {
    this.#child = child;
    this.#profile = profile;
    child.once('exit', () => {
      for (const [id, answer] of this.#waiting) answer({ id, error: { message: 'chromium has ended' } });
    });
    let rest = '';
    (child.stdio[4] as Readable).setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\0');
      rest = parts.pop() ?? '';
      for (const part of parts) this.#take(JSON.parse(part) as Reply);
    });
  }

  static async open(executable: string): Promise<Browser> {
    const profile = await mkdtemp(path.join(tmpdir(), 'chromium-'));
    const child = spawn(executable, [...FLAGS, `--user-data-dir=${profile}`], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    const browser = new Browser(child, profile);
    const { targetId } = await browser.#send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await browser.#send('Target.attachToTarget', { targetId, flatten: true });
    browser.#session = String(sessionId);
    for (const domain of ['Page', 'Network', 'Log', 'Runtime']) await browser.#send(`${domain}.enable`);
    return browser;
  }

  async close(): Promise<void> {
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await gone;
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Loads a file or address as on a screen of that width, and forgets what was asked for and complained of before. */
  async load(url: string, look: { width?: number; dark?: boolean; script?: boolean } = {}): Promise<void> {
    const { width = 1200, dark = false, script = true } = look;
    await this.#send('Emulation.setDeviceMetricsOverride', {
      width,
      height: 800,
      deviceScaleFactor: 1,
      mobile: width < 600,
    });
    const features = [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }];
    await this.#send('Emulation.setEmulatedMedia', { features });
    await this.#send('Emulation.setScriptExecutionDisabled', { value: !script });
    this.requests.length = 0;
    this.complaints.length = 0;
    const loaded = new Promise<void>((resolve) => this.#listeners.set('Page.loadEventFired', resolve));
    await this.#send('Page.navigate', { url });
    await loaded;
  }

  /** The value of an expression in the page; promises are waited for. */
  async evaluate<T>(expression: string): Promise<T> {
    const said = await this.#send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (said.exceptionDetails) throw new Error(JSON.stringify(said.exceptionDetails));
    return (said.result as { value: T }).value;
  }

  /** Types text where the focus is. */
  async type(text: string): Promise<void> {
    await this.#send('Input.insertText', { text });
  }

  async press(key: string): Promise<void> {
    const codes: Readonly<Record<string, number>> = { Tab: 9, Enter: 13 };
    const event = { key, code: key, windowsVirtualKeyCode: codes[key] ?? 0 };
    await this.#send('Input.dispatchKeyEvent', { type: 'keyDown', ...event });
    await this.#send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  }

  /** The page as it is printed. */
  async pdf(): Promise<Buffer> {
    const { data } = await this.#send('Page.printToPDF', { paperWidth: 8.27, paperHeight: 11.69 });
    return Buffer.from(String(data), 'base64');
  }

  async #send(method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    this.#last += 1;
    const id = this.#last;
    const session = this.#session === undefined ? {} : { sessionId: this.#session };
    const answered = new Promise<Reply>((resolve) => this.#waiting.set(id, resolve));
    (this.#child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, ...session })}\0`);
    const { result, error } = await answered;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  }

  #take({ id, method, params, ...reply }: Reply): void {
    if (id !== undefined) {
      this.#waiting.get(id)?.({ id, ...reply });
      this.#waiting.delete(id);
      return;
    }
    if (method === 'Network.requestWillBeSent') {
      this.requests.push((params as { request: { url: string } }).request.url);
    } else if (method === 'Log.entryAdded' || method === 'Runtime.consoleAPICalled') {
      this.complaints.push(JSON.stringify(params));
    } else if (method === 'Runtime.exceptionThrown' || method === 'Page.javascriptDialogOpening') {
      this.complaints.push(JSON.stringify(params));
    }
    if (method !== undefined) this.#listeners.get(method)?.();
  }
}
