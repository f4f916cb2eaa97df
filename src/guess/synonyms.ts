import { ORDER_NAMES } from './names/order-names.js';
import { OTHER_NAMES } from './names/other-names.js';
import { PRODUCT_NAMES } from './names/product-names.js';

/** A name, and how far it tells its field: one that fits several fields asks to be looked at. */
export interface Synonym {
  readonly text: string;
  readonly tells: 'surely' | 'likely' | 'perhaps';
}

/**
 * What people call a field in the headers of their spreadsheets, by field name. Where a name occurs in several tables
 * (`limitStartDate` of an asset and of a product), `table.name` stands for that table alone. Compared by what their
 * words mean. The first name in each language is the one that a new workbook gets. A name that fits other fields as
 * well ends in `?`, where another field is the likelier one in `??`.
 */
export const SYNONYMS: Readonly<Record<string, readonly Synonym[]>> = Object.fromEntries(
  Object.entries({ ...ORDER_NAMES, ...PRODUCT_NAMES, ...OTHER_NAMES }).map(([field, names]) => [
    field,
    names
      .split(',')
      .map((it) => it.replace(/\s+/g, ' ').trim())
      .filter((it) => it !== '')
      .map(synonym),
  ]),
);

function synonym(written: string): Synonym {
  const text = written.replace(/\?+$/, '');
  const marks = written.length - text.length;
  return { text, tells: marks === 0 ? 'surely' : marks === 1 ? 'likely' : 'perhaps' };
}
