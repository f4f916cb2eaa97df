import { effect } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { offsetAt, ROW_HEIGHT, scrollTopFor } from './geometry.js';
import { type GridModel, NUMBERS_WIDTH } from './grid-model.js';

/** Pixels of the header. */
export const HEADER_HEIGHT = 46;

/** Keeps the browser's scrollbars and the model together, and the layer of rows where they say. */
export function useScrolling(
  model: GridModel,
  scroller: { readonly current: HTMLDivElement | null },
  layer: { readonly current: HTMLDivElement | null },
  first: number,
): void {
  const drawnFirst = useRef(first);
  useLayoutEffect(() => {
    drawnFirst.current = first;
    if (layer.current) layer.current.style.transform = moved(model, first);
  }, [model, first, layer]);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    const extent = () => ({ rows: model.size.peek().rows, view: model.view.peek().height });
    const scrolled = (): void => {
      // The scrollbar stands where the model has put it: the model's own offset is the more exact one.
      if (Math.abs(box.scrollTop - scrollTopFor(model.offset.peek(), extent())) > 1) {
        model.offset.value = offsetAt(box.scrollTop, extent());
      }
      model.left.value = box.scrollLeft;
    };
    const measured = new ResizeObserver(() => {
      model.view.value = {
        width: Math.max(0, box.clientWidth - NUMBERS_WIDTH),
        height: Math.max(0, box.clientHeight - HEADER_HEIGHT),
      };
      scrolled();
    });
    measured.observe(box);
    box.addEventListener('scroll', scrolled, { passive: true });
    const followed = effect(() => {
      const top = scrollTopFor(model.offset.value, {
        rows: model.size.value.rows,
        view: model.view.value.height,
      });
      if (layer.current) {
        layer.current.style.transform = moved(model, drawnFirst.current);
      }
      if (Math.abs(box.scrollTop - top) > 1) box.scrollTop = top;
    });
    const aside = effect(() => {
      box.style.setProperty('--sheet-left', `${model.left.value}px`);
      if (Math.abs(box.scrollLeft - model.left.value) > 1) box.scrollLeft = model.left.value;
    });
    return () => {
      measured.disconnect();
      box.removeEventListener('scroll', scrolled);
      followed();
      aside();
    };
  }, [model, scroller, layer]);
}

/** Where the layer of rows stands, whose first row is `first`. */
function moved(model: GridModel, first: number): string {
  return `translate(${-model.left.value}px, ${first * ROW_HEIGHT - model.offset.value}px)`;
}

/** Gives the focus to the place that has it in the model, as long as it is within the grid at all. */
export function useFocus(scroller: { readonly current: HTMLDivElement | null }, editing: boolean): void {
  const wasEditing = useRef(false);
  // Whether the focus was last seen in the grid: what had it may have been taken out of the document since.
  const inside = useRef(false);
  useEffect(() => {
    const box = scroller.current;
    const came = (): void => {
      inside.current = true;
    };
    const giveBack = (): void => {
      const isLost = inside.current && document.activeElement === document.body && document.hasFocus();
      if (isLost && !box?.querySelector('[data-editing]'))
        box?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
    };
    const went = ({ relatedTarget }: FocusEvent): void => {
      // To nobody: it was taken away, and it may be long until the grid is drawn again.
      if (!(relatedTarget instanceof Node)) setTimeout(giveBack);
      else if (!box?.contains(relatedTarget)) inside.current = false;
    };
    const pressed = ({ key }: KeyboardEvent): void => {
      if (key === 'Tab') inside.current = false;
    };
    const pointed = ({ target }: PointerEvent): void => {
      // What is pointed at elsewhere may take no focus: the grid's own is given up all the same.
      if (target !== document.documentElement && !box?.contains(target as Node)) inside.current = false;
    };
    box?.addEventListener('focusin', came);
    // Before the grid's own listener, after which it is drawn at once.
    box?.addEventListener('pointerdown', came, true);
    box?.addEventListener('focusout', went);
    box?.addEventListener('keydown', pressed, true);
    addEventListener('pointerdown', pointed);
    return () => {
      box?.removeEventListener('focusin', came);
      box?.removeEventListener('pointerdown', came, true);
      box?.removeEventListener('focusout', went);
      box?.removeEventListener('keydown', pressed, true);
      removeEventListener('pointerdown', pointed);
    };
  }, [scroller]);
  useLayoutEffect(() => {
    const box = scroller.current;
    const back = wasEditing.current && !editing;
    wasEditing.current = editing;
    const active = document.activeElement;
    const isFree = active === null || active === document.body || box?.contains(active);
    if (!box || editing || !isFree || !(back || inside.current)) return;
    const cell = box.querySelector<HTMLElement>('[tabindex="0"]');
    if (cell && cell !== active) cell.focus({ preventScroll: true });
  });
}
