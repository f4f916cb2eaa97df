import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { readPrivateFile } from '../../util/files.js';
import type { LedgerAccess } from '../../util/ledger-address.js';
import { printedSecret, rememberSecret } from '../../util/secrets.js';

/**
 * The password of a ledger, from the source named by its URL or settings, or from `PGPASSWORD`. If undefined, `~/.pgpass` is used.
 * @throws ProductError usage that names the source, never the value
 */
export async function passwordOf({ password, env }: LedgerAccess): Promise<string | undefined> {
  const found = password ? await fromSource(password, env) : env.PGPASSWORD || undefined;
  if (found !== undefined) rememberSecret(found);
  return found;
}

async function fromSource(
  source: NonNullable<LedgerAccess['password']>,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  switch (source.kind) {
    case 'given':
      return source.password;
    case 'env': {
      const value = env[source.name];
      if (value) return value;
      throw new ProductError('usage', message('ledger.password_env', { name: source.name }));
    }
    case 'file': {
      const { path } = source;
      const found = await readPrivateFile(path);
      if (found.kind === 'text') return found.text;
      throw new ProductError(
        'usage',
        found.kind === 'open_to_others'
          ? message('ledger.password_file_open', { path })
          : message('ledger.password_file', { path, reason: found.reason }),
      );
    }
    case 'command': {
      const found = await printedSecret(source.argv, env);
      if (found.kind === 'text') return found.text;
      // Only the program's name, because its arguments may contain secrets.
      const params = { program: source.argv[0] ?? '', reason: found.reason };
      throw new ProductError('usage', message('ledger.password_command', params));
    }
  }
}
