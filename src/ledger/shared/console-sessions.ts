import type { ConsoleSession } from '../contract/console-sessions.js';

/** A row of `console_sessions`. */
export interface SessionRecord {
  readonly id: string;
  readonly who: string;
  readonly person: string | null;
  readonly via: ConsoleSession['via'];
  readonly created_at: number;
  readonly seen_at: number;
  readonly expires_at: number;
}

/** How long an expired or revoked one is kept, for whoever looks back. */
export const FORGOTTEN_AFTER_MS = 30 * 24 * 3_600_000;

export function toSession(it: SessionRecord): ConsoleSession {
  return {
    id: it.id,
    who: it.who,
    ...(it.person === null ? {} : { person: it.person }),
    via: it.via,
    createdAt: it.created_at,
    seenAt: it.seen_at,
    expiresAt: it.expires_at,
  };
}
