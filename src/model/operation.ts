import type { Message } from '../errors/message.js';
import type { Field } from './field.js';
import type { Json, JsonObject } from './json.js';
import type { ItemOutcome } from './outcome.js';
import type { VerifyQuestion } from './verify-question.js';

export const OPERATION_NAMES = [
  'enterprise.bind',
  'enterprise.create',
  'enterprise.query',
  'enterprise.update',
  'order.new_buy',
  'order.delete_asset',
  'order.delete_product',
  'asset.lock',
  'asset.unlock',
  'asset.list',
  'asset.numbers',
  'activity.participate',
] as const;

export type OperationName = (typeof OPERATION_NAMES)[number];

/** One HTTP endpoint as data (§4). */
export interface Endpoint {
  /** Its number in §4.2. */
  readonly number: number;
  readonly method: 'GET' | 'POST';
  /** With `{name}` for path parameters. */
  readonly path: string;
  readonly purpose: string;
  readonly section: string;
  readonly service: 'order' | 'activity';
  /** Path, query and body fields but `g_nonce` and `appKey`, in the interface's order. */
  readonly request: readonly Field[];
  /** `appKey` goes in the query (§4.5, endpoint 5). */
  readonly needsAppKey?: true;
  /** Order service: what `data` is when `code` is 0. Activity: the whole result object. */
  readonly reply: ReplyShape;
}

export type ReplyShape =
  | { readonly kind: 'object'; readonly fields: readonly Field[] }
  | { readonly kind: 'object array'; readonly fields: readonly Field[] }
  | { readonly kind: 'string array' }
  | { readonly kind: 'none' };

/**
 * Where the items are in a request.
 * - array: one item per element of an object array (`orderList`)
 * - strings: one item per element of a string array (`assetNums`)
 * - single: the request is the item
 */
export type ItemPlace =
  | { readonly kind: 'array'; readonly field: string }
  | { readonly kind: 'strings'; readonly field: string }
  | { readonly kind: 'single' };

export interface WireRequest {
  readonly method: 'GET' | 'POST';
  /** Path parameters already encoded in; no query. */
  readonly path: string;
  /** Without `g_nonce`. */
  readonly query: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
}

/** What an item carries to the request; `body` is an order, a lock number, or the whole request's fields. */
export interface ItemContent {
  readonly envelope: JsonObject;
  readonly body: Json;
}

/** A rule of the interface that an item breaks. */
export interface RuleFault {
  /** Wire path without indexes from the request's top, `orderList.assets.products.limitStartDate`. */
  readonly field: string;
  /** The same with indexes, so that the cell can be found. */
  readonly path: string;
  readonly message: Message;
}

/** What an operation's reply gives to later steps of a job. */
export interface ReturnedField {
  /** Name of a result column (`licenseOrderId` too), or of a column of the sheet `Records`. */
  readonly name: string;
  readonly field: Field;
  /** It comes from records: a list with a value for each. */
  readonly many: boolean;
  /** Of several: where one record came its value stands beside the row as well, so it may fill a field that takes one. */
  readonly single?: true;
}

export interface RuleSettings {
  readonly allowDeleteFromAllOrders: boolean;
}

/** One reply, already known to be a success of the whole request (`code` 0, or an activity result). */
export interface ReplyReading {
  /** By the item's place in the request; undefined where the reply says nothing of it, or contradicts itself. */
  readonly outcomes: readonly (ItemOutcome | undefined)[];
  /** What the reply says that was not asked for. */
  readonly warnings: readonly Message[];
  /** The whole reply can't be read (data missing or of the wrong shape): where, and what was expected. */
  readonly malformed?: string;
  /** The whole reply is about something else than the request, or has values that no reply can have. */
  readonly unbelievable?: Message;
  /** Records came, but all of them are about something else: that nothing was found is not certain. */
  readonly noMatch?: Message;
}

/**
 * What undoes an operation. The platform takes nothing back by itself, so the way back is another operation, and it is
 * never quite as if nothing had been sent: the caution says what stays.
 */
type WayBack =
  | {
      readonly kind: 'operation';
      readonly operation: OperationName;
      readonly caution: Message;
      /** The item of that operation which takes one item back, from what was sent and what came of it. Pure. */
      readonly undo: (sent: ItemContent, outcome: ItemOutcome) => UndoingItem;
    }
  | { readonly kind: 'none'; readonly reason: Message };

