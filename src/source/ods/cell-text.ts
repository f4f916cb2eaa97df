/** What a program puts in to lay out the XML. */
const LAYOUT = /[ ]*[\t\r\n][ \t\r\n]*/g;

/**
 * The paragraphs of a cell, joined by line breaks as a cell of a workbook has them. OpenDocument takes any number of blanks
 * for one, and marks those that count. LibreOffice writes and reads blanks as they are, so only what holds a line break or
 * a tab is taken for one blank.
 */
export class CellText {
  #paragraphs: string[] = [];
  #open = false;
  /** Nothing but layout stands before, so that more of it counts for nothing. */
  #soft = true;

  clear(): void {
    if (this.#paragraphs.length > 0) this.#paragraphs = [];
    this.#open = false;
  }

  begin(): void {
    this.#paragraphs.push('');
    this.#open = true;
    this.#soft = true;
  }

  end(): void {
    this.#open = false;
  }

  add(text: string): void {
    if (!this.#open || text === '') return;
    const single = text.replace(LAYOUT, ' ');
    const isLayout = single !== text;
    this.#append(isLayout && this.#soft && single.startsWith(' ') ? single.slice(1) : single);
    this.#soft = isLayout && single.endsWith(' ');
  }

  /** What stands for itself: marked blanks, tabs, line breaks. */
  hard(text: string): void {
    if (!this.#open) return;
    this.#append(text);
    this.#soft = false;
  }

  /** undefined where there is no paragraph. */
  get whole(): string | undefined {
    return this.#paragraphs.length === 0 ? undefined : this.#paragraphs.join('\n');
  }

  /** In characters. */
  get length(): number {
    return this.#paragraphs.reduce((sum, it) => sum + it.length + 1, 0);
  }

  #append(text: string): void {
    this.#paragraphs[this.#paragraphs.length - 1] += text;
  }
}
