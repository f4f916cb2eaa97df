import { message } from '../errors/message.js';
import type { Notification } from '../model/connection.js';
import { errorDetail } from '../util/error-detail.js';
import { redactKnown } from '../util/secrets.js';
import { runCommand } from './command.js';
import { writeMetrics } from './metrics-file.js';
import type { AfterRunOptions, CommandEnd } from './notification-types.js';
import { notifyWebhook } from './webhook.js';

/**
 * Writes the metrics file and sends the notifications that match the end, which must be stored in the ledger. Notifications
 * are sent in parallel. Never rejects and never changes the run; errors become warnings.
 * @param over undefined: the command found nothing to do, and only metrics are written
 */
export async function afterRun(over: CommandEnd | undefined, parts: AfterRunOptions): Promise<void> {
  const { metrics } = parts;
  if (metrics) await warnOnError(parts, () => writeMetrics(metrics, over, parts));
  if (!over) return;
  const summary = wholeSummary(over);
  const matching = parts.notify.filter(({ on }) => fits(on, over.exitCode));
  await Promise.all(matching.map((it) => warnOnError(parts, () => deliver(it, over, summary, parts))));
}

async function deliver(
  { target }: Notification,
  over: CommandEnd,
  summary: CommandEnd['summary'],
  parts: AfterRunOptions,
): Promise<void> {
  const delivery =
    target.kind === 'webhook'
      ? await notifyWebhook(target, summary, parts)
      : await runCommand(target, over, summary, parts);
  if (delivery.kind === 'failed') parts.onEvent({ event: 'warning', reason: delivery.why });
  else parts.onEvent({ event: 'notified', to: delivery.to, attempts: delivery.attempts });
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
    parts.onEvent({ event: 'warning', reason: message('notify.fault', { detail }) });
  }
}
