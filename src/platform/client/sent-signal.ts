import { subscribe, unsubscribe } from 'node:diagnostics_channel';

const CHANNEL = 'undici:client:sendHeaders';

/** What is known of one attempt; asked for by the client only. */
export interface Watch {
  /** Whether the request's first bytes were handed to the socket. */
  readonly sent: boolean;
  /** The attempt was given up: from now on not a byte of it may leave. */
  forbid(): void;
  /** No event of this attempt can come any more. */
  forget(): void;
}

class Watched implements Watch {
  sent = false;
  over = false;
  readonly #nonce: string;
  readonly #all: Map<string, Watched>;

  constructor(nonce: string, all: Map<string, Watched>) {
    this.#nonce = nonce;
    this.#all = all;
  }

  forbid(): void {
    this.over = true;
  }

  forget(): void {
    this.#all.delete(this.#nonce);
  }
}

/**
 * Tells sent attempts from unsent ones. Error codes cannot; undici's event, published just before the first byte
 * is written, does. Attempts are told apart by the `g_nonce` in the request's path.
 */
export class SentSignal {
  readonly #states = new Map<string, Watched>();

  constructor() {
    subscribe(CHANNEL, this.#listen);
  }

  /** Watches an attempt; undefined when its nonce is being watched already, as the two could not be told apart. */
  watch(nonce: string): Watch | undefined {
    if (this.#states.has(nonce)) return undefined;
    const watched = new Watched(nonce, this.#states);
    this.#states.set(nonce, watched);
    return watched;
  }

  close(): void {
    unsubscribe(CHANNEL, this.#listen);
  }

  readonly #listen = (event: unknown): void => {
    const { request, socket } = event as {
      readonly request?: { readonly path?: string };
      readonly socket?: { destroy(): void };
    };
    const nonce = /[?&]g_nonce=([^&]*)/.exec(request?.path ?? '')?.[1];
    const state = nonce === undefined ? undefined : this.#states.get(nonce);
    if (!state) return;
    // Danger: a second write of one attempt, or one after we said it was never sent, could be a second order.
    // The socket dies before the bytes reach it.
    if (state.sent || state.over) socket?.destroy();
    else state.sent = true;
  };
}
