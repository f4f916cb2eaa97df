import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { message } from '../../src/errors/message.js';
import { ProductError } from '../../src/errors/product-error.js';
import { withHeaderHint } from '../../src/source/header-hint.js';
import { openSource } from '../../src/source/open.js';
import { openTable } from '../../src/source/table.js';

describe('a header that is not where the job says is found and named', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'license-sync-header-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each([
    ['commas', 'Orders, January\nOrder No,Customer\nSO-1,Li\n'],
    ['semicolons below a title without any', 'Orders of January\nOrder No;Customer\nSO-1;Li\n'],
    ['tabs below a title with a comma', 'Orders, January\n\nOrder No\tCustomer\nSO-1\tLi\n'],
    ['semicolons and quotes below a title', 'Orders of January\n"Order No";"Customer"\n"SO-1";"Li"\n'],
  ])('%s', async (name, text) => {
    const file = path.join(folder, `${name}.csv`);
    await writeFile(file, text);
    const source = await openSource(file, { headerRow: 1 });
    const table = await openTable(source, { headerRow: 1, resultColumns: [] });
    const lacks = (column: string) => {
      const at = { line: 1, column: 1, sheet: table.sheet.name, name: column };
      return message('mapping.column_missing', at);
    };
    const refused = withHeaderHint(source, [table], () => {
      throw new ProductError('usage', lacks('Order No'), { others: [lacks('Customer')] });
    });
    const row = text.split('\n').findIndex((line) => line.includes('Order No')) + 1;
    await expect(refused).rejects.toMatchObject({
      others: expect.arrayContaining([
        expect.objectContaining({
          code: 'source.header_elsewhere',
          params: expect.objectContaining({ row }),
        }),
      ]),
    });
    await source.close();
  });
});
