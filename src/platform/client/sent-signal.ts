import { subscribe, unsubscribe } from 'node:diagnostics_channel';

const CHANNEL = 'undici:client:sendHeaders';
const CONNECTED = 'undici:client:connected';

/** What is known of one attempt; asked for by the client only. */
export interface Watch {
  /** Whether the request's first bytes were handed to the socket. */
  readonly sent: boolean;
  /** Its connection had been idle for too long and was closed before the first byte. */
  readonly refusedIdle: boolean;
  /** The attempt was given up: from now on not a byte of it may leave. */
  forbid(): void;
  /** No event of this attempt can come any more. */
  forget(): void;
}

class Watched implements Watch {
  sent = false;
  refusedIdle = false;
  over = false;
  socket: Socket | undefined;
  readonly idleMs: number;
  readonly #nonce: string;
  readonly #all: Map<string, Watched>;

  constructor(nonce: string, idleMs: number, all: Map<string, Watched>) {
    this.idleMs = idleMs;
    this.#nonce = nonce;
    this.#all = all;
  }

  forbid(): void {
    this.over = true;
  }

  forget(): void {
    if (this.socket) noteUse(this.socket);
    this.#all.delete(this.#nonce);
  }
}

interface Socket {
  destroy(): void;
}

/**
 * When a connection was made or its last reply ended, by both clocks: the monotonic one stands still while the computer
 * sleeps, the other may be set.
 */
const lastUse = new WeakMap<Socket, { readonly monotonic: number; readonly wall: number }>();

function noteUse(socket: Socket): void {
  lastUse.set(socket, { monotonic: performance.now(), wall: Date.now() });
}

/** A connection may wait for its first request, if the one that it was made for was given up. */
function connected(event: unknown): void {
  const { socket } = event as { readonly socket?: Socket };
  if (socket) noteUse(socket);
}

function wasIdle(socket: Socket, forMs: number): boolean {
  const used = lastUse.get(socket);
  if (!used) return false;
  const idle = Math.max(performance.now() - used.monotonic, Date.now() - used.wall);
  return idle > forMs;
}

/**
 * Tells sent attempts from unsent ones. Error codes cannot; undici's event, published just before the first byte
 * is written, does. Attempts are told apart by the `g_nonce` in the request's path.
 */
export class SentSignal {
  readonly #states = new Map<string, Watched>();

  constructor() {
    subscribe(CHANNEL, this.#listen);
    subscribe(CONNECTED, connected);
  }

  /** Watches an attempt; undefined when its nonce is being watched already, as the two could not be told apart. */
  watch(nonce: string, idleMs = Number.POSITIVE_INFINITY): Watch | undefined {
    if (this.#states.has(nonce)) return undefined;
    const watched = new Watched(nonce, idleMs, this.#states);
    this.#states.set(nonce, watched);
    return watched;
  }

  close(): void {
    unsubscribe(CHANNEL, this.#listen);
    unsubscribe(CONNECTED, connected);
  }

  readonly #listen = (event: unknown): void => {
    const { request, socket } = event as {
      readonly request?: { readonly path?: string };
      readonly socket?: Socket;
    };
    const nonce = /[?&]g_nonce=([^&]*)/.exec(request?.path ?? '')?.[1];
    const state = nonce === undefined ? undefined : this.#states.get(nonce);
    if (!state) return;
    // Danger: a second write of one attempt, or one after we said it was never sent, could be a second order.
    // The socket dies before the bytes reach it.
    if (state.sent || state.over) socket?.destroy();
    else if (socket && wasIdle(socket, state.idleMs)) {
      state.refusedIdle = true;
      socket.destroy();
    } else {
      state.sent = true;
      state.socket = socket;
    }
  };
}
