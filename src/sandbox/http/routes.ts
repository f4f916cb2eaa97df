import type { Endpoint } from '../../model/operation.js';
import { ENDPOINTS, type EndpointName } from '../../platform/wire/endpoints.js';
import { httpRefusal, type Reply } from './reply.js';

interface Route {
  readonly name: EndpointName;
  readonly endpoint: Endpoint;
  readonly pattern: RegExp;
  /** Names of the path parameters, in the pattern's order. */
  readonly params: readonly string[];
}

const ROUTES: readonly Route[] = (Object.entries(ENDPOINTS) as [EndpointName, Endpoint][]).map(
  ([name, endpoint]) => ({
    name,
    endpoint,
    pattern: new RegExp(`^${endpoint.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
    params: [...endpoint.path.matchAll(/\{(\w+)\}/g)].map((it) => it[1]!),
  }),
);

export interface Found {
  readonly name: EndpointName;
  readonly endpoint: Endpoint;
  /** Path and query parameters by name. */
  readonly params: ReadonlyMap<string, string>;
}

/** The endpoint of a request; else 404 for an unknown path, 405 for a wrong method. */
export function route(method: string, url: URL): Found | Reply {
  for (const { name, endpoint, pattern, params } of ROUTES) {
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
    return { name, endpoint, params: values };
  }
  return httpRefusal(404, `no endpoint at ${url.pathname}`);
}
