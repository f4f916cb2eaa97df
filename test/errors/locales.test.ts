import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { program } from '../../src/cli/program.js';
import { EN } from '../../src/errors/locales/en.js';
import { ZH } from '../../src/errors/locales/zh.js';
import { message, render } from '../../src/errors/message.js';

const names = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)/g)].map((it) => it[1] ?? ''))].sort();

/** Values that are numbers of things. */
const NUMBERS =
  'count|rows|items|lines|runs|records|keys|requests|retries|settled|pieces|all|times|columns|required';
/** Their number is never 1, or they name rows. */
const SEVERAL: ReadonlySet<string> = new Set([
  'guess.rows_cut',
  'guess.steps_customers',
  'guess.steps_numbers',
  'html.shown',
  'lookup.several',
  'mapping.from_several',
  'mapping.step_several',
  'reconcile.several_records',
  'resolve.several_items',
  'resolve.through_elsewhere',
  'run.contradiction',
  'source.zip_entries',
  'workbook.too_many_columns',
]);

/** The texts of a command's help and of those below it. */
function helpOf(command: Command): readonly string[] {
  const { options, registeredArguments, commands } = command;
  const described = [...options, ...registeredArguments].map((it) => it.description);
  return [command.description(), ...described, ...commands.flatMap((it) => helpOf(it as Command))];
}

describe('every message says the same in both languages', () => {
  const codes = Object.keys(EN) as (keyof typeof EN)[];

  it('has the same values in both languages, and Chinese in the Chinese one', () => {
    const wrong = codes.filter((code) => {
      const [en, zh] = [EN[code], ZH[code]];
      // A text that only contains the platform's words has none of its own.
      const hasWords = /[a-z]/i.test(en.replace(/\{\w+\}/g, ''));
      const isChinese = !hasWords || /[\u4e00-\u9fff]/.test(zh);
      return en.trim() === '' || !isChinese || names(zh).join() !== names(en).join();
    });
    expect(codes.length).toBeGreaterThan(1500);
    expect(wrong).toEqual([]);
  });

  it('has no text that nothing says', () => {
    const root = fileURLToPath(new URL('../../src/', import.meta.url));
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
    const texts = files
      .filter((it) => it.endsWith('.ts') && !it.includes('locales'))
      .map((it) => readFileSync(path.join(root, it), 'utf8'));
    const code = texts.join('\n');
    // Codes that are made of whole words, `listing.${it}`: the words are in the same file, or are a listing's members.
    const listing = readFileSync(path.join(root, 'app/runs.ts'), 'utf8').matchAll(/^ {4}(\w+)[:,]/gm);
    const members = [...listing].map((it) => it[1]);
    const made = new Set(
      texts.flatMap((text) => {
        const quoted = [...text.matchAll(/'(\w+)'/g)].map((it) => it[1]);
        const words = text.includes('keyof RunListing') ? [...quoted, ...members] : quoted;
        return [...text.matchAll(/`([a-z]+)\.\$\{/g)].flatMap(([, room]) =>
          words.map((it) => `${room}.${it}`),
        );
      }),
    );
    // Codes that are put together: `html.kind_${kind}`.
    const begins = [...code.matchAll(/`([a-z]+\.[a-z_]+_)\$\{/g)].map((it) => it[1] ?? '');
    const help = new Set(helpOf(program() as Command));
    const isSaid = (it: (typeof codes)[number]): boolean =>
      code.includes(`'${it}'`) ||
      help.has(EN[it]) ||
      help.has(ZH[it]) ||
      made.has(it) ||
      begins.some((begin) => it.startsWith(begin));
    expect(codes.filter((it) => !it.endsWith('@page') && !isSaid(it))).toEqual([]);
  });

  it('fills in what a message was given', () => {
    const said = message('cli.file_missing', { file: 'a {file} b.xlsx' });
    expect(render(said)).toContain('a {file} b.xlsx');
    expect(render(said, 'zh')).toContain('a {file} b.xlsx');
  });

  it('says one of a thing otherwise than several', () => {
    const said = (count: number | string) => render(message('operation.other_records', { count, why: 'w' }));
    expect(said(1)).toBe('1 record of the reply is ignored: w');
    expect([said(2), said(0)]).toEqual([2, 0].map((it) => `${it} records of the reply are ignored: w`));
    expect(said('1,000')).toContain('1,000 records');
  });

  it('has no fixed plural after a number', () => {
    const after =
      '(?:(?:more|further|other|earlier|job) )?[a-z]+s\\b|of (?:the|its) [^{]*\\b(?:are|were|have)\\b';
    const plural = new RegExp(`\\{(?:${NUMBERS})\\} (?:${after})|\\(s\\)`);
    expect(codes.filter((code) => !SEVERAL.has(code.replace('@page', '')) && plural.test(EN[code]))).toEqual(
      [],
    );
  });

  it('shows a code from a newer program as it is', () => {
    expect(render({ code: 'cli.from_the_future' as 'cli.file_missing', params: { a: 1 } })).toBe(
      'cli.from_the_future {"a":1}',
    );
  });
});
