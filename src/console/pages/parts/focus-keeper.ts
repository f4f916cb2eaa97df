/** Time for an action or the next page to set the focus itself. */
const SETTLE_MS = 120;

/** A button that is disabled for longer than this loses the focus until it is enabled again. */
const DISABLED_MS = 600;

/** The last focused element and where it was, to find a near one if it is removed. */
interface Focused {
  readonly element: HTMLElement;
  /** Its ancestors, from the inside out. */
  readonly within: readonly Element[];
  /** For a control in a row: the adjacent rows, and its column. */
  readonly siblingRows: readonly Element[];
  readonly column: number;
  /** False if focused with the mouse: the user may have scrolled away, and the page must not jump. */
  readonly byKeyboard: boolean;
}

/**
 * Keeps the focus for keyboard users. If the focused element is removed or disabled, browsers move the focus to the
 * body. This moves it to the same control of the next row, or to the heading of the enclosing part. It never moves it
 * to a button that replaces the old one: pressing Enter twice at `Stop` must not press `Resume`.
 */
export function keepFocus(): void {
  let last: Focused | undefined;
  // The element focused in place of a disabled button.
  let substitute: HTMLElement | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const restoreFocus = (): void => {
    timer = undefined;
    const { activeElement } = document;
    if (!last || !(isUnfocused(activeElement) || activeElement === substitute)) return;
    const { element } = last;
    if (element.isConnected && !isDisabled(element)) {
      if (substitute !== undefined) element.focus();
      substitute = undefined;
      return;
    }
    if (!isUnfocused(activeElement)) return;
    const place = placeNear(last);
    if (!place) return;
    if (element.isConnected) substitute = place;
    place.focus({ preventScroll: !last.byKeyboard });
  };
  addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || target === substitute) return;
    substitute = undefined;
    last = focusedAt(target);
  });
  new MutationObserver(() => {
    if (timer !== undefined || !last) return;
    const { activeElement } = document;
    if (!isUnfocused(activeElement) && activeElement !== substitute && !isDisabled(last.element)) return;
    const isDisabledOnly = last.element.isConnected && isDisabled(last.element) && substitute === undefined;
    timer = setTimeout(restoreFocus, isDisabledOnly ? DISABLED_MS : SETTLE_MS);
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
}

function isUnfocused(element: Element | null): boolean {
  return element === null || element === document.body;
}

function isDisabled(element: HTMLElement): boolean {
  return element.matches(':disabled');
}

function focusedAt(element: HTMLElement): Focused {
  const within: Element[] = [];
  for (let it = element.parentElement; it !== null; it = it.parentElement) within.push(it);
  const row = element.closest('tr, li');
  const siblingRows = [row?.nextElementSibling, row?.previousElementSibling].filter(
    (it) => it instanceof Element,
  );
  const cell = element.closest('td, th');
  const column = cell instanceof HTMLTableCellElement ? cell.cellIndex : 0;
  return { element, within, siblingRows, column, byKeyboard: element.matches(':focus-visible') };
}

function placeNear({ element, within, siblingRows, column }: Focused): HTMLElement | undefined {
  for (const row of element.isConnected ? [] : siblingRows) {
    const cell = row instanceof HTMLTableRowElement ? row.cells[column] : row;
    const control = row.isConnected ? cell?.querySelector<HTMLElement>('button:enabled, a[href]') : undefined;
    if (control) return control;
  }
  const part = within.find((it) => it.isConnected && it.matches('dialog, section, main, nav'));
  // A page that is loading has no heading yet; the heading takes the focus itself when it is rendered.
  const place = part?.querySelector<HTMLElement>('h1, h2') ?? (part?.matches('section') ? part : undefined);
  if (!(place instanceof HTMLElement)) return undefined;
  if (!place.hasAttribute('tabindex')) place.tabIndex = -1;
  return place;
}
