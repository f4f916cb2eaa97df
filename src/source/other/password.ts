import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { SecretSource } from '../../model/notification.js';
import { rememberSecret } from '../../util/known-secrets.js';
import { readPrivateFile } from '../../util/private-file.js';
import type { GivenPassword } from '../encrypted/decrypt.js';

/**
 * The password of an encrypted workbook. It is looked for only when the workbook turns out to be encrypted.
 * @param file what messages call the workbook
 * @throws ProductError usage that names the place, never the value
 */
export async function sourcePassword(
  source: SecretSource,
  file: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<GivenPassword> {
  if (source.kind === 'env') {
    const value = env[source.name];
    if (!value) throw new ProductError('usage', message('source.password_env', { file, name: source.name }));
    return remembered(value, source.name);
  }
  const { path } = source;
  const found = await readPrivateFile(path);
  if (found.kind === 'text') return remembered(found.text, path);
  throw new ProductError(
    'usage',
    found.kind === 'open_to_others'
      ? message('source.password_file_open', { file, path })
      : message('source.password_file', { file, path, reason: found.reason }),
  );
}

function remembered(value: string, from: string): GivenPassword {
  rememberSecret(value);
  return { value, from };
}
