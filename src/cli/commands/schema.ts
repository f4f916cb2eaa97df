import { readFile } from 'node:fs/promises';
import { schemaText } from '../../app/init.js';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { EXIT } from '../../model/run-outcome.js';
import { guarded } from '../process.js';

/** `schema`: to stdout, or compared with a file. */
export async function schema(flags: { readonly check?: string; readonly config?: boolean }): Promise<void> {
  await guarded({}, async () => {
    const text = schemaText(flags.config ? 'config' : 'job');
    const file = flags.check;
    if (file === undefined) {
      process.stdout.write(text);
      return EXIT.ok;
    }
    const existing = await readFile(file, 'utf8').catch(() => {
      throw new ProductError('usage', message('cli.file_missing', { file }));
    });
    if (existing === text) return EXIT.ok;
    throw new ProductError('usage', message('cli.schema_outdated', { file }));
  });
}
