import type { Route } from '../route.js';
import { SESSION_ROUTES } from './session.js';

/** Every endpoint under `/api/v1`; the OpenAPI document is made of it. */
export const ROUTES: readonly Route[] = [...SESSION_ROUTES];
