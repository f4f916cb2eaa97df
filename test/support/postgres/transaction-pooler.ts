import { createConnection, createServer, type Server, type Socket } from 'node:net';

const SSL_REQUEST = 80877103;

/** A session of the server that clients share, each for a transaction at a time. */
interface Shared {
  readonly socket: Socket;
  client: Socket | undefined;
}

export interface Pooler {
  readonly port: number;
  close(): void;
}

/**
 * What a pooler in transaction mode does: `count` sessions of a server without password are given to clients until their
 * transactions end. `next` names which of the idle ones a client gets.
 */
export async function transactionPooler(
  serverPort: number,
  { user, database, count, next }: { user: string; database: string; count: number; next: 'last' | 'first' },
): Promise<Pooler> {
  const idle: Shared[] = [];
  const waiting: ((shared: Shared) => void)[] = [];
  const give = (shared: Shared): void => {
    shared.client = undefined;
    const waits = waiting.shift();
    if (waits) waits(shared);
    else idle.push(shared);
  };
  let greeting: Uint8Array = Buffer.alloc(0);
  const all = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = createConnection({ port: serverPort, host: '127.0.0.1' });
      socket.write(startup({ user, database }));
      const shared: Shared = { socket, client: undefined };
      greeting = await greeted(socket);
      eachMessage(socket, (message) => {
        shared.client?.write(message);
        // ReadyForQuery, and no transaction is open.
        if (message[0] === 0x5a && message[5] === 0x49) give(shared);
      });
      return shared;
    }),
  );
  for (const it of all) give(it);
  const take = async (client: Socket): Promise<Shared> => {
    const now = next === 'last' ? idle.pop() : idle.shift();
    const shared = now ?? (await new Promise<Shared>((resolve) => waiting.push(resolve)));
    shared.client = client;
    return shared;
  };
  const server: Server = createServer((client) => {
    client.on('error', () => {});
    let mine: Shared | undefined;
    let begun = false;
    let turn = Promise.resolve();
    let rest = Buffer.alloc(0);
    client.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      if (!begun) {
        if (rest.length < 8) return;
        const length = rest.readInt32BE(0);
        if (rest.readInt32BE(4) === SSL_REQUEST) {
          rest = rest.subarray(length);
          client.write('N');
          return;
        }
        rest = rest.subarray(length);
        begun = true;
        client.write(greeting);
      }
      const sent = rest;
      rest = Buffer.alloc(0);
      if (sent.length === 0 || sent[0] === 0x58) return;
      turn = turn.then(async () => {
        if (mine?.client !== client) mine = await take(client);
        mine.socket.write(sent);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    close() {
      server.close();
      for (const it of all) it.socket.destroy();
    },
  };
}

function startup(params: Readonly<Record<string, string>>): Buffer {
  const pairs = Object.entries(params).map(([name, value]) => `${name}\0${value}\0`);
  const body = Buffer.from(`${pairs.join('')}\0`);
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + body.length, 0);
  head.writeInt32BE(196608, 4);
  return Buffer.concat([head, body]);
}

/** All that a server says before it takes statements. */
function greeted(socket: Socket): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let all = Buffer.alloc(0);
    const hear = (chunk: Buffer): void => {
      all = Buffer.concat([all, chunk]);
      if (all.length < 6 || all.subarray(-6)[0] !== 0x5a) return;
      socket.off('data', hear);
      resolve(all);
    };
    socket.on('data', hear);
    socket.once('error', reject);
  });
}

function eachMessage(socket: Socket, reported: (message: Buffer) => void): void {
  let rest = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length >= 1 + rest.readInt32BE(1)) {
      const length = 1 + rest.readInt32BE(1);
      reported(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  });
}
