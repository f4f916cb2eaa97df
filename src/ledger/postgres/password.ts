import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { rememberSecret } from '../../util/known-secrets.js';
import type { LedgerAccess } from '../../util/ledger-place.js';
import { printedSecret } from '../../util/printed-secret.js';
import { readPrivateFile } from '../../util/private-file.js';

/**
 * The password of a ledger, from where its URL or its settings say, or from `PGPASSWORD`; undefined: `~/.pgpass` may know.
 * @throws ProductError usage that names the place, never the value
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
      // The program's name only: its arguments may hold secrets.
      const params = { program: source.argv[0] ?? '', reason: found.reason };
      throw new ProductError('usage', message('ledger.password_command', params));
    }
  }
}
