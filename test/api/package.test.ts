import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const pkg = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as Record<string, unknown>;

describe('the package', () => {
  test('its entries, types and program are as a packaging linter requires them', async () => {
    const { messages } = await publint({ pkgDir: ROOT, strict: true, pack: false });
    expect(messages.map((it) => formatMessage(it, pkg, { color: false }))).toEqual([]);
  });

  test('the tarball holds the program, the library with its types, templates and the schema, and no test', async () => {
    const packed = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: ROOT,
      maxBuffer: 1 << 24,
    });
    const [{ files }] = JSON.parse(packed.stdout) as [{ files: { path: string }[] }];
    const paths = files.map((it) => it.path);
    for (const wanted of [
      'bin/license-sync.js',
      'dist/cli/main.cjs',
      'dist/api/index.js',
      'dist/api/index.d.ts',
      'job.schema.json',
      'templates/order.new_buy.xlsx',
      'README.md',
      'LICENSE',
    ]) {
      expect(paths).toContain(wanted);
    }
    expect(paths.filter((it) => /^(test|scripts|src|jobs)\/|compile-cache/.test(it))).toEqual([]);
  });
});
