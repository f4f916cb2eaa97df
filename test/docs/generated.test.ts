import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

function script(name: string, ...args: string[]): string {
  return execFileSync(process.execPath, [`scripts/${name}`, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

it('samples, templates, the schema and the page of operations are what the sources make of them', () => {
  expect(() => script('generate.mjs', '--check')).not.toThrow();
});

it('a new operation takes its folder and at most six other files, and every command knows it', () => {
  const said = script('add-operation-trial.mjs');
  expect(Number(/^touched outside .*: (\d+)$/m.exec(said)?.[1])).toBeLessThanOrEqual(6);
  expect(said).toContain('`run` carries its rows out on the sandbox');
});
