import { describe, expect, it } from 'vitest';
import { TEXTS as PAGE_TEXTS } from '../../src/console/pages/words/texts.js';
import { EN } from '../../src/errors/locales/en.js';
import { ZH } from '../../src/errors/locales/zh.js';
import { type Code, message, render } from '../../src/errors/message.js';

const LANGUAGES = ['en', 'zh'] as const;
const TEXTS: Record<'en' | 'zh', Record<string, string>> = { en: EN, zh: ZH };
const [PAGE, CODES] = [true, false].map((isPage) =>
  Object.keys(EN).filter((it) => it.endsWith('@page') === isPage),
) as [string[], string[]];

/** Folders whose texts are of the command line alone, of files that are written, or of what servers print. */
const ELSEWHERE =
  /^(help|cli|guess|template|inbox|listing|html|job|source|workbook|spool|pull|summary|notify|init|metrics|sandbox|team)\./;

/** Of commands that no button stands for, and of flags that pages never give. */
const WITHOUT_BUTTON: ReadonlySet<string> = new Set([
  'corrections.one_file',
  'lookup.offline',
  'lookup.offline_refused',
  'people.bad_since',
  'ledger.bad_address',
  'ledger.older',
  'ledger.server_other',
  'ledger.server_promoted',
  'ledger.server_objects',
  'ledger.restored_run',
  'ledger.restored_attempt',
  'ledger.restored_epoch',
  'ledger.restored_other',
  'ledger.file_gone',
  'ledger.new_to_platform',
  'ledger.file_replaced',
  'ledger.copy_input_altered',
  'ledger.copy_to_file',
  'ledger.closed',
  'ledger.backup_server',
  'approval.granted_by_maker',
  'ledger.none_there',
  'ledger.elsewhere',
  'run.output_is_input',
  'run.other_connection',
  'retry.unknown_include_far',
  'retry.unknown_include',
  'resolve.what',
  'resolve.not_both',
  'resolve.from_alone',
  'resolve.none_in_range',
  'resolve.file_headers',
  'resolve.file_run',
  'resolve.file_not_unknown',
  'difference.more',
  'reconcile.one_file',
  'rehearse.which',
  'approval.no_policy',
  'schedule.another_scheduler',
  'schedule.another_scheduler_unnamed',
  'schedule.export_refused',
  'schedule.export_no_missed',
  'console.nobody_yet',
  'argument.is_keys',
  'run.in_export',
  'argument.is_folder_of_sheets',
]);

const COMMAND = /license-sync (?!schedule can|newer)[a-z]|(?:^|[\s(（])--[a-z]/;

const atPage = (code: string, language: 'en' | 'zh'): string =>
  render({ code: code as Code, params: {} }, `${language}@page`);

describe('what is said at the pages', () => {
  it('names buttons where the command line names commands', () => {
    const said = CODES.filter((code) => !ELSEWHERE.test(code) && !WITHOUT_BUTTON.has(code)).filter((code) =>
      LANGUAGES.some((it) => COMMAND.test(atPage(code, it))),
    );
    expect(said).toEqual([]);
    const run = 'R';
    const interrupted = message('run.interrupted', { run });
    expect(render(interrupted, 'en@page')).toBe('interrupted; continue with: “Resume”');
    expect(render(interrupted)).toBe('interrupted; continue with: license-sync resume R');
    // One within another.
    const why = message('revert.none_why', { run, reason: message('revert.unknown') });
    expect(render(why, 'zh@page')).toContain('请先点击“核实”');
    const through = message('next.got_through', { other: 'O', row: 5 });
    expect(render(through, 'en@page')).toBe(
      'Nothing: run O succeeded with it. See: row 5 on the page of run O',
    );
  });

  it('names them as they are called there', async () => {
    const named = new Set(
      LANGUAGES.flatMap((language) =>
        CODES.flatMap((code) => {
          const own = TEXTS[language][code]!;
          const marks = [...atPage(code, language).matchAll(/“([^”]+)”/g)].map(([, it]) => it!);
          return marks.filter((it) => !own.includes(`“${it}”`)).map((it) => `${language} ${it}`);
        }),
      ),
    );
    const known = new Set(
      Object.values(PAGE_TEXTS).flatMap((text) =>
        LANGUAGES.map((language) => `${language} ${text[language]}`),
      ),
    );
    expect([...named].filter((it) => !known.has(it))).toEqual([]);
    expect(named.size).toBeGreaterThan(20);
  });

  it('has only values that the message has', () => {
    const names = (text: string): string[] => text.match(/\{\w+/g) ?? [];
    const wrong = PAGE.filter((code) => {
      const own = names(TEXTS.en[code.replace('@page', '')] ?? '');
      return LANGUAGES.some((it) => names(TEXTS[it][code]!).some((name) => !own.includes(name)));
    });
    expect(PAGE.length).toBeGreaterThan(50);
    expect(wrong).toEqual([]);
  });
});
