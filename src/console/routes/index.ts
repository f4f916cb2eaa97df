import type { Route } from '../route.js';
import { DOWNLOAD_ROUTES } from './downloads.js';
import { IMPORT_READS } from './import-reads.js';
import { IMPORT_WRITES } from './import-writes.js';
import { JOB_ROUTES } from './jobs.js';
import { PEOPLE_ROUTES } from './people.js';
import { PLAN_ROUTES } from './plans.js';
import { REHEARSAL_ROUTES } from './rehearsals.js';
import { RUN_ROUTES } from './runs.js';
import { SESSION_ROUTES } from './session.js';
import { UPLOAD_ROUTES } from './uploads.js';

/** All endpoints under `/api/v1`; the OpenAPI document is generated from them. */
export const ROUTES: readonly Route[] = [
  ...SESSION_ROUTES,
  ...UPLOAD_ROUTES,
  ...IMPORT_READS,
  ...IMPORT_WRITES,
  ...JOB_ROUTES,
  ...PEOPLE_ROUTES,
  ...RUN_ROUTES,
  ...PLAN_ROUTES,
  ...DOWNLOAD_ROUTES,
  ...REHEARSAL_ROUTES,
];
