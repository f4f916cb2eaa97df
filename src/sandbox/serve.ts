import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { Series } from '../model/run-outcome.js';
import { applyEffect, SIMULATIONS } from '../platform/operations/simulations.js';
import { State, type Timestamps } from '../platform/simulated/state.js';
import type { FaultPlan } from './faults.js';
import { Nonces, servedHosts } from './http/gate.js';
import { handle } from './http/handle.js';
import { Journal } from './journal.js';
import { seed } from './seed.js';
import { Counters, type SandboxStats } from './stats.js';

export type { FaultPlan } from './faults.js';
export { parseFaults } from './faults.js';
export type { SandboxStats } from './stats.js';

export interface SandboxOptions {
  /** 0 (the default): any free one. */
  readonly port?: number;
  /** Default `127.0.0.1`. */
  readonly host?: string;
  /** Delay of each reply after its effect. */
  readonly latencyMs?: number;
  /** Stores effects across restarts and crashes; without it they are in memory. */
  readonly stateFile?: string;
  readonly faults?: FaultPlan;
  /** The only accepted token; without it any non-empty token is accepted. */
  readonly token?: string;
  /** Scopes of the application; default both, `auth_order` and `auth_activity`. */
  readonly scopes?: readonly string[];
  /** Unit of the Long date fields; default milliseconds. */
  readonly timestamps?: Timestamps;
  /** Series of the numbers that it assigns, if others process the same run. */
  readonly series?: Series;
}

export interface Sandbox {
  /** Without a trailing slash. */
  readonly url: string;
  readonly port: number;
  stats(): SandboxStats;
  /** Closes open connections, too. */
  close(): Promise<void>;
}

/**
 * Serves the simulated platform: all endpoints of §4.2, with state. If the interface says "not shown", the `choices` of
 * the operations apply.
 * @throws ProductError usage: the port is in use, or the state file cannot be used
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return startFilledSandbox(options, seed);
}

/** Like `startSandbox`, with initial data from the caller in place of the seed data. */
export async function startFilledSandbox(
  options: SandboxOptions,
  fill: (state: State) => void,
): Promise<Sandbox> {
  const { host = '127.0.0.1', port = 0, timestamps = 'milliseconds', stateFile, series } = options;
  const state = new State(
    timestamps,
    SIMULATIONS.flatMap((it) => it.counts ?? []),
    series,
  );
  const nonces = new Nonces();
  const counters = new Counters();
  fill(state);
  const journal =
    stateFile === undefined
      ? undefined
      : await Journal.open(stateFile, timestamps, (entry) => {
          applyEffect(state, entry);
          nonces.take(entry.nonce, entry.at);
        });
  // Set once the port is known; no request is served before.
  let respond: (request: IncomingMessage, response: ServerResponse) => void = () => {};
  const server = createServer({ requestTimeout: 120_000 }, (request, response) => respond(request, response));
  // An idle connection that the server closes just as a request is sent looks like a lost order to the client.
  server.keepAliveTimeout = 600_000;
  try {
    await listen(server, host, port);
  } catch (error) {
    await journal?.close();
    throw error;
  }
  const bound = (server.address() as AddressInfo).port;
  const gate = {
    hosts: servedHosts(host, bound),
    token: options.token,
    scopes: options.scopes ?? ['auth_order', 'auth_activity'],
  };
  const platform = { gate, state, nonces, journal };
  respond = handle({ platform, counters, faults: options.faults, latencyMs: options.latencyMs ?? 0 });
  return {
    url: `http://${urlHost(host)}:${bound}`,
    port: bound,
    stats: () => counters.snapshot(state),
    close: () => closeServer(server, journal),
  };
}

function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const reason = (error as NodeJS.ErrnoException).code ?? error.message;
      reject(
        new ProductError('usage', message('sandbox.port_taken', { host, port, reason }), { cause: error }),
      );
    });
    server.listen(port, host, resolve);
  });
}

async function closeServer(server: Server, journal: Journal | undefined): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
  await journal?.close();
}
