import { type Language, message } from '../errors/message.js';
import { endOption, isNeeded } from '../model/field.js';
import type { Operation } from '../model/operation.js';
import { namesOf, type TargetField, tableOf, targetsOf } from './targets.js';
import { branch, branchAt, type DraftBranch, type DraftValue, jobText } from './write-yaml.js';

/** A text file of a new folder; `path` is relative to that folder and has slashes. */
interface StarterFile {
  readonly path: string;
  readonly content: string;
}

/** All files of a new folder except its job and its workbook. */
export function starterFiles(job: StarterJob, schema: string, language: Language): readonly StarterFile[] {
  return [
    { path: 'license-sync.yaml', content: configuration(language) },
    { path: 'job.schema.json', content: schema },
    {
      path: '.vscode/settings.json',
      content: json({ 'yaml.schemas': { './job.schema.json': ['jobs/*.yaml'] } }),
    },
    { path: '.vscode/extensions.json', content: json({ recommendations: ['redhat.vscode-yaml'] }) },
    { path: '.gitignore', content: '.license-sync/\nresults/\n.env\n' },
    { path: 'README.md', content: readme(job, language) },
  ];
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function configuration(language: Language): string {
  const words = language === 'zh' ? CHINESE : ENGLISH;
  return `version: 1
# ${words.sandbox}
defaultConnection: sandbox
# ${words.ledger}
ledger: .license-sync/ledger.db
# ${words.production}
# connections:
#   production:
#     baseUrl: https://license.example.com
#     appKey: \${LICENSE_APP_KEY}
#     token: { env: LICENSE_TOKEN }
#     requestsPerSecond: 50
#     timestamps: milliseconds   # ${words.timestamps}
#     timezone: Asia/Shanghai
# ${words.shared}
# defaults: { run: { concurrency: 4 } }
# maps: { customer-fields: { customerName: $(prefix)name } }   # ${words.used}
`;
}

const ENGLISH = {
  sandbox: 'The simulated platform that ships with the program: nothing leaves this computer.',
  ledger: 'Runs and their outcomes; what was executed once is not sent again.',
  production:
    'The platform itself: fill in, remove the "#", set LICENSE_TOKEN, then add --connection production.',
  timestamps: 'or seconds',
  shared: 'What several jobs have in common; license-sync show JOB prints what counts in the end.',
  used: 'in a map: { use: customer-fields, with: { prefix: "Buyer " } }',
} as const;
const CHINESE: Readonly<Record<keyof typeof ENGLISH, string>> = {
  sandbox: '程序自带的模拟平台：数据不会离开本机。',
  ledger: '记录各次运行及其结果；已完成的内容不会重复发送。',
  production: '正式平台：填写后去掉“#”，设置环境变量 LICENSE_TOKEN，运行时加 --connection production。',
  timestamps: '或 seconds',
  shared: '多个任务共用的内容；license-sync show 任务文件 可显示最终生效的内容。',
  used: '在映射中引用：{ use: customer-fields, with: { prefix: "Buyer " } }',
};

function readme({ name }: StarterJob, language: Language): string {
  const job = `jobs/${name}.yaml`;
  const lines =
    language === 'zh'
      ? [
          '# license-sync 任务',
          `1. 在 \`data/${name}.xlsx\` 的 \`Data\` 工作表中填写数据。`,
          `2. 检查：\`license-sync validate ${job}\`（不发送任何内容）。`,
          `3. 在沙箱中运行：\`license-sync run ${job}\`，结果写入 \`results/\`。`,
          '4. 正式运行：在 `license-sync.yaml` 中填写连接，再加上 `--connection production`。',
        ]
      : [
          '# license-sync jobs',
          `1. Fill in the sheet \`Data\` of \`data/${name}.xlsx\`.`,
          `2. Check it: \`license-sync validate ${job}\` (nothing is sent).`,
          `3. Run it on the sandbox: \`license-sync run ${job}\`; the result is written to \`results/\`.`,
          '4. Run it for real: fill in the connection in `license-sync.yaml`, then add `--connection production`.',
        ];
  return `${lines.join('\n')}\n`;
}

/** A first job for an operation, with the usual names of columns. */
export interface StarterJob {
  /** Name of the job, its file and its workbook. */
  readonly name: string;
  readonly text: string;
}

/** Optional fields that are useful in a first job: the limits of a licence, and addresses. */
const WORTH_SHOWING: ReadonlySet<string> = new Set([
  'address',
  'limitStartDate',
  'limitEndDate',
  'channelOrderId',
  'extendCode',
]);
/** Tables that a first job omits. */
const LEFT_OUT: ReadonlySet<string> = new Set(['assetExtendList', 'merchandises', 'productFeatures']);

/**
 * The job of a new folder: its rows are in `../data/NAME.xlsx`, its connection is the sandbox.
 * @param language of its headers and comments
 */
export function starterJob(operation: Operation, language: Language): StarterJob {
  const name = operation.name.replace(/^order\./, '').replace(/[^a-z]+/g, '-');
  const targets = targetsOf(operation).filter((it) => isShown(it, operation));
  const map = branch('map');
  for (const target of targets) {
    const value = leafValue(target, targets, language);
    branchAt(map, target.path.slice(0, -1)).members.push({
      kind: 'leaf',
      name: target.field.name,
      notes: [],
      value,
    });
  }
  for (const level of new Set(targets.map((it) => it.level))) group(map, level, targets, language);
  const text = jobText(
    {
      schema: '../job.schema.json',
      name,
      description: operation.purpose,
      connection: 'sandbox',
      source: [
        ['file', `../data/${name}.xlsx`],
        ['sheet', 'Data'],
      ],
      output: '../results/{job}-{run}.xlsx',
    },
    { operation: operation.name, map },
    { first: [message('init.job_head')], source: [], last: [] },
    language,
  );
  return { name, text };
}

function isShown({ path, level, field }: TargetField, operation: Operation): boolean {
  if (path.some((it) => LEFT_OUT.has(it))) return false;
  // The asset's dates would repeat those of the product.
  if (tableOf(level) === 'assets' && field.date) return false;
  if (isNeeded(field) || WORTH_SHOWING.has(field.name)) return true;
  return field.name === 'srcLicenseOrderId' && operation.revokes !== undefined;
}

function leafValue(target: TargetField, targets: readonly TargetField[], language: Language): DraftValue {
  const { name } = target.field;
  const header = (field: string): string | undefined => {
    const found = targets.find((it) => it.field.name === field && it.level === target.level);
    return found && headerFor(found, language);
  };
  const quantity = header('timeUnitQuantity');
  const end = header('limitEndDate');
  if (name === 'syncMode') return { kind: 'constant', value: 'sync' };
  if (name === 'limitTimeDuration' || name === 'trial') return { kind: 'constant', value: 0 };
  if (name === 'timeUnit') return { kind: 'constant', value: 'month' };
  if (name === 'timeDurationExpression' && quantity !== undefined)
    return { kind: 'template', template: `0-{${quantity}}-0` };
  if (name === 'trialEndDate' && end !== undefined)
    return { kind: 'column', column: end, ...endOption(target.field) };
  const column = headerFor(target, language);
  return { kind: 'column', column, ...endOption(target.field) };
}

function group(map: DraftBranch, level: string, targets: readonly TargetField[], language: Language): void {
  const key: Readonly<Record<string, readonly [string, string]>> = {
    orderList: ['channelOrderId', ''],
    assets: ['assetNos', level],
    products: ['crmProductId', level],
  };
  const keyField = key[tableOf(level)];
  const found = keyField && targets.find((it) => it.field.name === keyField[0] && it.level === keyField[1]);
  if (found)
    branchAt(map, level.split('.')).each = { kind: 'columns', columns: [headerFor(found, language)] };
}

/** The usual name of the field in the language; otherwise another known name, or the field's own. */
function headerFor(target: TargetField, language: Language): string {
  const chinese = (text: string): boolean => /[\u3400-\u9fff]/u.test(text);
  const names = namesOf(target);
  return names.find((it) => chinese(it) === (language === 'zh')) ?? names[0] ?? target.field.name;
}
