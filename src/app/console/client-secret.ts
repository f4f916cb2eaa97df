import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { OidcSettings } from '../../model/console.js';
import { rememberSecret } from '../../util/known-secrets.js';
import { printedSecret } from '../../util/printed-secret.js';
import { readPrivateFile } from '../../util/private-file.js';

/**
 * The secret by which the console is known to its OpenID provider; undefined for one that needs none.
 * @throws ProductError usage that names the place, never the value
 */
export async function clientSecretOf(
  { clientSecret }: OidcSettings,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  if (!clientSecret) return undefined;
  const { place, text, reason } = await lookUp(clientSecret, env);
  if (text === undefined)
    throw new ProductError('usage', message('console.client_secret', { place, reason }));
  rememberSecret(text);
  return text;
}

type Found = { readonly place: string; readonly text?: string; readonly reason: string };

async function lookUp(
  source: NonNullable<OidcSettings['clientSecret']>,
  env: NodeJS.ProcessEnv,
): Promise<Found> {
  switch (source.kind) {
    case 'env': {
      const text = env[source.name] || undefined;
      return { place: `$${source.name}`, text, reason: 'unset' };
    }
    case 'file': {
      const found = await readPrivateFile(source.path);
      if (found.kind === 'text') return { place: source.path, text: found.text, reason: '' };
      return { place: source.path, reason: found.kind === 'unreadable' ? found.reason : 'open-to-others' };
    }
    case 'command': {
      const found = await printedSecret(source.argv, env);
      // The program's name only: its arguments may hold secrets.
      const place = source.argv[0] ?? '';
      return found.kind === 'text'
        ? { place, text: found.text, reason: '' }
        : { place, reason: found.reason };
    }
  }
}
