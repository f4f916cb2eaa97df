import type { Message } from '../errors/message.js';
import type { Scalar } from '../model/map.js';
import type { TargetField } from './targets.js';

/** A job as it is going to be written: values, and what a person should know beside them. */
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

/** A text that a column holds and nobody can say for sure what it stands for. */
export interface OpenText {
  readonly text: string;
  readonly count: number;
  /** What it could be; empty where nothing is known. */
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
  /** Stands for a column that isn't there, so that the job can be loaded and its check names the field. */
  | { readonly kind: 'lacking'; readonly column: string };

export function branch(name: string): DraftBranch {
  return { kind: 'branch', name, notes: [], members: [] };
}

/** The branch that a wire path of tables leads to; those on the way are made where they are missing. */
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
export interface Lacking {
  readonly target: TargetField;
  /** Columns that nothing uses and whose names come nearest. */
  readonly nearest: readonly string[];
}
