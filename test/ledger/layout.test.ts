import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));
const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((it) => it.split(path.sep).join('/'))
  .filter((it) => it.endsWith('.ts'));

const textOf = (file: string): string => readFileSync(path.join(SRC, file), 'utf8');

/** Files that a file names in its imports, types too. */
function importsOf(file: string): readonly string[] {
  return [...textOf(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((it) =>
    path.posix.join(path.posix.dirname(file), it[1] ?? '').replace(/\.js$/, '.ts'),
  );
}

const inFolder = (folder: string): readonly string[] => FILES.filter((it) => it.startsWith(folder));
const wrong = (files: readonly string[], forbidden: RegExp): readonly string[] =>
  files.flatMap((file) =>
    importsOf(file)
      .filter((it) => forbidden.test(it))
      .map((it) => `${file} imports ${it}`),
  );

describe('a second kind of ledger can stand next to SQLite', () => {
  it('the contract names no rule, and no database but the stores of both; the rules no database', () => {
    expect(inFolder('ledger/contract/').length).toBeGreaterThan(10);
    expect(inFolder('ledger/rules/').length).toBeGreaterThan(5);
    // What has one implementation is described there.
    const described = /^ledger\/(?!contract\/|store\/stores\.ts|marks\/ledger-guard\.ts|postgres\/queue\.ts)/;
    expect(wrong(inFolder('ledger/contract/'), described)).toEqual([]);
    expect(wrong(inFolder('ledger/rules/'), /^ledger\/(?!contract\/|rules\/)/)).toEqual([]);
    expect(inFolder('ledger/files/').length).toBeGreaterThan(0);
    expect(wrong(inFolder('ledger/files/'), /^ledger\/(?!contract\/|files\/)/)).toEqual([]);
    expect(inFolder('ledger/store/').length).toBeGreaterThan(10);
    expect(wrong(inFolder('ledger/store/'), /^ledger\/(?!contract\/|rules\/|store\/)/)).toEqual([]);
  });

  it('rules hold no SQL, and no names of columns', () => {
    const sql =
      /\b(?:SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM|COALESCE|EXISTS \(|\w+_json\b|license_order_id)/;
    expect(inFolder('ledger/rules/').filter((it) => sql.test(textOf(it)))).toEqual([]);
  });

  it('only the opening of a ledger knows that there is SQLite', () => {
    const others = FILES.filter((it) => !it.startsWith('ledger/sqlite/') && it !== 'ledger/open.ts');
    expect(wrong(others, /^ledger\/sqlite\//)).toEqual([]);
  });
});
