import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');
const CORPUS = path.join(ROOT, '../shared/spreadsheets/files');

/** A test as `file: a part of its title or of its row of a table`, or a file of the reader corpus. */
interface Shown {
  readonly tests: readonly string[];
  readonly corpus?: readonly string[];
}

const refused = (title: string): string => `hostile/refused.test.ts: ${title}`;
const odd = (title: string): string => `hostile/odd.test.ts: ${title}`;
const yaml = (title: string): string => `hostile/yaml.test.ts: ${title}`;
const bulk = (title: string): string => `fixtures/bulk.ts: ${title}`;

/** Bad input to survive, item by item, and what shows that it is survived. */
const LIST: ReadonlyMap<string, Shown> = new Map([
  [
    'entry names that lead out of the package',
    { tests: [refused('an entry name that leads out of the package')] },
  ],
  [
    'entry names that stand twice',
    { tests: [refused('an entry twice')], corpus: ['pkg-duplicate-entry.xlsx'] },
  ],
  [
    'more than 10,000 entries',
    { tests: [refused('more than 10,000 entries'), refused('a table of contents larger than any')] },
  ],
  [
    'more than 4 GB unpacked',
    {
      tests: [
        refused('more than 4 GB unpacked'),
        bulk('5 GB of zero bytes'),
        bulk('3 GB of zero bytes in place of a sheet'),
      ],
    },
  ],
  [
    'a high ratio alone proves nothing',
    { tests: [bulk('half a million rows without a cell')], corpus: ['bomb-ratio-299.xlsx'] },
  ],
  [
    'a cell over 32,767 characters',
    {
      tests: [
        refused('a cell over 32,767 characters in a workbook'),
        refused('a cell over 32,767 characters in a CSV'),
      ],
      corpus: ['bomb-1MB-string-x12000.xlsx', 'csv-huge-cell-106KB.csv'],
    },
  ],
  [
    'a DTD',
    {
      tests: [refused('a document type definition')],
      corpus: ['bomb-xml-entities.xlsx', 'bomb-xml-54764.xlsx'],
    },
  ],
  [
    'entities',
    {
      tests: [refused('an entity that XML does not know')],
      corpus: ['bomb-entity-expansion.xlsx', 'bomb-xxe-in-schema.xlsx'],
    },
  ],
  [
    'an encrypted workbook without its password',
    {
      tests: [refused('an encrypted workbook without its password')],
      corpus: ['enc-libreoffice.xlsx', 'enc-aes128-ecb.xlsx'],
    },
  ],
  [
    'a damaged .xls under any name',
    {
      tests: [refused('a cut-off .xls named .xlsx'), refused('a cut-off .xls under its own name')],
      corpus: ['wrong-ole-b.xlsx'],
    },
  ],
  [
    'an .ods that is no spreadsheet',
    { tests: [refused('a text document named .ods')], corpus: ['wrong-ods-renamed.xlsx'] },
  ],
  ['HTML named .xlsx', { tests: [refused('HTML named .xlsx')] }],
  ['a truncated zip', { tests: [refused('a truncated zip')], corpus: ['fuzz-csv-5542.xlsx'] }],
  [
    'a CSV whose encoding cannot be told',
    {
      tests: [refused('a CSV whose encoding cannot be told')],
      corpus: ['csv-latin1.csv', 'csv-iso8859-7.csv', 'csv-big5-309KB.csv'],
    },
  ],
  [
    'a CSV with an unclosed quote',
    {
      tests: [refused('an unclosed quote'), bulk('a quote that is never closed')],
      corpus: ['csv-unbalanced-quote.csv'],
    },
  ],
  ['a CSV with NULs', { tests: [refused('NULs in a CSV')], corpus: ['csv-nul-byte.csv'] }],
  ['a required column missing', { tests: [refused('a required column missing')] }],
  [
    'two headers that fold to one that the map uses',
    {
      tests: [
        refused('two headers that fold to one that the map uses'),
        refused('two headers that fold to one that the condition uses'),
        odd('two that fold to one do no harm where the map uses neither'),
      ],
    },
  ],
  [
    'a sheet that claims 1,048,576 rows',
    {
      tests: [odd('a sheet that claims 1,048,576 rows'), odd('a last order in the last row of all')],
      corpus: ['dim-xfd1048576-gnumeric.xlsx', 'dim-amj1048576.xlsx', 'dim-1048576-mac.xlsx'],
    },
  ],
  [
    'trailing rows that are formatted and empty',
    {
      tests: [odd('trailing rows that are formatted and empty')],
      corpus: ['id-zero-prefix-37855-row-tags.xlsx'],
    },
  ],
  [
    'cells merged over a whole column',
    { tests: [odd('cells merged over a whole column')], corpus: ['merge-ranges.xlsx'] },
  ],
  [
    'no part for shared strings',
    { tests: [odd('no part for shared strings')], corpus: ['str-no-sst-part.xlsx', 'pkg-missing-bits.xlsx'] },
  ],
  [
    'inline strings',
    {
      tests: [odd('inline strings in runs')],
      corpus: ['str-inline-many-t.xlsx', 'app-ms-access-inline.xlsx'],
    },
  ],
  [
    'cells without references',
    {
      tests: [odd('cells and rows without references')],
      corpus: ['cell-no-r-mixed.xlsx', 'cell-no-r-lo.xlsx', 'row-no-r-with-empty.xlsx'],
    },
  ],
  [
    'other namespace prefixes',
    {
      tests: [odd('other namespace prefixes')],
      corpus: ['ns-nonstd-prefix.xlsx', 'ns-all-parts-prefixed.xlsx'],
    },
  ],
  [
    'strict OOXML',
    {
      tests: [odd('strict OOXML in every part')],
      corpus: ['strict-all-types.xlsx', 'strict-odd-paths.xlsx'],
    },
  ],
  [
    'memory by what is there, not by what is claimed',
    {
      tests: [
        'hostile/memory.test.ts: a file made to fill the memory',
        bulk('3 GB of zero bytes that no one reads'),
      ],
      corpus: ['bomb-60MB-strings.xlsx', 'dim-claims-851-no-rows.xlsx'],
    },
  ],
  [
    'blank rows keep Excel’s row numbers',
    {
      tests: [odd('blank rows between the orders'), odd('blank lines between the records of a CSV')],
      corpus: ['blank-line-wps.xlsx', 'blank-far-rows-wps.xlsx', 'csv-many-empty-lines.csv'],
    },
  ],
  ['YAML: no custom tags', { tests: [yaml('a custom tag'), yaml('a tag of another language')] }],
  ['YAML: aliases bounded', { tests: [yaml('a bomb of aliases'), yaml('an alias within its own anchor')] }],
  ['YAML: a key twice is refused', { tests: [yaml('a key twice'), yaml('a key twice within the map')] }],
  [
    'columns named __proto__ and the like',
    {
      tests: [
        odd('are ordinary columns of a .%s, mapped or not'),
        yaml('a field that reaches for a prototype'),
      ],
    },
  ],
]);

/** The headings of the list, for those who add to it; kept apart, so that nothing leaves the table unnoticed. */
const REFUSED = 18;
const READ_RIGHTLY = 10;
const YAML = 3;
const ELSEWHERE = 1;

describe('the list of bad input to survive', () => {
  it('is whole', () => {
    expect(LIST.size).toBe(REFUSED + READ_RIGHTLY + YAML + ELSEWHERE);
  });

  it.each([...LIST])('%s: every test that is named exists', (_, { tests }) => {
    expect(tests.length).toBeGreaterThan(0);
    for (const test of tests) {
      const [file = '', title = ''] = test.split(': ');
      expect(readFileSync(path.join(ROOT, 'test', file), 'utf8')).toContain(title);
    }
  });

  it.runIf(existsSync(CORPUS))('every file of the reader corpus that is named is there', () => {
    const named = [...LIST.values()].flatMap((it) => it.corpus ?? []);
    expect(named.filter((file) => !existsSync(path.join(CORPUS, file)))).toEqual([]);
  });
});
