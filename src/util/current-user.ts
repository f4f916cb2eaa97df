import { homedir, hostname, userInfo } from 'node:os';

/** Who works at which machine: `wang@desk-7`. Where the system has no name for the user (containers), the number. */
export function currentUser(): string {
  let name = `uid ${process.getuid?.() ?? '-'}`;
  try {
    name = userInfo().username;
  } catch {
    // Has no name.
  }
  return `${name}@${hostname()}`;
}

export function homeFolder(env: NodeJS.ProcessEnv): string {
  return env.HOME || homedir();
}
