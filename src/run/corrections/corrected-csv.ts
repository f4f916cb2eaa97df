import type { Row } from '../../model/row.js';
import { CsvRow } from '../../source/csv/row.js';
import { isPulledHeader } from '../../source/result-header.js';
import { neutralise } from '../../util/csv-guard.js';
import type { OpenedInput } from '../input/opened-input.js';
import { csvField, harmless } from './csv-field.js';
import type { Overlay } from './overlay.js';

const FAULTY = 'this line was at fault, and is no better for being copied';

/**
 * A text file with its corrections: its own fields as they are, in UTF-8, with its own delimiter. A line that was at fault
 * stays so.
 */
export async function* correctedCsv(
  { source, table }: OpenedInput,
  overlay: Overlay,
): AsyncGenerator<string> {
  const delimiter = source.delimiter ?? ',';
  const rows = new Map<number, Row>();
  const checked = table.rows()[Symbol.asyncIterator]();
  let width = 0;
  let isGuarded = table.fromResult;
  let number = 0;
  let page = await checked.next();
  yield '\ufeff';
  const line = (fields: readonly string[]): string =>
    `${fields.map((it) => csvField(it, delimiter)).join(delimiter)}\r\n`;
  const typed = (text: string): string => (isGuarded ? neutralise(text) : harmless(text));
  for await (const raws of source.rows(table.sheet)) {
    let text = '';
    const last = raws.at(-1)!.number;
    // The table's rows hold what is wrong with a line's width, and lines that were blank.
    while (!page.done && (rows.size === 0 || [...rows.keys()].at(-1)! < last)) {
      for (const row of page.value) rows.set(row.number, row);
      page = await checked.next();
    }
    for (const raw of raws) {
      for (number += 1; number < raw.number; number += 1) {
        const fields = filledIn([], overlay, number, typed);
        text += fields.length > 0 ? line(padded(fields, width)) : '\r\n';
      }
      if (!(raw instanceof CsvRow)) continue;
      if (raw.number === table.headerRow) {
        width = raw.fields.length;
        isGuarded ||= isPulledHeader([...raw.fields]);
      }
      const isFaulty = rows.get(raw.number)?.faults !== undefined;
      const fields = filledIn(raw.fields, overlay, raw.number, typed);
      const isMended = isFaulty && (raw.faults !== undefined || fields.length !== raw.fields.length);
      text += line(isMended ? [...padded(fields, width), FAULTY] : fields);
      rows.delete(raw.number);
    }
    yield text;
  }
}

function filledIn(
  own: readonly string[],
  overlay: Overlay,
  row: number,
  typed: (text: string) => string,
): readonly string[] {
  const corrections = overlay.row(row);
  if (!corrections) return own;
  const fields = [...own];
  for (const { column, text } of corrections.values()) {
    while (fields.length < column) fields.push('');
    fields[column - 1] = typed(text);
  }
  return fields;
}

function padded(fields: readonly string[], width: number): readonly string[] {
  return [...fields, ...Array<string>(Math.max(0, width - fields.length)).fill('')];
}
