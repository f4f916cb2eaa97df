import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { program } from '../../src/cli/program.js';

const PROGRAM = fileURLToPath(new URL('../../bin/license-sync.js', import.meta.url));

/** Command lines of all commands that do something, with what they require. */
function lines(of: Command, names: readonly string[] = []): string[][] {
  const { commands, registeredArguments, options } = of;
  const below = commands.flatMap((it) => lines(it as Command, [...names, it.name()]));
  if (names.length === 0 || (commands.length > 0 && registeredArguments.length === 0)) return below;
  const required = registeredArguments.filter((it) => it.required).map(() => '7');
  const flags = options.filter((it) => it.mandatory).flatMap((it) => [it.long!, it.argChoices?.[0] ?? '7']);
  return [[...names, ...required, ...flags], ...below];
}

it('a current folder that was deleted is reported in one sentence by every command', async () => {
  const cwd = await mkdtemp(path.join(tmpdir(), 'license-sync-gone-'));
  const all = [...lines(program() as Command), ['runs'], ['audit'], ['orders.xlsx'], ['no-such-command']];
  expect(all.length).toBeGreaterThan(40);
  const calls = all.map((it) => `"$0" "$1" ${it.join(' ')} 2>&1; echo "exit $?"`);
  const script = ['rmdir "$PWD"', ...calls].join('\n');
  const { stdout } = await promisify(execFile)('sh', ['-c', script, process.execPath, PROGRAM], { cwd });
  const ends = stdout.split(/exit (\d+)\n/);
  const said = all.map((it, at) => ({ command: it.join(' '), code: ends[at * 2 + 1], text: ends[at * 2] }));
  const sentence =
    'license-sync: The current folder no longer exists. Change to another folder (cd), then run the command again.\n';
  for (const { command, code, text } of said) {
    expect({ command, code }).toEqual({ command, code: '2' });
    expect(text!.endsWith(sentence), `${command}: ${text}`).toBe(true);
    expect(text, command).not.toContain('    at ');
  }
});
