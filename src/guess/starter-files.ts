import type { Language } from '../errors/message.js';
import type { StarterJob } from './starter-job.js';

/** A text file of a new folder; its path has slashes and is from that folder. */
interface StarterFile {
  readonly path: string;
  readonly content: string;
}

/** Everything that a new folder holds beside its job and its workbook. */
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
  ledger: 'Runs and their outcomes; what was carried out once is not sent again.',
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
