import { message } from '../errors/message.js';
import type { Notification } from '../model/notification.js';
import { errorDetail } from '../util/error-detail.js';
import { redactKnown } from '../util/known-secrets.js';
import { runCommand } from './command.js';
import type { AfterRunOptions, CommandEnd } from './contract.js';
import { writeMetrics } from './metrics-file.js';
import { tellWebhook } from './webhook.js';

/**
 * Writes the metrics file and notifies everyone who wants to know of such an end, once it is in the ledger.
 * Notifications are sent in parallel. Never rejects and never changes the run; faults become warnings. `over`
 * undefined: the command found nothing to do, and only metrics are written.
 */
export async function afterRun(over: CommandEnd | undefined, parts: AfterRunOptions): Promise<void> {
  const { metrics } = parts;
  if (metrics) await warnOnError(parts, () => writeMetrics(metrics, over, parts));
  if (!over) return;
  const summary = wholeSummary(over);
  const wanted = parts.notify.filter(({ on }) => fits(on, over.exitCode));
  await Promise.all(wanted.map((it) => warnOnError(parts, () => deliver(it, over, summary, parts))));
}

async function deliver(
  { target }: Notification,
  over: CommandEnd,
  summary: CommandEnd['summary'],
  parts: AfterRunOptions,
): Promise<void> {
  const told =
    target.kind === 'webhook'
      ? await tellWebhook(target, summary, parts)
      : await runCommand(target, over, summary, parts);
  if (told.kind === 'not_told') parts.tell({ event: 'warning', reason: told.why });
  else parts.tell({ event: 'notified', to: told.to, attempts: told.attempts });
}

function fits(on: Notification['on'], exitCode: number): boolean {
  return on === 'always' || (on === 'success') === (exitCode === 0);
}

/** The summary of `--json`, with times that only a receiver elsewhere needs. */
function wholeSummary({ summary, exitCode, startedAt, endedAt }: CommandEnd): CommandEnd['summary'] {
  return {
    ...summary,
    exitCode,
    startedAt: new Date(startedAt).toISOString(),
    endedAt: new Date(endedAt).toISOString(),
  };
}

async function warnOnError(parts: AfterRunOptions, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const detail = redactKnown(errorDetail(error));
    parts.tell({ event: 'warning', reason: message('notify.fault', { detail }) });
  }
}
