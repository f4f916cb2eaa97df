import { ORDER_NAMES } from './names/order-names.js';
import { OTHER_NAMES } from './names/other-names.js';
import { PRODUCT_NAMES } from './names/product-names.js';

/**
 * What people call a field in the headers of their spreadsheets, by field name. Where a name occurs in several tables
 * (`limitStartDate` of an asset and of a product), `table.name` stands for that table alone. Compared without spaces,
 * signs and case. The first name in each language is the one that a new workbook gets.
 */
export const SYNONYMS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries({ ...ORDER_NAMES, ...PRODUCT_NAMES, ...OTHER_NAMES }).map(([field, names]) => [
    field,
    names
      .split(/[,\n]/)
      .map((it) => it.trim())
      .filter((it) => it !== ''),
  ]),
);
