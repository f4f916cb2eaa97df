/** States in which a run that sends or compares has somebody at work on it. */
export const UNDER_WAY = ['planning', 'planned', 'queued', 'executing', 'executed'] as const;

/** Whether something still happens to a run by itself. One that only checks, and a kept plan, end when they are planned. */
export function isUnderWay(state: string, kind: string): boolean {
  if (kind !== 'run' && kind !== 'reconcile') return state === 'planning';
  return (UNDER_WAY as readonly string[]).includes(state);
}
