/** A moment in which an act, or the next page, may put the focus itself. */
const SETTLES_MS = 120;

/** A button that is off for longer than this gives the focus away, until it is on again. */
const OFF_MS = 600;

/** Where the focus was last, so that a near place is found when that one is gone. */
interface Focused {
  readonly element: HTMLElement;
  /** What it stood in, from the inside out. */
  readonly within: readonly Element[];
  /** Of a control in a row: the rows beside, and its column. */
  readonly beside: readonly Element[];
  readonly column: number;
  /** Not by a mouse, whose user may have scrolled away since: then the page must not jump. */
  readonly byKeyboard: boolean;
}

/**
 * Nobody who has no mouse may lose the place: when what had the focus is taken out of the page, or goes off, the browser
 * gives the focus to nothing. Then it goes to the same control of the next row, else to the heading of what it stood in.
 * Never to the button that came instead: who presses Enter twice at `Stop` must not press `Resume`.
 */
export function keepFocus(): void {
  let last: Focused | undefined;
  // Where it was put in place of a button that was off.
  let standIn: HTMLElement | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const look = (): void => {
    timer = undefined;
    const { activeElement } = document;
    if (!last || !(isNothing(activeElement) || activeElement === standIn)) return;
    const { element } = last;
    if (element.isConnected && !isOff(element)) {
      if (standIn !== undefined) element.focus();
      standIn = undefined;
      return;
    }
    if (!isNothing(activeElement)) return;
    const place = placeNear(last);
    if (!place) return;
    if (element.isConnected) standIn = place;
    place.focus({ preventScroll: !last.byKeyboard });
  };
  addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || target === standIn) return;
    standIn = undefined;
    last = focusedAt(target);
  });
  new MutationObserver(() => {
    if (timer !== undefined || !last) return;
    const { activeElement } = document;
    if (!isNothing(activeElement) && activeElement !== standIn && !isOff(last.element)) return;
    const waits = last.element.isConnected && isOff(last.element) && standIn === undefined;
    timer = setTimeout(look, waits ? OFF_MS : SETTLES_MS);
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
}

function isNothing(element: Element | null): boolean {
  return element === null || element === document.body;
}

function isOff(element: HTMLElement): boolean {
  return element.matches(':disabled');
}

function focusedAt(element: HTMLElement): Focused {
  const within: Element[] = [];
  for (let it = element.parentElement; it !== null; it = it.parentElement) within.push(it);
  const row = element.closest('tr, li');
  const beside = [row?.nextElementSibling, row?.previousElementSibling].filter((it) => it instanceof Element);
  const cell = element.closest('td, th');
  const column = cell instanceof HTMLTableCellElement ? cell.cellIndex : 0;
  return { element, within, beside, column, byKeyboard: element.matches(':focus-visible') };
}

function placeNear({ element, within, beside, column }: Focused): HTMLElement | undefined {
  for (const row of element.isConnected ? [] : beside) {
    const cell = row instanceof HTMLTableRowElement ? row.cells[column] : row;
    const control = row.isConnected ? cell?.querySelector<HTMLElement>('button:enabled, a[href]') : undefined;
    if (control) return control;
  }
  const part = within.find((it) => it.isConnected && it.matches('dialog, section, main, nav'));
  // A page that is still loading has no heading; it takes the focus when it has one.
  const place = part?.querySelector<HTMLElement>('h1, h2') ?? (part?.matches('section') ? part : undefined);
  if (!(place instanceof HTMLElement)) return undefined;
  if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
  return place;
}
