import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';

/**
 * Rewrites fields that have text after their closing quote (`"value"x`) into well-formed ones (`"valuex"`), as
 * Excel reads them. Where the quoted part holds a delimiter or a line break, the quote was more likely never meant
 * to reach so far: rows would melt into one another, so the file is refused.
 */
export async function* mendQuotes(
  file: string,
  text: AsyncIterable<string>,
  delimiter: string,
): AsyncGenerator<string> {
  let state: 'start' | 'plain' | 'quoted' | 'closing' | 'tail' = 'start';
  let spans = false;
  let afterReturn = false;
  let record = 1;
  let column = 1;
  const next = (char: string): string => {
    const fieldEnds = char === delimiter;
    const recordEnds = char === '\n' || char === '\r';
    if (state === 'quoted') {
      if (char === '"') {
        state = 'closing';
        return '';
      }
      spans ||= fieldEnds || recordEnds;
      return char;
    }
    if (state === 'closing' && char === '"') {
      state = 'quoted';
      return '""';
    }
    if (fieldEnds || recordEnds) {
      const closed = state === 'closing' || state === 'tail' ? `"${char}` : char;
      state = 'start';
      spans = false;
      column = fieldEnds ? column + 1 : 1;
      if (recordEnds && !(afterReturn && char === '\n')) record += 1;
      return closed;
    }
    if (state === 'closing') {
      if (spans) {
        throw new ProductError(
          'input',
          message('source.csv_text_after_quote', { file, row: record, column }),
        );
      }
      state = 'tail';
      return char;
    }
    if (state === 'tail') return char === '"' ? '""' : char;
    if (state === 'start') state = char === '"' ? 'quoted' : 'plain';
    return char;
  };
  for await (const chunk of text) {
    let mended = '';
    for (const char of chunk) {
      mended += next(char);
      afterReturn = char === '\r';
    }
    if (mended !== '') yield mended;
  }
  if ((state as string) === 'closing' || (state as string) === 'tail') yield '"';
}
