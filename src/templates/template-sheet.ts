import type { Field } from '../model/field.js';
import type { MapLeaf } from '../model/map.js';

/**
 * The rows in which a column must be filled.
 * - always: in every row that isn't empty
 * - group: in rows where any column of its optional part (a package, a feature) is filled
 * - no: may stay empty
 */
export type Need = { readonly kind: 'always' | 'no' } | { readonly kind: 'group'; readonly path: string };

/** One field that a column fills. */
export interface FieldUse {
  /** Wire path without indexes and without the items' array, `assets.assetNos`. */
  readonly path: string;
  readonly field: Field;
  readonly leaf: MapLeaf;
  readonly need: Need;
  /** The operation of the field's step; absent: the template's own. */
  readonly operation?: string;
  /** Wire path of the optional part that it belongs to, if any. */
  readonly part?: string;
}

/** The condition under which a step includes a row. */
export interface StepCondition {
  readonly step: string;
  /** CEL. */
  readonly source: string;
}

/** One column of a fill-in sheet. */
export interface TemplateColumn {
  /** The header as the map names it. */
  readonly header: string;
  readonly uses: readonly FieldUse[];
  /** Tables whose elements this column distinguishes (`each: [columns]`). */
  readonly groups: readonly string[];
  /** Other sheets that are joined by this column (`each: { sheet, on }`). */
  readonly ties: readonly string[];
  /** The job's condition, if it reads the column. */
  readonly where?: string;
  /** Conditions of steps that read the column. */
  readonly whens: readonly StepCondition[];
  readonly need: Need;
  /** Wire path of the table that it belongs to, '' for the request's own fields. */
  readonly table: string;
}

/** One sheet to fill in. */
export interface TemplateSheet {
  readonly name: string;
  readonly headerRow: number;
  /** The table of which each row is an element; undefined for the job's own sheet. */
  readonly table?: string;
  readonly columns: readonly TemplateColumn[];
}

/** An example value of a cell. */
export type Example = string | number | boolean | Date;

/** Field meanings in the reader's language, and examples. */
export interface FieldWords {
  meaning(field: Field): string;
  /** The meaning of one of the field's allowed values; undefined for any other value. */
  value(field: Field, value: string | number): string | undefined;
  /**
   * Example for a field in one of the example rows (0-based); undefined leaves the cell empty.
   * @param path wire path without indexes
   */
  example(operation: string, path: string, row: number): Example | undefined;
}