/** An item that takes another one back, or why that one can't be taken back. */
export type UndoingItem =
  | { readonly kind: 'item'; readonly content: ItemContent }
  | { readonly kind: 'none'; readonly reason: Message };

/** What of an outcome is an id of its own: given to two items, it belongs to one of them at most. */
export interface GivenIds {
  /** With their kind, so that ids of different kinds never meet: `order LO-1`, `asset 8600000001`. */
  readonly ids: (outcome: ItemOutcome) => readonly string[];
  /** Also compared with what earlier runs were given (new purchases and allocations). */
  readonly acrossRuns: boolean;
}

/** One thing the platform can do for a row, as data. How to add one: CONTRIBUTING, "An operation". */
export interface Operation {
  readonly name: OperationName;
  /** One line for people. */
  readonly purpose: string;
  readonly endpoint: Endpoint;
  /** A doubtful attempt may be sent again without harm (contract section 5). */
  readonly repeatable: boolean;
  /** The map's top level: the request's fields as this operation needs them (required, allowed values). */
  readonly shape: readonly Field[];
  readonly place: ItemPlace;
  /** Top-level fields by which items share requests. */
  readonly envelope: readonly string[];
  /** Items in one request when the job doesn't say; and whether a job may raise it above 1. */
  readonly batch: { readonly size: number; readonly fixed: boolean };
  /** Counts against `maxDeletes` and asks before sending: how many assets or products an item revokes. */
  readonly revokes?: (body: Json) => number;
  /**
   * Fields whose values make an item's key (contract section 4), by wire path; `order`: channelCode, channelOrderId
   * and the columns of `orderList`'s `each`, else the whole content; undefined: the operation has no key.
   */
  readonly key: readonly string[] | 'order' | undefined;
  /**
   * The field that names what an item changes, where a second item would only undo or repeat the first (a lock, a
   * customer): items of one run that name the same and agree in everything are one item, whose outcome their rows
   * share; those that don't agree contradict each other.
   */
  readonly subject: string | undefined;
  /**
   * What an item touches on the platform (a customer, a lock), where several items of a run may touch the same: workers
   * carry those one after the other, in the order of the rows.
   */
  readonly touches?: (body: Json) => readonly string[];
  /** Columns that the result workbook adds after `message`. */
  readonly resultColumns: readonly string[];
  /** Columns of the sheet `Records` after `row`; undefined: the operation returns no records. */
  readonly recordColumns?: readonly string[];
  /** What later steps of a job may take from it (`from: step.name`), typed by its reply. */
  readonly returns: readonly ReturnedField[];
  /** How many records a good reply has, where the request says so; undefined where it leaves that open. */
  readonly recordsExpected?: (body: Json) => number | undefined;
  /** Ids that a platform never gives twice. */
  readonly gives?: GivenIds;
  readonly wayBack: WayBack;
  /** Where `resolve --verify` can ask what became of an item; undefined: nowhere. */
  readonly verifyBy?: (body: Json) => VerifyQuestion;
  /** What the records of an inquiry are, so that later runs know what was there when. */
  readonly lists?: 'assets' | 'customers';
  /** Fields beside `assetNos` and `assetNums` that may hold an asset's number. */
  readonly namesAssets?: readonly string[];
  /** Rules of §2.3 to §4.9 beyond the field table; [] when all hold. */
  rules(content: ItemContent, settings: RuleSettings): readonly RuleFault[];
  /** Puts the items of a batch into one request; generated fields (`sequence`, `channelOrderId`) are set here. */
  compose(envelope: JsonObject, bodies: readonly Json[], context: ComposeContext): WireRequest;
  /** Reads `data` of a successful reply (order service) or the result object (activity). */
  read(reply: Json, sent: WireRequest, items: number): ReplyReading;
}

export interface ComposeContext {
  readonly appKey?: string;
  /** For an unmapped `channelOrderId`: unique to the batch and the same on every attempt. */
  readonly channelOrderId: string;
}

/** A wire path as users write it: without the items' array. */
export function shownPath(path: string, { place }: Pick<Operation, 'place'>): string {
  const prefix = place.kind === 'array' ? `${place.field}.` : '';
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}
