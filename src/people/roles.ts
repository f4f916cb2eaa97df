import type { Role } from '../model/person.js';

/** Every act that the program asks about, and the role that may do it. */
export const ACTS = {
  read: 'viewer',
  validate: 'maker',
  plan: 'maker',
  run: 'maker',
  submit: 'maker',
  request: 'maker',
  apply: 'maker',
  stop: 'maker',
  resume: 'maker',
  retry: 'maker',
  resolve: 'maker',
  revert: 'maker',
  reconcile: 'maker',
  rehearse: 'maker',
  pull: 'maker',
  schedule: 'maker',
  import: 'maker',
  correct: 'maker',
  approve: 'checker',
  reject: 'checker',
  people: 'admin',
  sessions: 'admin',
  prune: 'admin',
  ledger_copy: 'admin',
  ledger_accept: 'admin',
} as const satisfies Readonly<Record<string, Role>>;

export type Act = keyof typeof ACTS;

/** An admin may do all that makers and checkers may; everybody may read. */
export function mayDo(roles: readonly Role[], act: Act): boolean {
  const wanted = ACTS[act];
  return wanted === 'viewer' || roles.includes(wanted) || roles.includes('admin');
}
