import { hostname, userInfo } from 'node:os';

/**
 * Who works at which machine, for the audit: `wang@desk-7`. Where the system has no name for the user (containers), the
 * user's number.
 */
export function currentUser(): string {
  return `${userName()}@${hostname()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? '-'}`;
  }
}
