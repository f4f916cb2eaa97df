import { noteBox } from '../util/note-box.js';

/** Notes of a sheet's headers: texts by 1-based column, and the widths of the columns in characters. */
export interface NoteTexts {
  readonly headerRow: number;
  readonly texts: readonly string[];
  readonly widths: readonly number[];
}

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
    const { anchor, width, height } = noteBox(text, column + 1, headerRow, widths);
    return shape
      .replace(/<x:Anchor>[^<]*<\/x:Anchor>/, `<x:Anchor>${anchor.join(', ')}</x:Anchor>`)
      .replace(/width:[\d.]+pt;height:[\d.]+pt/, `width:${width}pt;height:${height}pt`);
  });
}
