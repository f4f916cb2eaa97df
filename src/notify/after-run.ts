import { message } from '../errors/message.js';
import type { Notification } from '../model/connection.js';
import { errorDetail } from '../util/error-detail.js';
import { redactKnown } from '../util/secrets.js';
import { notifyCommand } from './command.js';
import { writeMetrics } from './metrics-file.js';
import type { AfterRunOptions, CommandEnd, Delivery } from './notification-types.js';
import { notifyWebhook } from './webhook.js';

/**
 * Writes the metrics file and sends the notifications that match the end, which must be stored in the ledger. Notifications
 * are sent in parallel. Never rejects and never changes the run; errors become warnings.
 * @param end undefined: the command found nothing to do, and only metrics are written
 */
export async function afterRun(end: CommandEnd | undefined, parts: AfterRunOptions): Promise<void> {
  const { metrics } = parts;
  if (metrics) await warnOnError(parts, () => writeMetrics(metrics, end, parts));
  if (!end) return;
  const summary = wholeSummary(end);
  const matching = parts.notify.filter(({ on }) => fits(on, end.exitCode));
  await Promise.all(matching.map((it) => warnOnError(parts, () => notify(it, end, summary, parts))));
}

async function notify(
  { target }: Notification,
  end: CommandEnd,
  summary: CommandEnd['summary'],
  parts: AfterRunOptions,
): Promise<void> {
  const delivery = await deliver(target, end, summary, parts);
  if (delivery.kind === 'failed') parts.onEvent({ event: 'warning', reason: delivery.why });
  else parts.onEvent({ event: 'notified', to: delivery.to, attempts: delivery.attempts });
}

/** The switch has no default: a new kind of target does not compile until it is delivered. */
function deliver(
  target: Notification['target'],
  end: CommandEnd,
  summary: CommandEnd['summary'],
  parts: AfterRunOptions,
): Promise<Delivery> {
  switch (target.kind) {
    case 'webhook':
      return notifyWebhook(target, summary, parts);
    case 'command':
      return notifyCommand(target, end, summary, parts);
  }
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
