import type { Endpoint } from '../../model/operation.js';
import { SIMULATIONS } from '../../platform/operations/simulations.js';
import type { Simulation } from '../../platform/simulated/simulation.js';
import { httpRefusal, type Reply } from './reply.js';

interface Route {
  readonly simulation: Simulation;
  readonly pattern: RegExp;
  /** Names of the path parameters, in the pattern's order. */
  readonly params: readonly string[];
}

const ROUTES: readonly Route[] = SIMULATIONS.map((simulation) => {
  const { path } = simulation.endpoint;
  return {
    simulation,
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
    params: [...path.matchAll(/\{(\w+)\}/g)].map((it) => it[1]!),
  };
});

export interface Found {
  readonly simulation: Simulation;
  readonly endpoint: Endpoint;
  /** Path and query parameters by name. */
  readonly params: ReadonlyMap<string, string>;
}

/** The endpoint of a request; otherwise 404 for an unknown path, 405 for a wrong method. */
export function route(method: string, url: URL): Found | Reply {
  for (const { simulation, pattern, params } of ROUTES) {
    const { endpoint } = simulation;
    const match = pattern.exec(url.pathname);
    if (!match) continue;
    if (method !== endpoint.method) {
      return httpRefusal(405, `${endpoint.path} takes ${endpoint.method} only`, { allow: endpoint.method });
    }
    const values = new Map(url.searchParams);
    try {
      params.forEach((param, index) => {
        values.set(param, decodeURIComponent(match[index + 1]!));
      });
    } catch {
      return httpRefusal(400, 'the path is not properly encoded');
    }
    return { simulation, endpoint, params: values };
  }
  return httpRefusal(404, `no endpoint at ${url.pathname}`);
}
