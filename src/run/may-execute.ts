import { type Message, message } from '../errors/message.js';
import { operationNamed } from '../platform/operations/index.js';
import { consent } from './consent.js';
import type { Ended } from './ended.js';
import { brokenLimit } from './plan-checks.js';
import type { Current } from './run-parts.js';

/** All that may forbid sending what was planned. */
export async function mayExecute(current: Current): Promise<Ended> {
  const { parts, id, kind, settings } = current;
  const { ledger, observer } = parts;
  const { job, connection } = settings;
  const operation = operationNamed(job.operation);
  const counts = await ledger.runs.counts(id);
  if ((counts.invalid ?? 0) > 0 && job.run.onInvalid === 'abort') return { status: 'invalid' };
  if (job.safety.duplicates === 'abort') {
    const held = await heldByOthers(current);
    if (held) return { status: 'stopped', reason: held };
  }
  const { items } = await ledger.execution.remaining(id);
  const broken = await brokenLimit(ledger, id, operation, job, items);
  if (broken && kind !== 'run') observer.warn(broken);
  else if (broken) return { status: 'stopped', reason: broken };
  if (kind !== 'run' || items === 0) return { status: 'completed' };
  const { retry } = settings;
  const doubtful = retry && retry.unknown > 0 ? { run: retry.parent, rows: retry.unknown } : undefined;
  const intention = { operation, connection, items, job: job.name, ...(doubtful ? { doubtful } : {}) };
  const refusal = await consent(parts.ask, intention);
  return refusal ? { status: 'stopped', reason: refusal } : { status: 'completed' };
}

async function heldByOthers({ parts, id }: Current): Promise<Message | undefined> {
  let count = 0;
  let first = '';
  for await (const page of parts.ledger.report.rows(id, 'not_sent')) {
    for (const { messages } of page) {
      for (const { text } of messages) {
        if (typeof text === 'string' || !text.code.startsWith('run.held_')) continue;
        count += 1;
        first ||= String(text.params.run);
      }
    }
  }
  return count === 0 ? undefined : message('run.held_abort', { count, run: first });
}
