import { SIMULATIONS } from '../../src/platform/operations/simulations.js';
import type { SandboxChoice } from '../../src/platform/simulated/simulation.js';

/** Choices that concern every endpoint. */
const GENERAL: readonly SandboxChoice[] = [
  {
    section: '§2.3',
    text: 'A required text may be empty but not absent or null; members that the interface does not have are refused with 13004.',
  },
  {
    section: '§2.8',
    text: 'Long dates are milliseconds since 1970, or seconds where the sandbox is started so; validity texts of the activity look like 2026-01-31 08:30:00 (UTC+8).',
  },
  {
    section: '§5.4',
    text: 'Any non-empty bearer token is accepted unless the sandbox is started with one; any non-empty appKey is.',
  },
  {
    section: '§5.5',
    text: 'A g_nonce has 1 to 128 characters. Its reuse is refused with 13004 (1001 for the activity service); the last million of 24 hours are remembered.',
  },
  {
    section: '§7.1',
    text: '13004 and 500 come with HTTP 200, every other business code with HTTP 299 and the same three members code, message, cause. A missing Content-Type is 13004; 401, 403, 404, 405 and 413 have their usual meaning.',
  },
  {
    section: '§8',
    text: 'No rate limit; a body may have 20 MB; orderList and assetNums may have any length within that.',
  },
];

/** What the sandbox does where the interface is silent: the README must list it. */
export const CHOICES: readonly SandboxChoice[] = [
  ...GENERAL,
  ...SIMULATIONS.flatMap((it) => it.choices ?? []),
];
