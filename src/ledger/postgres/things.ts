import { forgetThings, keepThings } from '../shared/things.js';

/** The numbers of a JSON array, as a table with the column `value`. */
export const each = (json: string): string =>
  `LATERAL (SELECT text::bigint AS value FROM json_array_elements_text(${json}::json) AS text)`;

const IN_PIECE = 'items.id > $1::bigint AND items.id <= $2::bigint';

/** Removes what items of a piece (pieces.ts) name from the index. */
export const FORGET_THINGS = forgetThings(each, IN_PIECE);

/** The same when their run is pruned: what took effect is kept. */
export const KEEP_THINGS = keepThings(each, IN_PIECE);

export const FORGET_THINGS_OF = forgetThings(each, 'items.id = ANY($1::bigint[])');
