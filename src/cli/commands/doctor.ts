import type { AppContext } from '../../app/context.js';
import { doctor as examine, examinedData } from '../../app/doctor.js';
import type { DoctorFinding, StepName, StepState } from '../../doctor/step.js';
import { type Language, message, render } from '../../errors/message.js';
import { EXIT } from '../../model/run-outcome.js';
import { redactKnown } from '../../util/secrets.js';
import { terminalWidth } from '../../util/text-width.js';

const WORDS: Readonly<Record<Language, Readonly<Record<StepState, string>>>> = {
  en: { ok: 'ok', warning: 'warning', fault: 'FAULT', skipped: '-' },
  zh: { ok: '正常', warning: '警告', fault: '错误', skipped: '-' },
};

/** Not used in --json. */
const CHINESE_STEPS: Readonly<Record<StepName, string>> = {
  configuration: '配置',
  job: '任务',
  connection: '连接',
  ledger: '账本',
  token: '令牌',
  name: '主机名',
  port: '端口',
  certificate: '证书',
  request: '请求',
  clock: '时钟',
  'activity scope': '活动权限',
};

/** `doctor [JOB]`: exits with 0 if a run is possible, with 2 if there is an error. */
export async function doctor(
  context: AppContext,
  jobFile: string | undefined,
  flags: { readonly connection?: string; readonly json?: boolean },
): Promise<number> {
  const { language } = context;
  const examined = await examine(context, { jobFile, connection: flags.connection }, (found) => {
    if (!flags.json) process.stdout.write(line(found, language));
  });
  const { findings } = examined;
  const faults = findings.filter((it) => it.state === 'fault').length;
  const warnings = findings.filter((it) => it.state === 'warning').length;
  if (flags.json) process.stdout.write(`${redactKnown(JSON.stringify(examinedData(examined, language)))}\n`);
  else process.stdout.write(`${summaryText(faults, warnings, language)}\n`);
  return faults === 0 ? EXIT.ok : EXIT.usage;
}

function line(it: DoctorFinding, language: Language): string {
  const [first = '', ...others] = texts(it, language);
  const head =
    pad(WORDS[language][it.state], 9) + pad(language === 'zh' ? CHINESE_STEPS[it.step] : it.step, 16);
  return redactKnown(`${head}${first}\n${others.map((text) => `${' '.repeat(25)}${text}\n`).join('')}`);
}

function texts(it: DoctorFinding, language: Language): string[] {
  return [it.message, ...(it.others ?? [])].map((text) => render(text, language));
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(1, width - terminalWidth(text)));
}

function summaryText(faults: number, warnings: number, language: Language): string {
  if (faults > 0) return render(message('doctor.faults', { count: faults }), language);
  if (warnings > 0) return render(message('doctor.warnings', { count: warnings }), language);
  return render(message('doctor.all_well'), language);
}
