import type { Message } from '../errors/message.js';
import type { Field } from './field.js';
import type { ItemOutcome } from './item.js';
import type { Json, JsonObject } from './json.js';

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
  /** Number in §4.2. */
  readonly number: number;
  readonly method: 'GET' | 'POST';
  /** With `{name}` for path parameters. */
  readonly path: string;
  readonly purpose: string;
  readonly section: string;
  readonly service: 'order' | 'activity';
  /** Path, query and body fields except `g_nonce` and `appKey`, in the interface's order. */
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
 * The location of the items in a request.
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

/** The content of an item in a request; `body` is an order, a lock number, or all fields of the request. */
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

/** A result of an operation that later steps of a job can use. */
export interface ReturnedField {
  /** Name of a result column (`licenseOrderId` too), or of a column of the sheet `Records`. */
  readonly name: string;
  readonly field: Field;
  /** The result is a list with one value for each record. */
  readonly many: boolean;
  /**
   * With `many`: the value of a single record is also a result column of the row, so that it may fill a field with one
   * value.
   */
  readonly single?: true;
}

export interface RuleSettings {
  readonly allowDeleteFromAllOrders: boolean;
}

/** The content of a reply to a successful request (`code` 0, or an activity result). */
export interface ReplyReading {
  /** By the item's index in the request; undefined if the reply does not contain the item, or conflicts with itself. */
  readonly outcomes: readonly (ItemOutcome | undefined)[];
  /** Parts of the reply that do not belong to the request. */
  readonly warnings: readonly Message[];
  /** Set if the whole reply can't be read (data missing or of the wrong shape): the place, and what was expected. */
  readonly malformed?: string;
  /** Set if the whole reply does not belong to the request, or has impossible values. */
  readonly unbelievable?: Message;
  /** Set if none of the reply's records belongs to the request: it is then uncertain that no record exists. */
  readonly noMatch?: Message;
}

/**
 * How an operation is reverted. The platform has no revert, so that another operation is sent. It does not restore the former
 * state completely: the caution says what remains.
 */
type Reversal =
  | {
      readonly kind: 'operation';
      readonly operation: OperationName;
      readonly caution: Message;
      /** The item of that operation that reverts an item, by its content and outcome. Pure. */
      readonly undo: (sent: ItemContent, outcome: ItemOutcome) => ReversalItem;
      /** The same for an item that extended an asset which existed before and must remain. */
      readonly ofExtension?: {
        readonly operation: OperationName;
        readonly undo: (sent: ItemContent, outcome: ItemOutcome) => ReversalItem;
      };
    }
  | { readonly kind: 'none'; readonly reason: Message };

/** An item that reverts another one, or why that one cannot be reverted. */
export type ReversalItem =
  | { readonly kind: 'item'; readonly content: ItemContent }
  | { readonly kind: 'none'; readonly reason: Message };

/** The unique ids in an outcome. An id that two items were given belongs to one of them at most. */
export interface GivenIds {
  /** With their kind, so that ids of different kinds never match: `order LO-1`, `asset 8600000001`. */
  readonly ids: (outcome: ItemOutcome) => readonly string[];
  /** True if they are also compared with the ids of earlier runs (new purchases and allocations). */
  readonly acrossRuns: boolean;
}

/** An operation of the platform on a row, as data. How to add one: CONTRIBUTING, "An operation". */
export interface Operation {
  readonly name: OperationName;
  /** Description in one line. */
  readonly purpose: string;
  readonly endpoint: Endpoint;
  /** An attempt with an uncertain outcome may safely be sent again (contract section 5). */
  readonly repeatable: boolean;
  /** The map's top level: the request's fields as this operation needs them (required, allowed values). */
  readonly shape: readonly Field[];
  readonly place: ItemPlace;
  /** Top-level fields by which items share requests. */
  readonly envelope: readonly string[];
  /** Default number of items in one request; `fixed`: a job can't change it. */
  readonly batch: { readonly size: number; readonly fixed: boolean };
  /** Number of assets or products that an item revokes: counts towards `maxDeletes` and requires a confirmation. */
  readonly revokes?: (body: Json) => number;
  /**
   * Fields whose values form an item's key (contract section 4), by wire path; `order`: channelCode, channelOrderId and the
   * columns of `orderList`'s `each`, otherwise the whole content; undefined: the operation has no key.
   */
  readonly key: readonly string[] | 'order' | undefined;
  /**
   * The field that identifies what an item changes, if a second item would only undo or repeat the first (a lock, a customer).
   * Equal items of one run with the same subject are one item, whose outcome their rows share; different items conflict.
   */
  readonly subject: string | undefined;
  /**
   * What an item touches on the platform (a customer, a lock), if several items of a run may touch the same. Workers process
   * such items one after the other, in the order of the rows.
   */
  readonly touches?: (body: Json) => readonly string[];
  /** Columns that the result workbook adds after `message`. */
  readonly resultColumns: readonly string[];
  /** Columns of the sheet `Records` after `row`; undefined: the operation returns no records. */
  readonly recordColumns?: readonly string[];
  /** The results that later steps of a job can use (`from: step.name`), typed by the reply. */
  readonly returns: readonly ReturnedField[];
  /** The number of records in a complete reply, if the request determines it. */
  readonly recordsExpected?: (body: Json) => number | undefined;
  /** Ids that the platform never gives twice. */
  readonly gives?: GivenIds;
  readonly reversal: Reversal;
  /** The query by which `resolve --verify` finds an item's outcome on the platform; undefined if there is none. */
  readonly verifyBy?: (body: Json) => VerifyQuestion;
  /** The kind of an inquiry's records, which are stored so that later runs know what existed when. */
  readonly lists?: 'assets' | 'customers';
  /**
   * Fields other than `assetNos` and `assetNums` that may contain an asset's number. Required, because no check finds a field
   * that is missing here: its items would not be found by the asset.
   */
  readonly namesAssets: readonly string[];
  /** Checks the rules of §2.3 to §4.9 beyond the field table; [] if none is broken. */
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

/** How the outcome of an unknown item is requested from the platform, or why this is impossible. */
export type VerifyQuestion =
  | AssetQuestion
  | CustomerQuestion
  | { readonly kind: 'none'; readonly reason: Message };

export interface AssetQuestion {
  readonly kind: 'assets';
  readonly enterpriseGlobalId: string;
  /** Distinct. */
  readonly numbers: readonly string[];
  /** True if the order revokes the assets, false if it creates them. */
  readonly revokes: boolean;
}

export interface CustomerQuestion {
  readonly kind: 'customer';
  readonly channelCode: string;
  readonly channelCustomerId: string;
  /** The main account to which the customer should be bound. */
  readonly enterpriseName: string;
}
