import { isDeepStrictEqual } from 'node:util';
import { type Message, message } from '../../../errors/message.js';
import { type Field, leafFields, type ShapeProblem } from '../../../model/field.js';
import type { ItemOutcome } from '../../../model/item.js';
import { isObject, type Json, type JsonObject, member } from '../../../model/json.js';
import type { Endpoint, Operation, ReplyReading, ReturnedField } from '../../../model/operation.js';
import { checkShape } from '../../wire/check.js';
import { compareKeys, keyText, type sentKeys } from './reply-keys.js';

const PROBLEMS_NAMED = 3;

/** Reading of a reply that decides its only item. */
export function settled(outcome: ItemOutcome): ReplyReading {
  return { outcomes: [outcome], warnings: [] };
}

/** Reading of a reply that is unreliable as a whole. */
export function malformed(problems: readonly ShapeProblem[], items: number): ReplyReading {
  const named = problems.slice(0, PROBLEMS_NAMED).map(problemText).join('; ');
  const rest = problems.length - PROBLEMS_NAMED;
  return {
    outcomes: Array.from({ length: items }, () => undefined),
    warnings: [],
    malformed: rest > 0 ? `${named}; … (+${rest})` : named,
  };
}

/** Reading of a reply about another item, or with impossible values. */
export function unbelievable(why: Message, items: number): ReplyReading {
  return { outcomes: Array.from({ length: items }, () => undefined), warnings: [], unbelievable: why };
}

/** `data[0].customerId: expected String`. */
function problemText({ path, problem, expected }: ShapeProblem): string {
  return problem === 'missing' ? `${path}: missing (${expected})` : `${path}: not ${expected}`;
}

/** Texts that programs write in place of a missing id. */
const NO_ID = /^(?:\(?(?:null|nil|none|undefined|nan)\)?|\[object object\]|[-+]?0+(?:\.0+)?)?$/iu;

const INVISIBLE = /[\p{Cf}\p{Cs}]/gu;
const CONTROL = /\p{Cc}/u;

/** Whether a text can be an id: not `null`, `undefined` or 0, with visible characters, without control characters. */
export function isPossibleId(text: string): boolean {
  const visible = text.replace(INVISIBLE, '').trim();
  return !NO_ID.test(visible) && !CONTROL.test(text.trim());
}

/** The first of a record's own identifiers that is not a possible id; absent ones are ignored. */
export function impossibleId(
  fields: readonly Field[],
  record: JsonObject,
): { readonly field: Field; readonly value: string } | undefined {
  for (const field of fields) {
    const value = idText(field, record);
    if (value !== undefined && !isPossibleId(value)) return { field, value };
  }
  return undefined;
}

/** The record without optional identifiers that are not possible ids, so that no lookup or later step uses one. */
export function withoutImpossibleIds(fields: readonly Field[], record: JsonObject): JsonObject {
  const impossible = fields.filter((field) => {
    const value = field.required ? undefined : idText(field, record);
    return value !== undefined && value !== '' && !isPossibleId(value);
  });
  if (impossible.length === 0) return record;
  const names = new Set(impossible.map((it) => it.name));
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.has(name)));
}

function idText(field: Field, record: JsonObject): string | undefined {
  if (field.identifier !== true) return undefined;
  const value: Json | undefined = member(record, field.name);
  return typeof value === 'string' ? value : undefined;
}

type Returning = Pick<Operation, 'endpoint' | 'resultColumns'>;

/**
 * The returned values of an operation: its result columns, with the types of the reply's fields of the same name (all
 * others are counts), and the columns of its records.
 */
export function returnedFields(
  { endpoint, resultColumns }: Returning,
  records: readonly Field[] = [],
): readonly ReturnedField[] {
  const { reply, section } = endpoint;
  const typed = 'fields' in reply ? reply.fields : [];
  const columns = new Map(
    resultColumns.map((name) => [name, typed.find((it) => it.name === name) ?? count(name, section)]),
  );
  const ofRecords = [...leafFields(records)].map(({ path, field }): ReturnedField => {
    const name = path.join('.');
    return { name, field, many: true, ...(columns.delete(name) ? { single: true } : {}) };
  });
  return [
    ...[...columns].map(([name, field]): ReturnedField => ({ name, field, many: false })),
    ...ofRecords,
  ];
}

function count(name: string, section: string): Field {
  return { name, type: 'Integer', required: true, meaning: 'How many came', section, least: 0 };
}

/** Limit of the stored warnings: an entirely wrong reply would fill the ledger. */
const WARNINGS_KEPT = 20;

interface NamedReply {
  readonly endpoint: Endpoint;
  /** Names of the request's items in the reply, in the request's order. */
  readonly names: readonly string[];
  /** Member of a reply element that holds the name. */
  readonly nameField: string;
  /** Values that the element of an item must repeat, besides its name. */
  readonly keys?: (name: string) => ReturnType<typeof sentKeys>;
  readonly outcome: (element: JsonObject) => ItemOutcome | undefined;
  readonly foreign: (name: string) => Message;
}

/**
 * Reads a list with one element for each item, matched by name and never by position. An item without an element, or
 * with contradictory ones, has no outcome; an element of an unknown name is a warning.
 */
export function readByName(reply: Json, { endpoint, names, nameField, ...by }: NamedReply): ReplyReading {
  if (!Array.isArray(reply)) {
    const problem = reply === null || reply === undefined ? 'missing' : 'type';
    return malformed([{ path: 'data', problem, expected: 'an object array' }], names.length);
  }
  const fields = endpoint.reply.kind === 'object array' ? endpoint.reply.fields : [];
  const expected = new Set(names);
  const found = new Map<string, JsonObject>();
  const unusable = new Set<string>();
  const warnings: Message[] = [];
  reply.forEach((element: Json, index) => {
    const problems = checkShape(fields, element, { at: `data[${index}]`, values: 'allow' });
    const name = isObject(element) ? keyText(element[nameField]) : undefined;
    if (problems[0]) {
      warnings.push(message('operation.unreadable_result', { detail: problemText(problems[0]) }));
      // An unreadable element may conflict with the readable one.
      if (name !== undefined) unusable.add(name);
      return;
    }
    if (name === undefined || !isObject(element)) return;
    if (!expected.has(name)) {
      warnings.push(by.foreign(name));
      return;
    }
    const before = found.get(name);
    if (before === undefined) found.set(name, element);
    else if (!isDeepStrictEqual(before, element)) {
      if (!unusable.has(name)) warnings.push(message('operation.contradiction', { name }));
      unusable.add(name);
    }
  });
  const outcomes = names.map((name): ItemOutcome | undefined => {
    const element = unusable.has(name) ? undefined : found.get(name);
    if (!element) return undefined;
    const { other, warning } = compareKeys(by.keys?.(name) ?? [], element);
    if (other) return { status: 'unknown', message: other };
    const outcome = by.outcome(element);
    return outcome && warning ? { message: warning, ...outcome } : outcome;
  });
  return { outcomes, warnings: warnings.slice(0, WARNINGS_KEPT) };
}
