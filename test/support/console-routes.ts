import type { Route } from '../../src/console/route.js';
import { ROUTES } from '../../src/console/routes/index.js';

/** Each endpoint with an address: what is in its path is nowhere. */
export const ADDRESSED = ROUTES.map((route) => ({
  name: `${route.method.toUpperCase()} ${route.path}`,
  route,
  at: `/api/v1${route.path.replaceAll(/\{\w+\}/g, 'nothing')}`,
}));

/** Anybody may call these. */
export const isOpen = (route: Route): boolean => route.access === 'open';

/** One's own session: nothing that a role is needed for. */
export const isOwn = ({ path }: Route): boolean => /^\/sessions?\b/.test(path);
