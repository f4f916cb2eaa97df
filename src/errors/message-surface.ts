interface BothLanguages {
  readonly en: string;
  readonly zh: string;
}

type Language = keyof BothLanguages;

/** The wording of messages: for the command line, or for the console's pages (`en@page`), where the next step is a button. */
export type MessageSurface = Language | `${Language}@page`;

export function languageOf(surface: MessageSurface): Language {
  return surface.startsWith('zh') ? 'zh' : 'en';
}

/** The button or page that replaces a command with its arguments on the console's pages. */
const BUTTONS: readonly (readonly [command: RegExp, BothLanguages])[] = [
  [
    /license-sync resume \{other\}/g,
    { en: '“Resume” on the page of run {other}', zh: '运行 {other} 页面的“继续”' },
  ],
  [/license-sync resume(?: \{\w+\})?(?: --yes| --queue)*/g, { en: '“Resume”', zh: '“继续”' }],
  [/license-sync (?:runs show|wait) \{(\w+)\}/g, { en: 'the page of run {$1}', zh: '运行 {$1} 的页面' }],
  [
    /license-sync explain \{(\w+)\} \{(\w+)\}/g,
    { en: 'row {$2} on the page of run {$1}', zh: '运行 {$1} 页面的第 {$2} 行' },
  ],
  [/license-sync stop \{\w+\}/g, { en: '“Stop”', zh: '“停止”' }],
  [/license-sync runs\b/g, { en: '“Runs”', zh: '“运行记录”' }],
  [/license-sync retry \{\w+\}/g, { en: '“Retry failed rows”', zh: '“重试失败的行”' }],
  [/license-sync resolve(?: \{\w+\})?(?: --verify)?/g, { en: '“Resolve”', zh: '“核实”' }],
  [/license-sync apply \{\w+\}/g, { en: '“Send”', zh: '“发送”' }],
  [/license-sync plan JOB/g, { en: '“Plan”', zh: '“生成计划”' }],
  [/license-sync request (?:\{\w+\}|PLAN)/g, { en: '“Request approval”', zh: '“提交审批”' }],
  [/license-sync approve \{\w+\}/g, { en: '“Approve”', zh: '“通过”' }],
  [/license-sync reconcile \{\w+\}/g, { en: '“Reconcile”', zh: '“核对”' }],
  [/license-sync doctor/g, { en: '“Connections”', zh: '“连接”' }],
  [/`license-sync rehearse`/g, { en: '“Rehearse”', zh: '“演练”' }],
];

/**
 * A text of the catalogue for the console's pages. Commands without a button stay: the administrator of the console has a
 * terminal.
 */
export function forConsole(text: string, language: Language): string {
  if (!text.includes('license-sync ')) return text;
  return BUTTONS.reduce((result, [command, words]) => result.replaceAll(command, words[language]), text);
}
