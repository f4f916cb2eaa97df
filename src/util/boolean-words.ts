import { fold } from './fold.js';

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

/** The boolean that a word means (contract section 4), compared folded; undefined for any other text. */
export function readBoolean(text: string): boolean | undefined {
  return WORDS.get(fold(text));
}
