import { render } from '../errors/message.js';
import { loadConnections, resolveConnection } from '../job/connections.js';
import type { AppContext } from './context.js';

/**
 * The time zone of texts that concern no particular connection: of the default connection, or the one that all connections have;
 * otherwise of this machine.
 */
export async function usualTimezone({ env, cwd }: Pick<AppContext, 'env' | 'cwd'>): Promise<string> {
  const machine = Intl.DateTimeFormat().resolvedOptions().timeZone;
  try {
    const found = await loadConnections(undefined, { env, cwd });
    const { connections, defaultConnection } = found;
    if (defaultConnection !== undefined) return resolveConnection(found, {}).timezone;
    const named = [...connections.values()].filter((it) => !it.sandbox);
    const [zone = machine, ...others] = new Set(
      (named.length > 0 ? named : [...connections.values()]).map((it) => it.timezone),
    );
    return others.length === 0 ? zone : machine;
  } catch {
    // Settings with an error: what was asked for does not depend on them.
    return machine;
  }
}

/** All connections that jobs of the folder may name, without credentials. */
export async function connectionsData({ env, cwd, language }: AppContext) {
  const { connections, withheld, defaultConnection } = await loadConnections(undefined, { env, cwd });
  const usable = [...connections.values()].map((it) => ({
    name: it.name,
    sandbox: it.sandbox,
    ...(it.baseUrl === undefined ? {} : { host: new URL(it.baseUrl).host }),
    isDefault: it.name === defaultConnection,
    confirm: it.confirm,
    approval: it.approval,
    requestsPerSecond: it.requestsPerSecond,
    maxInFlight: it.maxInFlight,
  }));
  const others = [...withheld].map(([name, problems]) => ({
    name,
    sandbox: false,
    isDefault: name === defaultConnection,
    problems: problems.map((it) => render(it.message, language)),
  }));
  return [...usable, ...others].sort((a, b) => (a.name < b.name ? -1 : 1));
}
