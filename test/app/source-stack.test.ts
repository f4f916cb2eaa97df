import { expect, it } from 'vitest';
import { sourceStack } from '../../src/app/failure.js';

const BUILT = new URL('../../dist/tools/source.cjs', import.meta.url);

async function stackOfTheBundle(): Promise<string> {
  const { openSource } = (await import(BUILT.href)) as { openSource(source: unknown): Promise<unknown> };
  const fault = await openSource(undefined).catch((error: unknown) => error as Error);
  return (fault as Error).stack ?? '';
}

it('an error of the bundle is reported with its place in the sources', async () => {
  const stack = await stackOfTheBundle();
  expect(stack).toMatch(/dist[\\/]\S+\.cjs:\d+:\d+/);
  expect(sourceStack(stack)).toMatch(/\bopenSource \(src\/source\/open-source\.ts:\d+:\d+\)/);
  expect(sourceStack(stack)).not.toContain('.cjs');
});

it('places elsewhere, and those of files without a map, stay as they are', () => {
  const stack = 'Error: no\n    at run (node:internal/x:1:2)\n    at /gone/dist/chunks/none.cjs:3:4';
  expect(sourceStack(stack)).toBe(stack);
});
