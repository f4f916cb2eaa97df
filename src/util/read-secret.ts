import { readPrivateFile } from './files.js';
import type { CommandSource, SecretSource } from './secret-source.js';
import { printedSecret, rememberSecret } from './secrets.js';

type Unreadable = 'env' | 'file' | 'file_open' | 'command';

type ReadSecret<Why extends Unreadable> =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'unreadable';
      /** `env`: the variable is not set. `file_open`: other users can read the file. */
      readonly why: Why;
      /** For the message: the variable, file or program, under each of its names, and the reason. */
      readonly params: { name: string; path: string; program: string; reason: string };
      /** The encoding of a file that is not UTF-8 without BOM. */
      readonly encoding?: string;
    };

/**
 * Reads a secret, and remembers it so that no output shows it. Never rejects.
 * @returns for a secret that cannot be read its source, never a value
 */
export function readSecret(
  source: SecretSource,
  env: NodeJS.ProcessEnv,
): Promise<ReadSecret<Exclude<Unreadable, 'command'>>>;
export function readSecret(
  source: SecretSource | CommandSource,
  env: NodeJS.ProcessEnv,
): Promise<ReadSecret<Unreadable>>;
export async function readSecret(
  source: SecretSource | CommandSource,
  env: NodeJS.ProcessEnv,
): Promise<ReadSecret<Unreadable>> {
  const read = await textOf(source, env);
  if (read.kind === 'text') rememberSecret(read.text);
  return read;
}

async function textOf(
  source: SecretSource | CommandSource,
  env: NodeJS.ProcessEnv,
): Promise<ReadSecret<Unreadable>> {
  switch (source.kind) {
    case 'env': {
      const text = env[source.name];
      return text ? { kind: 'text', text } : unreadable('env', source.name, 'unset');
    }
    case 'file': {
      const found = await readPrivateFile(source.path);
      if (found.kind === 'text') return found;
      if (found.kind === 'open_to_others') return unreadable('file_open', source.path, 'open-to-others');
      const { reason } = found;
      return unreadable('file', source.path, reason, 'encoding' in found ? found.encoding : undefined);
    }
    case 'command': {
      const found = await printedSecret(source.argv, env);
      // Names only the program, because its arguments may contain secrets.
      return found.kind === 'text' ? found : unreadable('command', source.argv[0] ?? '', found.reason);
    }
  }
}

function unreadable(why: Unreadable, place: string, reason: string, encoding?: string) {
  const params = { name: place, path: place, program: place, reason };
  return { kind: 'unreadable', why, params, encoding } as const;
}
