import { subscribe, unsubscribe } from 'node:diagnostics_channel';

const CHANNEL = 'undici:client:sendHeaders';
const CONNECTED = 'undici:client:connected';

export interface Watch {
  /** Whether the request's first bytes were passed to the socket. */
  readonly sent: boolean;
  /** Its connection was idle for too long and was closed before the first byte. */
  readonly refusedIdle: boolean;
  /** The attempt was given up: no byte of it may be sent from now on. */
  forbid(): void;
  /** The attempt has no more events. */
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
 * When a connection was opened or its last reply ended, by both clocks: the monotonic one stops while the computer
 * sleeps, the other may be set.
 */
const lastUse = new WeakMap<Socket, { readonly monotonic: number; readonly wall: number }>();

function noteUse(socket: Socket): void {
  lastUse.set(socket, { monotonic: performance.now(), wall: Date.now() });
}

/** An unused connection may wait for its first request, if the request that it was opened for was given up. */
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
 * Distinguishes sent from unsent attempts. Error codes cannot; undici's event, published just before the first byte
 * is written, can. Attempts are identified by the `g_nonce` in the request's path.
 */
export class SentSignal {
  readonly #states = new Map<string, Watched>();

  constructor() {
    subscribe(CHANNEL, this.#listen);
    subscribe(CONNECTED, connected);
  }

  /** Watches an attempt; undefined if its nonce is already watched, as the two could not be distinguished. */
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
    // Danger: a second write of an attempt, or a write of one that was reported as not sent, could be a second order.
    // The socket is destroyed before the bytes reach it.
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
