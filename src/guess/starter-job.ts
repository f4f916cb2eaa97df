import { type Language, message } from '../errors/message.js';
import { endOption, isNeeded } from '../model/field.js';
import type { Operation } from '../model/operation.js';
import { branch, branchAt, type DraftBranch, type DraftValue } from './draft.js';
import { namesOf, type TargetField, tableOf, targetsOf } from './targets.js';
import { jobText } from './write-yaml.js';

/** A first job for an operation, with columns named as people name them. */
export interface StarterJob {
  /** Of the job, its file and its workbook. */
  readonly name: string;
  readonly text: string;
}

/** Optional fields that a first job is better for: what a licence is limited to, and where somebody lives. */
const WORTH_SHOWING: ReadonlySet<string> = new Set([
  'address',
  'limitStartDate',
  'limitEndDate',
  'channelOrderId',
  'extendCode',
]);
/** Tables that a first job does without. */
const LEFT_OUT: ReadonlySet<string> = new Set(['assetExtendList', 'merchandises', 'productFeatures']);

/**
 * The job of a new folder: its rows are in `../data/NAME.xlsx`, and it goes to the sandbox.
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
  // The asset's own dates say nothing that the product's don't.
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
  const wanted = key[tableOf(level)];
  const found = wanted && targets.find((it) => it.field.name === wanted[0] && it.level === wanted[1]);
  if (found)
    branchAt(map, level.split('.')).each = { kind: 'columns', columns: [headerFor(found, language)] };
}

/** What people call the field in the language; its own name where that isn't known. */
function headerFor(target: TargetField, language: Language): string {
  const chinese = (text: string): boolean => /[\u3400-\u9fff]/u.test(text);
  const names = namesOf(target);
  return names.find((it) => chinese(it) === (language === 'zh')) ?? names[0] ?? target.field.name;
}
