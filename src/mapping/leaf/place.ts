import type { Message } from '../../errors/message.js';
import type { Field } from '../../model/field.js';
import type { Zone } from '../../util/zoned-time.js';
import type { Problems } from '../problems.js';
import type { TableColumns } from '../table-columns.js';

/** What all leaves of a map are bound with. */
export interface LeafSetting {
  readonly zone: Zone;
  readonly unit: 'milliseconds' | 'seconds';
  readonly problems: Problems;
  /** What is said of the map's own constants. */
  readonly warnings: Message[];
  /** Paths of the fields whose days mean their ends. */
  readonly ends: Set<string>;
}

/** The place that a leaf fills. */
export interface LeafPlace {
  readonly field: Field;
  /** Wire path without indexes. */
  readonly path: string;
  readonly table: TableColumns;
}
