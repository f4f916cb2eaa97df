import { forgetThings, keepThings } from '../shared/things.js';

/** The numbers of a JSON array, as a table with the column `value`. */
export const each = (json: string): string => `json_each(${json})`;

/** Removes what items with ids between ?1 and ?2 name from the index. */
export const FORGET_THINGS = forgetThings(each, 'items.id > ?1 AND items.id < ?2');

/** The same when their run is pruned: what took effect is kept. */
export const KEEP_THINGS = keepThings(each, 'items.id > ?1 AND items.id < ?2');
