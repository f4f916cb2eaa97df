import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  type JobOperation,
  type LoadJobOptions,
  loadJob,
  loadJobFile,
  loadReconcileJob,
} from '../../src/job/load.js';
import { type Problem, ProblemsError } from '../../src/job/problem.js';
import type { ComparisonShape } from '../../src/model/comparison.js';
import type { Field } from '../../src/model/field.js';
import type { Job, ReconcileJob } from '../../src/model/job.js';

const text = (name: string, more: Partial<Field> = {}): Field => ({
  name,
  type: 'String',
  required: false,
  meaning: `Meaning of ${name}`,
  section: '§2.3',
  ...more,
});

/** Contains itself. */
const PACKAGE: Field = {
  ...text('children'),
  type: 'object array',
  get fields() {
    return [text('num', { required: true }), PACKAGE];
  },
};

const ORDER: readonly Field[] = [
  text('sequence', { type: 'Integer', required: true, generated: true }),
  text('customerName', { required: true }),
  text('licenseType', {
    values: [
      { value: 'softkey', meaning: 'certificate' },
      { value: 'cloud_account', meaning: 'account' },
    ],
  }),
  text('count', { type: 'Integer' }),
  text('duration', { type: 'Long' }),
  text('until', { type: 'Long', date: true }),
  text('lent', { type: 'Boolean' }),
  text('trial', {
    type: 'Integer',
    values: [
      { value: 0, meaning: 'no' },
      { value: 1, meaning: 'yes' },
    ],
  }),
  text('contact', { type: 'object', fields: [text('phone')] }),
  text('assets', {
    type: 'object array',
    required: true,
    fields: [text('assetNos', { type: 'String array', required: true }), PACKAGE],
  }),
];

/** Three operations as small as they can be while they show every kind of field and place. */
export const OPERATIONS: readonly (JobOperation & { purpose: string })[] = [
  {
    name: 'order.new_buy',
    purpose: 'orders',
    shape: [
      text('channelCode', { required: true }),
      text('channelOrderId', { required: true, generated: true }),
      text('orderList', { type: 'object array', required: true, fields: ORDER }),
    ],
    place: { kind: 'array', field: 'orderList' },
    batch: { size: 1, fixed: false },
    returns: [
      { name: 'licenseOrderId', field: text('licenseOrderId'), many: false },
      { name: 'customerId', field: text('customerId'), many: false },
    ],
  },
  {
    name: 'asset.lock',
    purpose: 'locks',
    shape: [
      text('assetNums', { type: 'String array', required: true }),
      text('operatorIdentity', { required: true }),
    ],
    place: { kind: 'strings', field: 'assetNums' },
    batch: { size: 100, fixed: false },
    returns: [],
  },
  {
    name: 'enterprise.create',
    purpose: 'customers',
    shape: [text('crmCustomerId', { required: true }), text('address')],
    place: { kind: 'single' },
    batch: { size: 1, fixed: true },
    returns: [],
  },
];

/** Both comparisons in small, with a field of each kind that can, and that cannot, be compared. */
export const COMPARISONS: readonly ComparisonShape[] = [
  {
    name: 'asset',
    purpose: 'compares assets',
    key: [
      text('enterpriseGlobalId', { required: true }),
      text('extendCode'),
      text('assetNum', { type: 'String array', required: true }),
    ],
    record: [
      text('id'),
      text('assetNum'),
      text('locked', { type: 'Boolean' }),
      text('limitEndTime', { type: 'Long', date: true }),
      text('assignStatus', {
        type: 'object',
        fields: [text('assignMemberId'), text('history', { type: 'object array', fields: [text('id')] })],
      }),
      text('assetLimits', { type: 'object' }),
      text('assetExtends', { type: 'object array', fields: [text('extendCode'), text('extendValue')] }),
    ],
  },
  {
    name: 'enterprise',
    purpose: 'compares customers',
    key: [
      text('channelCode', { required: true }),
      text('channelCustomerId', { required: true }),
      text('defaultCustomer', {
        default: 'N',
        values: [
          { value: 'Y', meaning: 'the default customer' },
          { value: 'N', meaning: 'all' },
        ],
      }),
    ],
    record: [text('customerId'), text('channelCode'), text('isDefault', { type: 'Boolean' })],
  },
];

/** A folder with these files, removed after the test. */
export async function folderWith(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'license-sync-job-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return folder;
}

export interface Loaded {
  readonly folder: string;
  readonly job: Job;
}

type Options = Partial<Pick<LoadJobOptions, 'env' | 'set'>>;

async function loading<T>(
  yaml: string | Uint8Array,
  options: Options,
  loader: (file: string, options: LoadJobOptions) => Promise<T>,
): Promise<{ readonly folder: string; readonly job: T }> {
  const folder = await folderWith({ 'jobs/x.yaml': yaml });
  const all = { env: {}, operations: OPERATIONS, comparisons: COMPARISONS, cwd: folder, ...options };
  return { folder, job: await loader('jobs/x.yaml', all) };
}

/** Loads `jobs/x.yaml` of a new folder. */
export function load(yaml: string | Uint8Array, options: Options = {}): Promise<Loaded> {
  return loading(yaml, options, loadJob);
}

/** The same for a job that compares. */
export async function loadReconcile(
  yaml: string,
  options: Options = {},
): Promise<{ readonly folder: string; readonly job: ReconcileJob }> {
  return loading(yaml, options, loadReconcileJob);
}

/** The problems of a job file, of either kind, that must have some. */
export async function problemsOf(yaml: string, options: Options = {}): Promise<readonly Problem[]> {
  try {
    await loading(yaml, options, loadJobFile);
  } catch (error) {
    if (error instanceof ProblemsError) return error.problems;
    throw error;
  }
  throw new Error('the file was taken without a problem');
}

/** `12:5 job.unknown_key`, for comparing. */
export function brief(problems: readonly Problem[]): readonly string[] {
  return problems.map((problem) => `${problem.line}:${problem.column} ${problem.code}`);
}

/** A lock job whose parts can be replaced; the head takes lines 1 to 4. */
export function lockJob(rest: string): string {
  return `version: 1\nname: locks\noperation: asset.lock\nsource: { file: a.xlsx }\n${rest}`;
}

/** An order job with this map, indented by two; the first line of the map is line 6. */
export function orderJob(map: string): string {
  return `version: 1\nname: orders\noperation: order.new_buy\nsource: { file: a.xlsx }\nmap:\n${map}`;
}

/** A job that compares assets; the head with its key takes lines 1 to 5. */
export function assetJob(rest: string): string {
  return `version: 1
name: locks
reconcile: asset
source: { file: a.xlsx }
key: { enterpriseGlobalId: Enterprise ID, assetNum: Lock No }
${rest}`;
}

/** The same with `expect` in line 6 and one action, whose lines (8 on) are given without their indentation. */
export function actionJob(on: string, ...lines: readonly string[]): string {
  const inner = lines.map((line) => `    ${line}\n`).join('');
  return assetJob(`expect: { locked: Locked }\nactions:\n  - on: ${on}\n${inner}`);
}
