import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * The outcome of a write on its way to the server.
 * - cut_after: the server gets it, its answer doesn't come back, and the connection ends
 * - cut_before: the connection ends before the server gets it
 * - slow: the answer comes late
 * - hole: the server gets it, and nothing comes back any more, not even an end
 */
export type ConnectionOutcome = 'pass' | 'cut_after' | 'cut_before' | 'slow' | 'hole';

/**
 * From when on nothing comes back to the program, though its connections stay open.
 * - connect: from the first byte of a new connection
 * - tls: once the server has agreed to TLS
 * - login: once a new connection takes statements
 * - all: from now on, on every connection
 */
export type Silence = 'none' | 'connect' | 'tls' | 'login' | 'all';

const SLOW_MS = 150;
/** A server's message that it takes statements. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** Stands between the program and a PostgreSQL server; a test says the outcome of each message that writes. */
export class CutProxy {
  readonly #server: Server;
  readonly #to: { readonly host: string; readonly port: number };
  readonly #sockets = new Set<Socket>();
  readonly cuts: Record<ConnectionOutcome, number> = {
    pass: 0,
    cut_after: 0,
    cut_before: 0,
    slow: 0,
    hole: 0,
  };
  #closed = false;
  /** Asked for each message that may commit something: a COMMIT, or a statement that is a transaction of its own. */
  connectionOutcome: () => ConnectionOutcome = () => 'pass';
  /** What it made silent stays so. */
  silence: Silence = 'none';

  private constructor(to: URL) {
    this.#to = { host: to.hostname, port: Number(to.port) };
    this.#server = createServer((client) => this.#accept(client));
  }

  /** @param url of the server; with its schema, if any */
  static async before(url: string): Promise<CutProxy> {
    const proxy = new CutProxy(new URL(url));
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** The server's URL by way of here. */
  through(url: string): string {
    const via = new URL(url);
    via.hostname = '127.0.0.1';
    via.port = String((this.#server.address() as AddressInfo).port);
    return via.href;
  }

  /** Takes no further connections until `open`. */
  refuse(): void {
    this.#closed = true;
  }

  /** Ends all connections, too. */
  close(): void {
    this.refuse();
    for (const it of this.#sockets) it.destroy();
  }

  open(): void {
    this.#closed = false;
  }

  async stop(): Promise<void> {
    this.close();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #accept(client: Socket): void {
    if (this.#closed) {
      client.destroy();
      return;
    }
    const server = connect(this.#to);
    const { silence } = this;
    let holed = silence === 'connect' || silence === 'all';
    let late = 0;
    const end = (): void => {
      client.destroy();
      server.destroy();
    };
    for (const it of [client, server]) {
      this.#sockets.add(it);
      it.setNoDelay(true);
      it.on('error', end).on('close', () => {
        this.#sockets.delete(it);
        // A hole doesn't even report an end.
        if (!holed) end();
      });
    }
    client.on('data', (bytes) => {
      if (silence === 'tls') {
        if (!holed) client.write('S');
        holed = true;
        return;
      }
      const connectionOutcome = mayCommit(bytes) ? this.connectionOutcome() : 'pass';
      if (mayCommit(bytes)) this.cuts[connectionOutcome] += 1;
      if (connectionOutcome === 'cut_before') {
        end();
        return;
      }
      if (connectionOutcome === 'hole') holed = true;
      if (connectionOutcome === 'cut_after') {
        server.removeAllListeners('data');
        // The server has it: its answer reports it, and goes nowhere.
        server.once('data', end);
      }
      late = connectionOutcome === 'slow' ? SLOW_MS : 0;
      if (!server.destroyed) server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (this.silence === 'all') holed = true;
      if (holed) return;
      if (silence === 'login' && bytes.subarray(-READY.length).equals(READY)) holed = true;
      if (late === 0) client.write(bytes);
      else setTimeout(() => !client.destroyed && client.write(bytes), late);
    });
  }
}

/** A COMMIT, or an attempt's intents or ends, which are statements by themselves (bound again each time: message B). */
function mayCommit(bytes: Buffer): boolean {
  return bytes.includes('COMMIT\0') || bytes[0] === 0x42 || (bytes[0] === 0x50 && bytes.includes('attempts'));
}
