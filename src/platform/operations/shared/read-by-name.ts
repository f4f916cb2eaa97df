import { isDeepStrictEqual } from 'node:util';
import { type Message, message } from '../../../errors/message.js';
import { isObject, type Json, type JsonObject } from '../../../model/json.js';
import type { Endpoint, ReplyReading } from '../../../model/operation.js';
import type { ItemOutcome } from '../../../model/outcome.js';
import { checkShape } from '../../wire/check.js';
import { malformed, problemText } from './reading.js';
import { compareKeys, keyText, type sentKeys } from './reply-keys.js';

/** A reply gone wrong throughout would otherwise fill the ledger. */
const WARNINGS_KEPT = 20;

interface NamedReply {
  readonly endpoint: Endpoint;
  /** What the items of the request are named in the reply, in the request's order. */
  readonly names: readonly string[];
  /** Member of a reply element that holds the name. */
  readonly nameField: string;
  /** What the element of an item must repeat, besides its name. */
  readonly keys?: (name: string) => ReturnType<typeof sentKeys>;
  readonly outcome: (element: JsonObject) => ItemOutcome | undefined;
  readonly foreign: (name: string) => Message;
}

/**
 * Reads a list with one element for each item, matched by name and never by place. An item that the list leaves
 * out, or of which it says different things, has no outcome; an element that nobody asked for is a warning.
 */
export function readByName(reply: Json, { endpoint, names, nameField, ...by }: NamedReply): ReplyReading {
  if (!Array.isArray(reply)) {
    const problem = reply === null || reply === undefined ? 'missing' : 'type';
    return malformed([{ path: 'data', problem, expected: 'an object array' }], names.length);
  }
  const fields = endpoint.reply.kind === 'object array' ? endpoint.reply.fields : [];
  const asked = new Set(names);
  const found = new Map<string, JsonObject>();
  const spoilt = new Set<string>();
  const warnings: Message[] = [];
  reply.forEach((element: Json, index) => {
    const problems = checkShape(fields, element, { at: `data[${index}]`, values: 'allow' });
    const name = isObject(element) ? keyText(element[nameField]) : undefined;
    if (problems[0]) {
      warnings.push(message('operation.unreadable_result', { detail: problemText(problems[0]) }));
      // What can't be read may be the very thing that contradicts the rest.
      if (name !== undefined) spoilt.add(name);
      return;
    }
    if (name === undefined || !isObject(element)) return;
    if (!asked.has(name)) {
      warnings.push(by.foreign(name));
      return;
    }
    const before = found.get(name);
    if (before === undefined) found.set(name, element);
    else if (!isDeepStrictEqual(before, element)) {
      if (!spoilt.has(name)) warnings.push(message('operation.contradiction', { name }));
      spoilt.add(name);
    }
  });
  const outcomes = names.map((name): ItemOutcome | undefined => {
    const element = spoilt.has(name) ? undefined : found.get(name);
    if (!element) return undefined;
    const { other, warning } = compareKeys(by.keys?.(name) ?? [], element);
    if (other) return { status: 'unknown', message: other };
    const outcome = by.outcome(element);
    return outcome && warning ? { message: warning, ...outcome } : outcome;
  });
  return { outcomes, warnings: warnings.slice(0, WARNINGS_KEPT) };
}
