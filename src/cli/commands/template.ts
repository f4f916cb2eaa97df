import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import { EXIT } from '../../model/exit-code.js';
import { OPERATION_NAMES, type OperationName } from '../../model/operation.js';
import { operationNamed } from '../../platform/operations/index.js';
import { templateColumns } from '../../platform/operations/listing.js';
import { nearest } from '../../util/nearest.js';
import { templateWorkbook } from '../../workbook/template.js';
import { guarded } from '../exit.js';
import { languageOf } from '../language.js';

export interface TemplateFlags {
  readonly output?: string;
  readonly all?: string;
}

/** `template OPERATION`, or every operation's into one folder. */
export async function template(name: string | undefined, flags: TemplateFlags): Promise<void> {
  await guarded(languageOf(process.env), async () => {
    if (flags.all !== undefined) {
      await mkdir(flags.all, { recursive: true });
      for (const each of OPERATION_NAMES) await write(each, path.join(flags.all, `${each}.xlsx`));
      return EXIT.ok;
    }
    if (!isOperation(name)) {
      const wanted = name ?? '';
      const hint = nearest(wanted, OPERATION_NAMES) ?? OPERATION_NAMES[0];
      throw new ProductError('usage', message('cli.unknown_operation', { name: wanted, nearest: hint }));
    }
    await write(name, path.resolve(flags.output ?? `${name}.xlsx`));
    return EXIT.ok;
  });
}

async function write(name: OperationName, file: string): Promise<void> {
  const operation = operationNamed(name);
  const columns = templateColumns(operation);
  await writeFile(file, await templateWorkbook({ operation: name, purpose: operation.purpose, columns }));
  process.stdout.write(`template ${file}\n`);
}

function isOperation(name: string | undefined): name is OperationName {
  return (OPERATION_NAMES as readonly (string | undefined)[]).includes(name);
}
