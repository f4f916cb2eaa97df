import { shownWidth } from '../xlsx/widths.js';

/** Notes of a sheet's headers: texts by 1-based column, and the widths of the columns in characters. */
export interface NoteTexts {
  readonly headerRow: number;
  readonly texts: readonly string[];
  readonly widths: readonly number[];
}

const BOX_PIXELS = 330;
const LINE_CHARACTERS = 52;
const LINE_PIXELS = 16;
const ROW_PIXELS = 20;

/**
 * Makes the boxes of notes as large as their texts: the library draws each two columns wide and four rows high,
 * whatever stands in it.
 * @param drawing the sheet's VML part
 */
export function sizeNotes(drawing: string, { headerRow, texts, widths }: NoteTexts): string {
  return drawing.replace(/<v:shape .*?<\/v:shape>/gs, (shape) => {
    const column = Number(/<x:Column>(\d+)<\/x:Column>/.exec(shape)?.[1] ?? -1);
    const text = texts[column];
    if (text === undefined) return shape;
    const lines = text
      .split('\n')
      .reduce((sum, it) => sum + Math.max(1, Math.ceil(shownWidth(it) / LINE_CHARACTERS)), 0);
    const height = lines * LINE_PIXELS + 16;
    const [right, rest] = rightEdge(column + 1, widths);
    const below = headerRow + Math.floor(height / ROW_PIXELS);
    const anchor = [column + 1, 8, headerRow, 2, right, rest, below, height % ROW_PIXELS];
    return shape
      .replace(/<x:Anchor>[^<]*<\/x:Anchor>/, `<x:Anchor>${anchor.join(', ')}</x:Anchor>`)
      .replace(/width:[\d.]+pt;height:[\d.]+pt/, `width:${points(BOX_PIXELS)}pt;height:${points(height)}pt`);
  });
}

/** The column, and the pixels into it, where a box that begins at `column` (0-based) ends. */
function rightEdge(column: number, widths: readonly number[]): readonly [number, number] {
  let left = BOX_PIXELS + 8;
  let at = column;
  for (;;) {
    const width = Math.round((widths[at] ?? 9) * 7 + 5);
    if (left < width) return [at, left];
    left -= width;
    at += 1;
  }
}

function points(pixels: number): number {
  return Math.round(pixels * 7.5) / 10;
}
