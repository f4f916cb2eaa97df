import type { RowStory } from '../contract/report.js';
import { unpackId } from './ids.js';

type AttemptStory = RowStory['items'][number]['attempts'][number];

/** A row of `attempts`. */
export interface AttemptLine {
  readonly attempt: number;
  readonly nonce: string;
  readonly started_at: number;
  readonly ended_at: number | null;
  readonly http_status: number | null;
  readonly event: string | null;
  readonly sent: number | null;
  readonly reply: string | null;
}

/** @param batch the id of its batch */
export function attemptStory(run: string, batch: number, it: AttemptLine): AttemptStory {
  return {
    run,
    batch: unpackId(batch),
    attempt: it.attempt,
    nonce: it.nonce,
    startedAt: it.started_at,
    ...(it.ended_at === null ? {} : { endedAt: it.ended_at }),
    ...(it.http_status === null ? {} : { httpStatus: it.http_status }),
    ...(it.event === null ? {} : { event: it.event }),
    ...(it.sent === null ? {} : { sent: it.sent === 1 }),
    ...(it.reply === null ? {} : { reply: it.reply }),
  };
}
