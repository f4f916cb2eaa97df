import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { faultText } from '../../src/cli/program/commander-texts.js';
import { program } from '../../src/cli/program.js';
import { OPERATION_NAMES } from '../../src/model/operation.js';
import { licenseSync } from '../support/command.js';

const HAN = /\p{Script=Han}/u;

afterEach(() => vi.unstubAllEnvs());

function speaking(language: 'en' | 'zh'): Command {
  vi.stubEnv('LICENSE_SYNC_LANG', language);
  return program();
}

/** Every command with its full name, the program itself first. */
function* commands(of: Command, name = of.name()): Generator<readonly [string, Command]> {
  yield [name, of];
  for (const it of of.commands) yield* commands(it, `${name} ${it.name()}`);
}

/** All that help says about a command, each with its place. */
function sayings(name: string, it: Command): (readonly [string, string])[] {
  const help = Object.assign(it.createHelp(), it.configureHelp());
  return [
    [name, help.commandDescription(it)],
    ...help
      .visibleCommands(it)
      .map((sub) => [`${name} ${sub.name()}`, help.subcommandDescription(sub)] as const),
    ...help.visibleOptions(it).map((one) => [`${name} ${one.flags}`, help.optionDescription(one)] as const),
    ...help
      .visibleArguments(it)
      .map((one) => [`${name} <${one.name()}>`, help.argumentDescription(one)] as const),
    ...it
      .helpInformation()
      .split('\n')
      .filter((line) => /^\S.*[:：]$/.test(line))
      .map((line) => [`${name}, title`, line] as const),
  ];
}

describe('help at every level', () => {
  it('is Chinese throughout when asked for', () => {
    const all = [...commands(speaking('zh'))].flatMap(([name, it]) => sayings(name, it));
    expect(all.length).toBeGreaterThan(200);
    expect(all.filter(([, text]) => !HAN.test(text))).toEqual([]);
  });

  it('is English throughout otherwise', () => {
    const all = [...commands(speaking('en'))].flatMap(([name, it]) => sayings(name, it));
    expect(all.filter(([, text]) => HAN.test(text) || text.trim() === '')).toEqual([]);
  });

  it('takes --lang wherever it stands, before and after the command, joined and apart', async () => {
    const cwd = path.dirname(fileURLToPath(import.meta.url));
    for (const args of [
      ['--lang', 'zh', 'runs', '--help'],
      ['runs', 'show', '--help', '--lang=zh'],
      ['help', '--lang', 'zh'],
    ]) {
      const { stdout, code } = await licenseSync(args, { cwd });
      expect(code).toBe(0);
      expect(stdout).toContain('用法：');
    }
  });
});

describe('faults of the command line', () => {
  /** What commander says of each wrong line, through the parser itself. */
  function fault(args: readonly string[]): string {
    const root = speaking('zh');
    let said = '';
    for (const [, it] of commands(root)) {
      it.exitOverride((error) => {
        said = faultText(error.message);
        throw error;
      });
      it.configureOutput({
        writeErr: () => undefined,
        writeOut: () => undefined,
        outputError: () => undefined,
      });
    }
    expect(() => root.parse(args, { from: 'user' })).toThrow();
    return said;
  }

  it.each([
    [['run']],
    [['run', 'a', 'b', 'c']],
    [['rnu', 'x']],
    [['run', 'x', '--cnary', '5']],
    [['run', 'x', '--canary', '0']],
    [['run', 'x', '--max-items', '-1']],
    [['run', 'x', '--input']],
    [['run', 'x', '--on-invalid', 'maybe']],
    [['runs', 'report', 'r']],
    [['explain', 'r', 'x']],
    [['--lang', 'fr', 'runs']],
  ])('%j', (args) => {
    expect(fault(args)).toMatch(HAN);
    expect(fault(args)).not.toMatch(/error|is invalid|Allowed|Did you mean|argument|unknown|required/);
  });
});

describe('listings', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'license-sync-languages-'));
    await writeFile(path.join(folder, 'locks.csv'), 'Lock\n8100000001\n');
    await writeFile(
      path.join(folder, 'locks.yaml'),
      'version: 1\nname: locks\noperation: asset.lock\nconnection: sandbox\nsource: { file: locks.csv }\nschedule: { cron: "0 2 * * *" }\n' +
        'map: { assetNums: Lock, operatorIdentity: { value: ops } }\n',
    );
    await licenseSync(['run', 'locks.yaml', '--quiet'], { cwd: folder });
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function lines(args: readonly string[], language: string): Promise<string[]> {
    const end = await licenseSync([...args, '--lang', language], { cwd: folder });
    expect(end.code).toBe(0);
    return end.stdout.split('\n').filter((line) => line.trim() !== '');
  }

  it('have Chinese headings, purposes and meanings', async () => {
    for (const line of await lines(['operations'], 'zh')) expect(line).toMatch(HAN);
    for (const name of OPERATION_NAMES) {
      // Types and sections stay; every line says something of it in Chinese.
      const all = await lines(['operations', name], 'zh');
      expect(all.slice(1).filter((line) => !HAN.test(line) && !/^ {2}\S+ *\S*$/.test(line))).toEqual([]);
    }
    const runs = await lines(['runs'], 'zh');
    for (const word of runs[0]?.split(/\s+/) ?? []) expect(word).toMatch(HAN);
    const [first = ''] = /^\S+/.exec(runs[1] ?? '') ?? [];
    for (const line of await lines(['runs', 'show', first], 'zh')) expect(line).toMatch(/^\p{Script=Han}/u);
    for (const line of (await lines(['schedule', 'list', 'locks.yaml'], 'zh')).slice(1)) {
      expect(line).toMatch(/^ {2}\p{Script=Han}/u);
    }
    expect((await lines(['runs', 'prune', '--older-than', '90d'], 'zh'))[0]).toMatch(HAN);
  });

  it('have English ones otherwise', async () => {
    for (const args of [
      ['operations'],
      ['operations', 'order.new_buy'],
      ['runs'],
      ['schedule', 'list', 'locks.yaml'],
    ]) {
      expect((await lines(args, 'en')).filter((line) => HAN.test(line))).toEqual([]);
    }
  });
});

/** Comments, literals of each kind, and regular expressions, which may hold quotes. */
const TOKEN =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`|\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g;

/** Words of one language that are in the code itself, in place of the catalogue. */
function loneWords(source: string): string[] {
  return [...source.matchAll(TOKEN)].flatMap(([, one, two, three]) => {
    const text = (one ?? two ?? three ?? '')
      .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '{}')
      .replace(/<[^>]*>/g, '');
    const isExample = /(?:^|[{ ])license-sync [a-z]/.test(text);
    return /[a-z]{2,}[,:]? [a-z]{2,}/.test(text) && !isExample ? [text] : [];
  });
}

/** Names and states that stay as they are in both languages. */
const KEPT = new Set(['cut off', 'dry run', 'activity scope', 'connection: sandbox']);

it.each(['cli', 'app', 'api'])('no text for people is in the code of src/%s', (room) => {
  const folder = fileURLToPath(new URL(`../../src/${room}`, import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((it) => it.endsWith('.ts'));
  const found = files.flatMap((file) =>
    loneWords(readFileSync(path.join(folder, file), 'utf8'))
      .filter((text) => !KEPT.has(text) && !/JSON\.stringify|\$\{/.test(text))
      .map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});
