import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { NO_BROWSER } from '../../support/browser.js';
import { Random } from '../../support/random.js';
import { FakeImport } from './fake-import.js';
import { stage } from './stage.js';

/** `ACTIVE_CELL_SEEDS=500` for many sequences; `ACTIVE_CELL_FROM=17` for others. */
const { ACTIVE_CELL_SEEDS = '6', ACTIVE_CELL_FROM = '1' } = process.env;
const SEEDS = Array.from(
  { length: Number(ACTIVE_CELL_SEEDS) },
  (_, index) => index + Number(ACTIVE_CELL_FROM),
);
const STEPS = 16;
const [ROWS, EVERY_INVALID] = [24, 5];
const REGION = 3;
const at = stage();

interface Place {
  readonly row: number;
  readonly column: number;
}

type Cells = readonly (Place & { readonly text: string })[];

/** The sheet as the user means it: texts by cell, and what undo and redo put back. */
class Intended {
  readonly #sheet = new FakeImport(ROWS, EVERY_INVALID);
  readonly #texts = new Map<string, string>();
  readonly undone: Cells[] = [];
  readonly redone: Cells[] = [];

  text({ row, column }: Place): string {
    return this.#texts.get(`${row}:${column}`) ?? this.#original({ row, column });
  }

  edit(cells: Cells): void {
    const changed = cells.filter((it) => this.text(it) !== it.text);
    if (changed.length === 0) return;
    this.undone.push(this.#put(changed));
    this.redone.length = 0;
  }

  undo(): void {
    const cells = this.undone.pop();
    if (cells) this.redone.push(this.#put(cells));
  }

  redo(): void {
    const cells = this.redone.pop();
    if (cells) this.undone.push(this.#put(cells));
  }

  get corrected(): Record<string, string> {
    return Object.fromEntries([...this.#texts].sort());
  }

  #original({ row, column }: Place): string {
    return this.#sheet.row(row).cells[column - 1] ?? '';
  }

  /** @returns the texts before */
  #put(cells: Cells): Cells {
    const before = cells.map((it) => ({ ...it, text: this.text(it) }));
    for (const it of cells) {
      if (it.text === this.#original(it)) this.#texts.delete(`${it.row}:${it.column}`);
      else this.#texts.set(`${it.row}:${it.column}`, it.text);
    }
    return before;
  }
}

/** A user whose every action is also applied to the intended sheet. */
class User {
  readonly #page: Page;
  readonly #sheet: FakeImport;
  readonly #random: Random;
  readonly #intended = new Intended();
  readonly did: string[] = [];
  #words = 0;
  /** The cells that keys act on: undefined if the keyboard is not in the grid. */
  #active:
    | { readonly cell: Place; readonly rows: readonly number[]; readonly columns: readonly number[] }
    | undefined;

  constructor(page: Page, sheet: FakeImport, random: Random) {
    this.#page = page;
    this.#sheet = sheet;
    this.#random = random;
  }

  async act(): Promise<void> {
    const actions = this.#active
      ? [this.type, this.type, this.type, this.paste, this.clear, this.fillDown, this.undoByKey, this.move]
      : [this.typeElsewhere];
    const everywhere = [
      this.point,
      this.point,
      this.point,
      this.undo,
      this.undo,
      this.redo,
      this.filter,
      this.dialog,
    ];
    await this.#random.pick([...actions, ...everywhere]).call(this);
    if (this.#random.chance(0.3)) await this.compare();
  }

  /** All that the console has stored is what was intended, and nothing else. */
  async compare(): Promise<void> {
    await this.#settle();
    expect(Object.fromEntries([...this.#sheet.corrected].sort()), this.did.join('; ')).toEqual(
      this.#intended.corrected,
    );
  }

  async point(): Promise<void> {
    const place = await this.#aim();
    if (!place) return;
    await this.#page.mouse.down();
    await this.#page.mouse.up();
    this.did.push(`click ${place.row}:${place.column}`);
    this.#active = { cell: place, rows: [place.row], columns: [place.column] };
    await this.#isFocused(place);
    if (!this.#random.chance(0.3)) return;
    const last = await this.#aim();
    const order = await this.#order();
    if (!last) return;
    const [from, to] = [order.indexOf(place.row), order.indexOf(last.row)];
    if (from < 0 || to < 0) return;
    await this.#page.keyboard.down('Shift');
    await this.#page.mouse.down();
    await this.#page.mouse.up();
    await this.#page.keyboard.up('Shift');
    this.did.push(`to ${last.row}:${last.column}`);
    this.#active = {
      cell: last,
      rows: order.slice(Math.min(from, to), Math.max(from, to) + 1),
      columns: between(place.column, last.column),
    };
    await this.#isFocused(last);
  }

  async type(): Promise<void> {
    const place = this.#active!.cell;
    const text = this.#word();
    const replaces = this.#random.chance(0.7);
    if (!replaces) await this.#page.keyboard.press('F2');
    if (!replaces) await this.#page.keyboard.press('Control+a');
    await this.#page.keyboard.type(text);
    this.#active = { cell: place, rows: [place.row], columns: [place.column] };
    // Undo is disabled until the first correction is stored.
    const pressed = this.#intended.undone.length > 0 ? (['undo'] as const) : [];
    const end = this.#random.pick(['Enter', 'Tab', 'Escape', 'click', 'filter', ...pressed] as const);
    this.did.push(`type ${text} into ${place.row}:${place.column}, ${end}`);
    if (end !== 'Escape') this.#intended.edit([{ ...place, text }]);
    if (end === 'click') return this.#leaveBy(this.point);
    if (end === 'undo') return this.#leaveBy(this.undo);
    if (end === 'filter') return this.#leaveBy(this.filter);
    await this.#page.keyboard.press(end);
    if (end !== 'Tab') return;
    const column = Math.min(place.column + 1, 6);
    this.#active = { cell: { ...place, column }, rows: [place.row], columns: [column] };
  }

  async paste(): Promise<void> {
    const { rows, columns } = this.#active!;
    const text = this.#word();
    await this.#page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
    await this.#page.keyboard.press('Control+v');
    this.did.push(`paste ${text} into ${rows}:${columns}`);
    this.#intended.edit(cellsOf(rows, columns, () => text));
    // A single text fills the selection, which then starts at the cell that is pasted into.
    await this.point();
  }

  async clear(): Promise<void> {
    const { rows, columns } = this.#active!;
    await this.#page.keyboard.press('Delete');
    this.did.push(`clear ${rows}:${columns}`);
    this.#intended.edit(cellsOf(rows, columns, () => ''));
  }

  async fillDown(): Promise<void> {
    const { rows, columns } = this.#active!;
    if (rows.length < 2) return;
    const [first = 0, ...others] = rows;
    await this.#settle();
    await this.#page.keyboard.press('Control+d');
    this.did.push(`fill ${rows}:${columns} down`);
    this.#intended.edit(cellsOf(others, columns, (column) => this.#intended.text({ row: first, column })));
  }

  async undoByKey(): Promise<void> {
    const key = this.#random.pick(['z', 'y'] as const);
    await this.#page.keyboard.press(`Control+${key}`);
    this.did.push(`Control+${key}`);
    if (key === 'z') this.#intended.undo();
    else this.#intended.redo();
  }

  async move(): Promise<void> {
    const { row, column } = this.#active!.cell;
    const to = Math.min(column + 1, 6);
    await this.#page.keyboard.press('ArrowRight');
    this.did.push('ArrowRight');
    this.#active = { cell: { row, column: to }, rows: [row], columns: [to] };
    await this.#isFocused({ row, column: to });
  }

  async undo(): Promise<void> {
    await this.#press('Undo', this.#intended.undone, () => this.#intended.undo());
  }

  async redo(): Promise<void> {
    await this.#press('Redo', this.#intended.redone, () => this.#intended.redo());
  }

  async filter(): Promise<void> {
    await this.#page.getByLabel('Only rows with errors').click();
    this.did.push('filter');
    this.#active = undefined;
  }

  /** Opens the dialog of a kind of error, types there, and closes or confirms it. */
  async dialog(): Promise<void> {
    await this.compare();
    const open = this.#page.getByRole('button', { name: /^Fix all: Region/ });
    if ((await open.count()) === 0) return;
    await open.click();
    this.#active = undefined;
    const dialog = this.#page.getByRole('dialog');
    const rows = Array.from({ length: ROWS }, (_, index) => index + 2);
    const invalid = rows.filter((row) => this.#sheet.row(row).faults.some((it) => it.column === REGION));
    const confirm = dialog.getByRole('button', { name: /^Fix \d+ cells?$/ });
    await confirm.waitFor();
    await this.#page.keyboard.type('ab');
    if (this.#random.chance(0.7)) {
      await this.#page.keyboard.press('Escape');
      this.did.push('dialog closed');
    } else {
      await confirm.click();
      this.did.push('dialog confirmed');
      this.#intended.edit(cellsOf(invalid, [REGION], () => 'China'));
    }
    await dialog.waitFor({ state: 'detached' });
  }

  /** The keyboard is at a button, at the filter or nowhere: letters and pasted text go nowhere. */
  async typeElsewhere(): Promise<void> {
    this.did.push('type elsewhere');
    await this.#page.keyboard.type('xy');
    await this.#page.keyboard.press('Delete');
    await this.#page.keyboard.press('Control+v');
    await this.#page.keyboard.press('Control+z');
  }

  /** Leaves the edited cell by another action, which always ends with the pointer. */
  async #leaveBy(action: () => Promise<void>): Promise<void> {
    await action.call(this);
    // The action may not have been possible: the cell is left in any case.
    await this.#page.getByRole('heading', { level: 1 }).click();
    this.#active = undefined;
  }

  /** A press of the button, and sometimes of Enter while it has the focus. */
  async #press(name: string, stack: readonly Cells[], done: () => void): Promise<void> {
    if (stack.length === 0) return;
    await this.#page.getByRole('button', { name, exact: true }).click();
    this.did.push(name);
    this.#active = undefined;
    done();
    if (stack.length === 0 || !this.#random.chance(0.3)) return;
    await this.#page.keyboard.press('Enter');
    this.did.push(`${name} by Enter`);
    done();
  }

  /** Moves the pointer over a cell, as a user who reads the sheet does. @returns the cell under the pointer */
  async #aim(): Promise<Place | undefined> {
    const order = await this.#order();
    if (order.length === 0) return undefined;
    // Without rows in the filter there is no grid.
    const grid = await this.#page.evaluate<{ x: number; y: number } | undefined>(
      `document.querySelector('[role=grid]')?.getBoundingClientRect().toJSON()`,
    );
    if (!grid) return undefined;
    const rows = Math.min(order.length, 9);
    const x = grid.x + 80 + this.#random.next() * 700;
    const y = grid.y + 50 + this.#random.next() * (rows * 28 - 8);
    await this.#page.mouse.move(x, y);
    return this.#page.evaluate<Place | undefined>(`(() => {
      // Within the field of the edited cell the pointer is the field's.
      const cell = document.elementFromPoint(${x}, ${y})?.closest('[role=gridcell]:not([data-editing])');
      const row = cell?.parentElement.querySelector('[role=rowheader]').textContent;
      return cell && /^\\d+$/.test(row) ? { row: Number(row), column: cell.ariaColIndex - 1 } : undefined;
    })()`);
  }

  /** The row numbers in the order shown. */
  async #order(): Promise<number[]> {
    return (await this.#page.getByRole('rowheader').allInnerTexts()).map(Number).filter((it) => it > 0);
  }

  async #isFocused({ row, column }: Place): Promise<void> {
    const place = await this.#page.evaluate(`(() => {
      const cell = document.activeElement;
      const row = cell?.parentElement.querySelector('[role=rowheader]')?.textContent;
      return row + ':' + (cell?.ariaColIndex - 1);
    })()`);
    expect(place, this.did.join('; ')).toBe(`${row}:${column}`);
  }

  /** Waits until the console has confirmed all actions. */
  async #settle(): Promise<void> {
    await expect
      .poll(() =>
        this.#page.evaluate(`Object.keys(localStorage).filter((it) => /corrections/.test(it)).length`),
      )
      .toBe(0);
  }

  /** Each text is new, so that no action is without an effect. */
  #word(): string {
    this.#words += 1;
    return `w${this.#words}`;
  }
}

function between(a: number, b: number): number[] {
  return Array.from({ length: Math.abs(a - b) + 1 }, (_, index) => Math.min(a, b) + index);
}

function cellsOf(
  rows: readonly number[],
  columns: readonly number[],
  textOf: (column: number) => string,
): Cells {
  return rows.flatMap((row) => columns.map((column) => ({ row, column, text: textOf(column) })));
}

describe.skipIf(NO_BROWSER)('what is typed, pasted or undone applies to the active cell alone', () => {
  it.each(SEEDS)('in sequence %d', async (seed) => {
    const sheet = new FakeImport(ROWS, EVERY_INVALID);
    const page = await at.open(sheet.routes, '/imports/i1', { height: 1500 });
    await page.getByRole('rowheader', { name: '2', exact: true }).waitFor();
    const user = new User(page, sheet, new Random(seed));
    for (let step = 0; step < STEPS; step += 1) await user.act();
    await user.compare();
  });
});
