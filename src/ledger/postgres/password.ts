import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { LedgerAccess } from '../../util/ledger-address.js';
import { readSecret } from '../../util/secret-source.js';
import { rememberSecret } from '../../util/secrets.js';

/**
 * The password of a ledger, from the source named by its URL or settings, or from `PGPASSWORD`. If undefined, `~/.pgpass` is used.
 * @throws ProductError usage that names the source, never the value
 */
export async function passwordOf({ password, env }: LedgerAccess): Promise<string | undefined> {
  if (password && password.kind !== 'given') {
    const found = await readSecret(password, env);
    if (found.kind === 'text') return found.text;
    throw new ProductError('usage', message(`ledger.password_${found.why}`, found.params));
  }
  const text = password ? password.password : env.PGPASSWORD || undefined;
  if (text !== undefined) rememberSecret(text);
  return text;
}
