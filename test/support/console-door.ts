import { request } from 'node:http';
import { type Running, start } from './command.js';

interface Place {
  readonly cwd: string;
  readonly env: Record<string, string>;
}

/** What an API answers: its status, and its object where it gives one. */
export interface DoorAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
  readonly reported: any;
}

/** A console as a process of its own, with a user signed in by the printed address; others come by their tokens. */
export class Door {
  readonly running: Running;
  readonly origin: string;
  readonly #cookie: string;

  private constructor(running: Running, origin: string, cookie: string) {
    this.running = running;
    this.origin = origin;
    this.#cookie = cookie;
  }

  static async open(place: Place): Promise<Door> {
    const running = start(['console', '--port', '0'], place);
    let said = '';
    const url = await new Promise<string>((resolve, reject) => {
      running.child.stdout?.on('data', (it: Buffer) => {
        said += it.toString();
        const found = /console (http:\S+)/.exec(said)?.[1];
        if (found !== undefined) resolve(found);
      });
      void running.ended.then(({ stderr }) => reject(new Error(stderr)));
    });
    const answer = await fetch(url, { redirect: 'manual' });
    const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    return new Door(running, new URL(url).origin, cookie);
  }

  /** Asks for something, or does it; rejects where the connection breaks. @param token of a person, in place of the cookie */
  async ask(
    method: 'GET' | 'POST',
    at: string,
    { token, body, headers = {} }: { token?: string; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<DoorAnswer> {
    const isRaw = body instanceof ReadableStream || body instanceof Uint8Array || typeof body === 'string';
    const answer = await fetch(`${this.origin}/api/v1${at}`, {
      method,
      headers: {
        ...(token === undefined ? this.#signedIn : { authorization: `Bearer ${token}` }),
        'content-type': isRaw ? 'application/octet-stream' : 'application/json',
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    } as RequestInit);
    const text = await answer.text();
    return { status: answer.status, reported: text === '' ? undefined : JSON.parse(text) };
  }

  /** Sends the first bytes of a file, and no more. */
  beginUpload(first: string): void {
    const headers = {
      ...this.#signedIn,
      'content-type': 'application/octet-stream',
      'content-length': '100000',
      'x-file-name': 'half.csv',
    };
    const sent = request(`${this.origin}/api/v1/uploads`, { method: 'POST', headers });
    sent.on('error', () => {});
    sent.write(first);
  }

  get #signedIn(): Record<string, string> {
    return { cookie: this.#cookie, origin: this.origin };
  }
}
