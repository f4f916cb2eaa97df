import { AT_PAGE } from './catalogue/at-page.js';

interface Words {
  readonly en: string;
  readonly zh: string;
}

type Language = keyof Words;

/**
 * In which words something is said: those of the command line, or of the console's pages (`en@page`), where the next step
 * is a button and no command.
 */
export type Wording = Language | `${Language}@page`;

export function languageOf(wording: Wording): Language {
  return wording.startsWith('zh') ? 'zh' : 'en';
}

/** Which button of the pages, or which page, stands for a command with what follows it. */
const IN_PLACE_OF: readonly (readonly [command: RegExp, Words])[] = [
  [
    /license-sync resume \{other\}/g,
    { en: '“Resume” at the page of run {other}', zh: '运行 {other} 页面的“继续”' },
  ],
  [/license-sync resume(?: \{\w+\})?(?: --yes| --queue)*/g, { en: '“Resume”', zh: '“继续”' }],
  [/license-sync (?:runs show|wait) \{(\w+)\}/g, { en: 'the page of run {$1}', zh: '运行 {$1} 的页面' }],
  [
    /license-sync explain \{(\w+)\} \{(\w+)\}/g,
    { en: 'row {$2} at the page of run {$1}', zh: '运行 {$1} 页面的第 {$2} 行' },
  ],
  [/license-sync stop \{\w+\}/g, { en: '“Stop”', zh: '“停止”' }],
  [/license-sync runs\b/g, { en: '“Runs”', zh: '“运行”' }],
  [/license-sync retry \{\w+\}/g, { en: '“Retry failed rows”', zh: '“重试失败的行”' }],
  [/license-sync resolve(?: \{\w+\})?(?: --verify)?/g, { en: '“Resolve”', zh: '“查明”' }],
  [/license-sync apply \{\w+\}/g, { en: '“Send”', zh: '“发送”' }],
  [/license-sync plan JOB/g, { en: '“Plan”', zh: '“计划”' }],
  [/license-sync request (?:\{\w+\}|PLAN)/g, { en: '“Request approval”', zh: '“请求批准”' }],
  [/license-sync approve \{\w+\}/g, { en: '“Approve”', zh: '“批准”' }],
  [/license-sync reconcile \{\w+\}/g, { en: '“Reconcile”', zh: '“核对”' }],
  [/license-sync doctor/g, { en: '“Connections”', zh: '“连接”' }],
  [/`license-sync rehearse`/g, { en: '“Rehearse”', zh: '“演练”' }],
];

/**
 * A text of the catalogue as it is said at the pages. Commands for which there is no button stay: whoever runs the console
 * has a terminal.
 */
export function atPage(code: string, text: string, language: Language): string {
  const own = (AT_PAGE as Readonly<Record<string, Words | undefined>>)[code];
  if (own) return own[language];
  if (!text.includes('license-sync ')) return text;
  return IN_PLACE_OF.reduce((told, [command, words]) => told.replaceAll(command, words[language]), text);
}
