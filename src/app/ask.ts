import { chinesePurpose } from '../platform/operations/words.js';
import type { Ask } from '../run/execute/consent.js';
import type { WatchedContext } from './context.js';

/** How a run has its yes: the question is put to whoever waits for it as plain data. */
export function askOf({ confirm, language }: Pick<WatchedContext, 'confirm' | 'language'>): Ask {
  if (confirm === true) return { kind: 'given' };
  if (confirm === false) return { kind: 'nobody' };
  return {
    kind: 'terminal',
    confirm: async ({ job, operation: { name, purpose }, connection, items, canary, doubtful }) =>
      confirm({
        job,
        operation: name,
        purpose: (language === 'zh' && chinesePurpose(name)) || purpose,
        connection: connection.name,
        address: connection.baseUrl,
        items,
        doubtful,
        canary,
      }),
  };
}
