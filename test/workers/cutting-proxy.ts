import { connect, createServer, type Server, type Socket } from 'node:net';

/** Stands before a database and cuts a connection right after a COMMIT succeeded: whether it was executed is not reported. */
export class CuttingProxy {
  readonly port: number;
  /** Connections that were cut. */
  cuts = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #wanted = 0;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  static async before(port: number): Promise<CuttingProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new CuttingProxy(server, (server.address() as { port: number }).port);
    server.on('connection', (client) => proxy.#carry(client, connect(port, '127.0.0.1')));
    return proxy;
  }

  /** The next connections that commit anything are cut, one each. */
  cut(count = 1): void {
    this.#wanted += count;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #carry(client: Socket, server: Socket): void {
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    server.on('data', (bytes) => client.write(bytes));
    client.on('data', (bytes) => {
      if (this.#wanted === 0 || !commits(bytes)) {
        server.write(bytes);
        return;
      }
      this.#wanted -= 1;
      this.cuts += 1;
      // It arrives, and is executed; its answer doesn't come back.
      server.removeAllListeners('data');
      server.end(bytes);
      client.destroy();
    });
  }
}

/** A COMMIT, or a statement that is a transaction of its own and writes attempts. */
function commits(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  return text.includes('COMMIT') || /INSERT INTO attempts|UPDATE attempts/.test(text);
}
