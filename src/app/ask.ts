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
        purpose: language === 'zh' ? await inChinese(name, purpose) : purpose,
        connection: connection.name,
        address: connection.baseUrl,
        items,
        doubtful,
        canary,
      }),
  };
}

/** Loaded where it is asked for: few runs need the words of operations. */
async function inChinese(operation: string, purpose: string): Promise<string> {
  const { chinesePurpose } = await import('../platform/operations/words.js');
  return chinesePurpose(operation) ?? purpose;
}
