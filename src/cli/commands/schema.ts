import { readFile } from 'node:fs/promises';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { configJsonSchema, jobJsonSchema } from '../../job/json-schema.js';
import { EXIT } from '../../model/exit-code.js';
import { COMPARISONS } from '../../platform/comparisons/index.js';
import { CATALOGUE_SHAPES } from '../../platform/operations/index.js';
import { guarded } from '../exit.js';
import { languageOf } from '../language.js';

/** `schema`: to stdout, or compared with a file. */
export async function schema(flags: { readonly check?: string; readonly config?: boolean }): Promise<void> {
  const language = languageOf(process.env);
  await guarded(language, async () => {
    const made = flags.config ? configJsonSchema() : jobJsonSchema(CATALOGUE_SHAPES, COMPARISONS);
    const text = `${JSON.stringify(made, undefined, 2)}\n`;
    if (flags.check === undefined) {
      process.stdout.write(text);
      return EXIT.ok;
    }
    const file = flags.check;
    const there = await readFile(file, 'utf8').catch(() => {
      throw new ProductError('usage', message('cli.file_missing', { file }));
    });
    if (there === text) return EXIT.ok;
    throw new ProductError('usage', message('cli.schema_outdated', { file }));
  });
}
