import { message } from '../../errors/message.js';
import { fold } from '../../util/fold.js';
import { type CellValue, type Converted, excerpt, fault, value } from './conversion.js';

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
  ['y', true],
  ['n', false],
  ['yes', true],
  ['no', false],
  ['是', true],
  ['否', false],
]);

/** Boolean: from boolean cells, 1 and 0, and the words of contract section 4. */
export function convertBoolean(cell: CellValue): Converted {
  const found = WORDS.get(fold(cell.text));
  if (found === undefined) return fault(message('mapping.not_boolean', { text: excerpt(cell.text) }));
  return value(found);
}
