import { type Message, message } from '../errors/message.js';
import { headerName } from './column-leaf.js';
import type { DraftBranch, DraftLeaf, DraftValue } from './draft.js';
import { squash } from './header-forms.js';
import type { Match } from './match.js';
import type { TargetField } from './targets.js';

const UNITS: readonly (readonly [RegExp, string])[] = [
  [/month|月/iu, 'month'],
  [/year|年/iu, 'year'],
  [/days?\b|天|日数/iu, 'day'],
];

/**
 * A value for a required field without a column, if one makes sense for any spreadsheet.
 * @param siblings matches of the same table and of those inside it
 * @param at the branch of that table, with the leaves of fields that are matched
 */
export function fillIn(
  target: TargetField,
  siblings: readonly Match[],
  at: DraftBranch,
): DraftLeaf | undefined {
  const { name } = target.field;
  const leaf = (value: DraftValue, ...notes: Message[]): DraftLeaf => ({ kind: 'leaf', name, notes, value });
  const matched = (field: string): Match | undefined => siblings.find((it) => it.target.field.name === field);
  switch (name) {
    case 'syncMode':
      return leaf({ kind: 'constant', value: 'sync' });
    case 'defaultCustomer':
      return leaf({ kind: 'constant', value: 'N' }, message('guess.default_customer'));
    case 'limitTimeDuration':
      return leaf({ kind: 'constant', value: 0 }, message('guess.no_usage_time'));
    case 'trial':
      return leaf({ kind: 'constant', value: 0 }, message('guess.no_trial'));
    case 'trialEndDate': {
      const end = at.members.find((it) => it.kind === 'leaf' && it.name === 'limitEndDate');
      if (end?.kind !== 'leaf' || end.value.kind !== 'column') return undefined;
      return leaf(end.value, message('guess.trial_end_from_end'));
    }
    case 'productUri': {
      const key = matched('gmsPid') ?? matched('appKey');
      return key && leaf({ kind: 'column', column: headerName(key.column) }, message('guess.uri_from_key'));
    }
    case 'timeUnit': {
      const unit = unitOf(matched('timeUnitQuantity'));
      return unit === undefined
        ? undefined
        : leaf({ kind: 'constant', value: unit }, message('guess.time_unit'));
    }
    case 'timeDurationExpression': {
      const template = durationTemplate(matched('timeUnitQuantity'));
      return template === undefined ? undefined : leaf({ kind: 'template', template });
    }
    default:
      return undefined;
  }
}

function unitOf(quantity: Match | undefined): string | undefined {
  if (!quantity) return undefined;
  const found = UNITS.filter(([pattern]) => pattern.test(quantity.column.header.text));
  return found.length === 1 ? found[0]![1] : undefined;
}

/** Years-months-days (§2.3) from a column that counts one of them. */
function durationTemplate(quantity: Match | undefined): string | undefined {
  const unit = unitOf(quantity);
  if (!quantity || unit === undefined) return undefined;
  const column = headerName(quantity.column);
  if (/[{}]/.test(column)) return undefined;
  const cell = `{${column}}`;
  return { month: `0-${cell}-0`, year: `${cell}-0-0`, day: `0-0-${cell}` }[unit];
}

/** Fields that often take the same column as another field. */
const OFTEN_ALIKE: Readonly<Record<string, readonly string[]>> = {
  passwordMobile: ['adminCellNumber'],
  adminCellNumber: ['passwordMobile'],
  adminAccount: ['adminEmail', 'adminCellNumber'],
  enterpriseName: ['customerName'],
};

/** A column that is used already and might do for the field too. */
export function usedColumnFor(target: TargetField, matches: readonly Match[]): string | undefined {
  for (const name of OFTEN_ALIKE[target.field.name] ?? []) {
    const match = matches.find((it) => it.target.field.name === name);
    if (match) return headerName(match.column);
  }
  return undefined;
}

/** A placeholder for a required field: its own name as a column that doesn't exist, so that the check names it. */
export function missingLeaf(
  target: TargetField,
  headers: ReadonlySet<string>,
  nearest: readonly string[],
  used: string | undefined,
): DraftLeaf {
  const { name } = target.field;
  const free = [name, target.shown, target.path.join('.')].find((it) => !headers.has(squash(it)));
  const column = free ?? `${name} ?`;
  const notes = [
    nearest.length === 0
      ? message('guess.lacking', { field: name })
      : message('guess.lacking_nearest', { field: name, nearest: nearest.join(', ') }),
  ];
  if (used !== undefined) notes.push(message('guess.lacking_used', { column: used }));
  if (target.field.values) {
    const values = target.field.values.map((it) => it.value).join(', ');
    notes.push(message('guess.lacking_values', { values }));
  }
  return { kind: 'leaf', name, notes, value: { kind: 'lacking', column } };
}
