import path from 'node:path';
import { render } from '../errors/message.js';
import { loadConnections } from '../job/connections.js';
import type { AppContext } from './context.js';

/** All connections that jobs of the folder may name. Nothing of a credential is told but that there is one. */
export async function connectionsData({ env, cwd, language }: AppContext) {
  const { connections, withheld, defaultConnection } = await loadConnections(
    path.join(cwd, 'license-sync.yaml'),
    { env, cwd },
  );
  const usable = [...connections.values()].map((it) => ({
    name: it.name,
    sandbox: it.sandbox,
    ...(it.baseUrl === undefined ? {} : { host: new URL(it.baseUrl).host }),
    isDefault: it.name === defaultConnection,
    confirm: it.confirm,
    ...(it.approval === undefined ? {} : { approval: it.approval }),
    ...(it.requestsPerSecond === undefined ? {} : { requestsPerSecond: it.requestsPerSecond }),
    ...(it.maxInFlight === undefined ? {} : { maxInFlight: it.maxInFlight }),
  }));
  const others = [...withheld].map(([name, problems]) => ({
    name,
    sandbox: false,
    isDefault: name === defaultConnection,
    problems: problems.map((it) => render(it.message, language)),
  }));
  return [...usable, ...others].sort((one, other) => (one.name < other.name ? -1 : 1));
}
