import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { fold } from '../util/fold.js';
import { nearest } from '../util/nearest.js';
import type { SheetInfo } from './contract.js';

/**
 * The sheet that a job names, by 1-based position or by name (exact, or else folded); the first visible one if it names
 * none.
 * @throws ProductError input, with the nearest name, when there is none
 */
export function findSheet(
  file: string,
  sheets: readonly SheetInfo[],
  wanted: string | number | undefined,
): SheetInfo {
  const all = sheets.map(({ name }) => name).join(', ');
  if (wanted === undefined) {
    const first = sheets.find(({ visibility }) => visibility === 'visible');
    if (!first)
      throw new ProductError('input', message('source.sheet_none_visible', { file, all: all || '-' }));
    return first;
  }
  if (typeof wanted === 'number') {
    const found = sheets.find(({ position }) => position === wanted);
    if (found) return found;
    throw new ProductError('input', message('source.sheet_position', { file, position: wanted, all }));
  }
  const exact = sheets.find(({ name }) => name === wanted);
  const alike = sheets.filter(({ name }) => fold(name) === fold(wanted));
  const found = exact ?? (alike.length === 1 ? alike[0] : undefined);
  if (found) return found;
  const near = nearest(
    wanted,
    sheets.map(({ name }) => name),
  );
  throw new ProductError(
    'input',
    near === undefined
      ? message('source.sheet_missing', { file, sheet: wanted, all })
      : message('source.sheet_missing_near', { file, sheet: wanted, near, all }),
  );
}
