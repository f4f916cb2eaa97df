import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { packagePart } from '../../src/util/package-part.js';

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));
const never = (): Promise<never> => Promise.reject(new Error('the index was asked for'));

/** The files that the program asks for. */
function asked(): string[] {
  const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((it) =>
    it.endsWith('.ts'),
  );
  return sources.flatMap((file) => {
    const text = readFileSync(path.join(SOURCES, file), 'utf8');
    return [...text.matchAll(/packagePart\(\s*'([^']+)'/g)].map((it) => it[1] ?? '');
  });
}

it('gives the file, and the index is not asked for', async () => {
  const Pool = await packagePart<unknown>('undici/lib/dispatcher/pool.js', never);
  expect(Pool).toBe((await import('undici')).Pool);
});

it.each(['undici/lib/elsewhere.js', 'zod/v4/classic/schemas.js'])(
  'asks the index for what is elsewhere or kept to itself: %s',
  async (file) => {
    expect(await packagePart(file, async () => 'from the index')).toBe('from the index');
  },
);

it('does not hide what goes wrong in the file', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'license-sync-part-'));
  const file = path.join(folder, 'broken.cjs');
  await writeFile(file, "throw new Error('broken within');");
  await expect(packagePart(file, never)).rejects.toThrow('broken within');
  await rm(folder, { recursive: true, force: true });
});

it('finds every file that the program asks for in the packages as they are installed', () => {
  const require = createRequire(import.meta.url);
  expect(asked()).toContain('exceljs/lib/stream/xlsx/workbook-writer.js');
  for (const file of asked()) expect(() => require.resolve(file)).not.toThrow();
});
