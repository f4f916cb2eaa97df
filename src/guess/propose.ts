import { OPERATION_NAMES, type OperationName } from '../model/operation.js';
import { operationNamed } from '../platform/operations/index.js';
import type { Match } from './match.js';
import type { Profile } from './profile.js';
import { matchSheet } from './scope.js';
import { isNeeded, type Target, targetsOf } from './targets.js';

/** An operation as the aim of a spreadsheet. */
export interface Proposal {
  readonly operation: OperationName;
  /** 0 to 1. */
  readonly score: number;
  /** Required fields that have a column, of how many; and columns that are used. */
  readonly matched: number;
  readonly required: number;
  readonly used: number;
  readonly columns: number;
  /** The word in a name that spoke for it; empty when none did. */
  readonly hint: string;
}

/** What names of files, sheets and columns say about the purpose of a spreadsheet. */
const HINTS: readonly (readonly [RegExp, readonly OperationName[]])[] = [
  [/unlock|enable|re-?activat|paid|解锁|启用|恢复|解禁|解除|缴费|已付/iu, ['asset.unlock']],
  [
    /(?<!un)locking|to[-_ ]lock|asset[-_.]lock|disable|overdue|suspend|arrears|停用|禁用|锁定|冻结|欠费|逾期/iu,
    ['asset.lock'],
  ],
  [
    /revo[ck]|return|delet|remov|撤销|退货|退回|回收单|删除|注销|退锁|退订/iu,
    ['order.delete_asset', 'order.delete_product'],
  ],
  [/update|chang|modif|new name|new address|变更|修改|更新|更名|新名称|新地址/iu, ['enterprise.update']],
  [/creat|new customers?|onboard|新建|开户|建档|新增客户|创建/iu, ['enterprise.create']],
  [/\bbind|绑定/iu, ['enterprise.bind']],
  [/quer|look ?up|查询/iu, ['enterprise.query']],
  [/allocat|numbers?-|号段|分配|领号|取号/iu, ['asset.numbers']],
  [/activit|campaign|promotion|活动|领取/iu, ['activity.participate']],
  [/new[-_ ]?(?:buy|order)|purchase|新购|采购|购买|新订单/iu, ['order.new_buy']],
];

/**
 * The operations by how well the columns fit them, the likeliest first: as many required fields as can be should have a
 * column, and as few known columns as can be should be left over.
 * @param words names of file and sheet, which may say what it is for
 */
export function proposals(columns: readonly Profile[], words: readonly string[]): readonly Proposal[] {
  const said = [...words, ...columns.map((it) => it.header.text)];
  const tried = OPERATION_NAMES.map((operation) => {
    const targets = targetsOf(operationNamed(operation));
    const matches = matchSheet(columns, targets).filter((it) => it.by === 'name' || it.score > 0.55);
    return { operation, targets, matches };
  });
  const known = new Set(tried.flatMap(({ matches }) => matches.map((it) => it.column)));
  return tried
    .map(({ operation, targets, matches }) => rate(operation, targets, matches, known.size, columns, said))
    .sort((a, b) => b.score - a.score);
}

function rate(
  operation: OperationName,
  targets: readonly Target[],
  matches: readonly Match[],
  known: number,
  columns: readonly Profile[],
  said: readonly string[],
): Proposal {
  const needed = targets.filter((it) => isNeeded(it.field) && isUsual(it));
  const given = matches.filter(({ target }) => needed.includes(target)).length;
  const weight = matches.reduce((total, it) => total + it.score, 0);
  const coverage = needed.length === 0 ? 0 : given / needed.length;
  // Most columns should mean something to some operation.
  const usage = known === 0 ? 0 : weight / Math.max(known, columns.length * 0.35);
  const base = coverage + usage === 0 ? 0 : (2 * coverage * usage) / (coverage + usage);
  const hint = hintFor(operation, said);
  return {
    operation,
    score: Math.min(1, base === 0 ? 0 : base + (hint === '' ? 0 : 0.12)),
    matched: given,
    required: needed.length,
    used: matches.length,
    columns: columns.length,
    hint,
  };
}

/** Tables that hardly any spreadsheet fills don't speak against an operation. */
function isUsual({ path }: Target): boolean {
  return !path.some((it) => it === 'merchandises' || it === 'productFeatures' || it === 'assetExtendList');
}

function hintFor(operation: OperationName, said: readonly string[]): string {
  for (const [pattern, operations] of HINTS) {
    if (!operations.includes(operation)) continue;
    for (const text of said) {
      // `unlock` says `lock` as well.
      const found = pattern.exec(text);
      if (found) return text;
    }
  }
  return '';
}
