/** A fault strikes before the request is looked at, or after its effect (if it has one) was carried out. */
interface Kind {
  readonly when: 'before' | 'after';
  readonly meaning: string;
}

/** Every fault that can be asked for: the events of a bad day, as seen from the client. */
export const FAULT_KINDS = {
  'reset-before': { when: 'before', meaning: 'connection reset before anything is done' },
  'reset-after': { when: 'after', meaning: 'carried out, then the connection is reset' },
  hang: { when: 'after', meaning: 'carried out, never answered' },
  drip: { when: 'after', meaning: 'carried out; the reply comes a byte every 100 ms' },
  truncated: { when: 'after', meaning: 'carried out; the connection ends in the middle of the reply' },
  oversize: { when: 'after', meaning: 'carried out; the reply is over 10 MB' },
  'not-json': { when: 'after', meaning: 'carried out; the reply is an HTML page' },
  'no-data': { when: 'after', meaning: 'carried out; the reply says success but has no data' },
  missing: { when: 'after', meaning: 'carried out; one result of the list is left out' },
  doubled: { when: 'after', meaning: 'carried out; one result comes twice, with different content' },
  foreign: { when: 'after', meaning: 'carried out; a result that was not asked for is added' },
  bignumber: { when: 'after', meaning: 'carried out; the results hold a number over 2^53' },
  'status-400': { when: 'before', meaning: 'HTTP 400, nothing done' },
  'status-401': { when: 'before', meaning: 'HTTP 401, nothing done' },
  'status-403': { when: 'before', meaning: 'HTTP 403, nothing done' },
  'status-408': { when: 'before', meaning: 'HTTP 408, nothing done' },
  'status-429': { when: 'before', meaning: 'HTTP 429 with Retry-After of 1 s, nothing done' },
  'status-500': { when: 'before', meaning: 'HTTP 500, nothing done' },
  'status-500-after': { when: 'after', meaning: 'carried out, then HTTP 500' },
  'status-502': { when: 'before', meaning: 'HTTP 502, nothing done' },
  'status-503': { when: 'before', meaning: 'HTTP 503, nothing done' },
  'status-504-after': { when: 'after', meaning: 'carried out, then HTTP 504' },
  'status-302': { when: 'before', meaning: 'HTTP 302 to another path, nothing done' },
  'status-303': { when: 'after', meaning: 'carried out, then HTTP 303 to another path' },
  'status-307': { when: 'before', meaning: 'HTTP 307 to another path, nothing done' },
  'code-500': { when: 'before', meaning: 'business code 500, nothing done' },
  'code-500-after': { when: 'after', meaning: 'carried out, then business code 500' },
  'code-13004': { when: 'before', meaning: 'business code 13004, nothing done' },
  'http-299': { when: 'before', meaning: 'HTTP 299 with a business exception, nothing done' },
} as const satisfies Readonly<Record<string, Kind>>;

export type FaultKind = keyof typeof FAULT_KINDS;

export const FAULT_KIND_NAMES = Object.keys(FAULT_KINDS) as readonly FaultKind[];

export function isFaultKind(word: string): word is FaultKind {
  return Object.hasOwn(FAULT_KINDS, word);
}
