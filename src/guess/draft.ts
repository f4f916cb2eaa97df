import type { Message } from '../errors/message.js';
import type { Scalar } from '../model/map.js';
import type { TargetField } from './targets.js';

/** A branch of the map to be written, with notes for the user. */
export interface DraftBranch {
  readonly kind: 'branch';
  readonly name: string;
  readonly notes: Message[];
  each?: DraftEach;
  readonly members: DraftNode[];
}

export type DraftEach =
  | { readonly kind: 'columns'; readonly columns: readonly string[] }
  | { readonly kind: 'sheet'; readonly sheet: string; readonly on: readonly string[] };

export type DraftNode = DraftBranch | DraftLeaf;

export interface DraftLeaf {
  readonly kind: 'leaf';
  readonly name: string;
  readonly notes: readonly Message[];
  readonly value: DraftValue;
}

/** A text of a column whose meaning isn't certain. */
export interface OpenText {
  readonly text: string;
  readonly count: number;
  /** Values that it may mean; empty if none is known. */
  readonly candidates: readonly Scalar[];
}

export type DraftValue =
  | {
      readonly kind: 'column';
      readonly column: string;
      readonly split?: string;
      readonly format?: string | readonly string[];
      readonly end?: 'day';
      readonly values?: readonly (readonly [string, Scalar])[];
      readonly open?: readonly OpenText[];
    }
  | { readonly kind: 'constant'; readonly value: Scalar }
  | { readonly kind: 'template'; readonly template: string }
  /** What an earlier step returns, `customer.customerId`; where that was left out, something else. */
  | { readonly kind: 'from'; readonly from: string; readonly else?: DraftValue }
  /** The name of a missing column, so that the job can be loaded and its check names the field. */
  | { readonly kind: 'lacking'; readonly column: string };

export function branch(name: string): DraftBranch {
  return { kind: 'branch', name, notes: [], members: [] };
}

/** The branch at a wire path of tables. Missing branches are made. */
export function branchAt(root: DraftBranch, tables: readonly string[]): DraftBranch {
  let at = root;
  for (const name of tables) {
    let next = at.members.find((it): it is DraftBranch => it.kind === 'branch' && it.name === name);
    if (!next) {
      next = branch(name);
      at.members.push(next);
    }
    at = next;
  }
  return at;
}

/** A required field for which the spreadsheet has nothing. */
export interface MissingField {
  readonly target: TargetField;
  /** Unused columns with the most similar names. */
  readonly nearest: readonly string[];
}
