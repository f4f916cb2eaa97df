import { userInfo } from 'node:os';

/** The user of the operating system, for the audit; by number where the system has no name for it (containers). */
export function currentUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? '-'}`;
  }
}
