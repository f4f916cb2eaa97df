import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';

/** Where in an .xlsx file something is read; what an error names. */
export interface PartPlace {
  /** File name without its folders. */
  readonly file: string;
  /** Entry name in the package, `xl/workbook.xml`. */
  readonly part: string;
}

/** XML that can't be read on; `offset` counts bytes of the part's UTF-8 text. */
export function brokenPart(place: PartPlace, offset: number): ProductError {
  return new ProductError('input', message('source.xlsx_part_broken', { ...place, offset }));
}

export function unknownEntity(place: PartPlace, entity: string, offset: number): ProductError {
  return new ProductError('input', message('source.xlsx_entity', { ...place, entity, offset }));
}
