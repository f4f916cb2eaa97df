import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { openConsole } from '../app/console.js';
import type { AppContext } from '../app/context.js';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { consoleApp } from './app.js';
import { Assets } from './assets.js';
import type { Reached } from './auth/origin.js';
import { SignIn } from './auth/sign-in.js';
import { House } from './house.js';
import { ROUTES } from './routes/index.js';

export interface ConsoleOptions {
  /** 0: any free one. */
  readonly port: number;
  readonly host: string;
  /** Hears of faults of the program. */
  readonly tell: (text: string) => void;
}

export interface ServedConsole {
  /** With the token that signs in once. */
  readonly url: string;
  readonly port: number;
  /** Ends within 10 s: children are stopped as by Ctrl-C, then nothing is answered any more. */
  close(): Promise<void>;
}

/**
 * Serves the console.
 * @throws ProductError usage: the port is taken, the settings are wrong, the ledger can't be opened
 */
export async function serveConsole(app: AppContext, options: ConsoleOptions): Promise<ServedConsole> {
  const ground = await openConsole(app);
  const house = new House();
  let respond: ((request: Request) => Promise<Response>) | undefined;
  const server = createAdaptorServer({
    fetch: (request) => respond!(request),
    overrideGlobalObjects: false,
    serverOptions: { headersTimeout: 10_000, requestTimeout: 600_000, connectionsCheckingInterval: 5000 },
  }) as import('node:http').Server;
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(options.port, options.host, () => resolve());
    });
  } catch (error) {
    await ground.close();
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new ProductError(
      'usage',
      message('console.cannot_listen', { host: options.host, port: options.port, code }),
    );
  }
  const { port } = server.address() as AddressInfo;
  const hosts = ['127.0.0.1', 'localhost', '[::1]'].map((it) => `${it}:${port}`);
  const reached: Reached = { hosts: new Set(hosts), scheme: 'http' };
  const signIn = new SignIn(`license-sync-${port}`, ground.settings.sessionAgeMs);
  const parts = {
    app,
    ground,
    house,
    routes: ROUTES,
    assets: new Assets(),
    signIn,
    reached,
    tell: options.tell,
  };
  respond = consoleApp(parts);
  return {
    url: `http://127.0.0.1:${port}/?token=${signIn.link.text}`,
    port,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await house.close();
      server.closeAllConnections();
      await closed;
      await ground.close();
    },
  };
}
