import { effect } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type GridModel, NUMBERS_WIDTH } from './grid-model.js';
import { offsetAt, ROW_HEIGHT, scrollTopFor } from './layout.js';

/** Height of the header in pixels. */
export const HEADER_HEIGHT = 46;

/** Synchronises the scrollbars and the position of the row layer with the model. */
export function useScrolling(
  model: GridModel,
  scroller: { readonly current: HTMLDivElement | null },
  layer: { readonly current: HTMLDivElement | null },
  first: number,
): void {
  const drawnFirst = useRef(first);
  useLayoutEffect(() => {
    drawnFirst.current = first;
    if (layer.current) layer.current.style.transform = transformOf(model, first);
  }, [model, first, layer]);

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return undefined;
    const extent = () => ({ rows: model.size.peek().rows, view: model.view.peek().height });
    const onScroll = (): void => {
      // Rounding: the model's own offset is more exact than that of the scrollbar.
      if (Math.abs(box.scrollTop - scrollTopFor(model.offset.peek(), extent())) > 1) {
        model.offset.value = offsetAt(box.scrollTop, extent());
      }
      model.left.value = box.scrollLeft;
    };
    const resizeObserver = new ResizeObserver(() => {
      model.view.value = {
        width: Math.max(0, box.clientWidth - NUMBERS_WIDTH),
        height: Math.max(0, box.clientHeight - HEADER_HEIGHT),
      };
      onScroll();
    });
    resizeObserver.observe(box);
    box.addEventListener('scroll', onScroll, { passive: true });
    const disposeVertical = effect(() => {
      const top = scrollTopFor(model.offset.value, {
        rows: model.size.value.rows,
        view: model.view.value.height,
      });
      if (layer.current) {
        layer.current.style.transform = transformOf(model, drawnFirst.current);
      }
      if (Math.abs(box.scrollTop - top) > 1) box.scrollTop = top;
    });
    const disposeHorizontal = effect(() => {
      box.style.setProperty('--sheet-left', `${model.left.value}px`);
      if (Math.abs(box.scrollLeft - model.left.value) > 1) box.scrollLeft = model.left.value;
    });
    return () => {
      resizeObserver.disconnect();
      box.removeEventListener('scroll', onScroll);
      disposeVertical();
      disposeHorizontal();
    };
  }, [model, scroller, layer]);
}

/** CSS transform of the row layer, whose first row is `first`. */
function transformOf(model: GridModel, first: number): string {
  return `translate(${-model.left.value}px, ${first * ROW_HEIGHT - model.offset.value}px)`;
}

/** Focuses the active cell of the model, while the grid contains the focus or the model takes it. */
export function useFocus(
  model: GridModel,
  scroller: { readonly current: HTMLDivElement | null },
  editing: boolean,
): void {
  // Whether the grid had the focus last; the focused element may have been removed from the document since.
  const inside = useRef(false);
  useEffect(() => {
    const box = scroller.current;
    const listening = new AbortController();
    const { signal } = listening;
    const onEnter = (): void => {
      inside.current = true;
    };
    const restoreFocus = (): void => {
      const isLost = inside.current && document.activeElement === document.body && document.hasFocus();
      if (isLost && !box?.querySelector('[data-editing]'))
        box?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
    };
    const onFocusOut = ({ relatedTarget }: FocusEvent): void => {
      // The focused element was removed. The grid may not be rendered again for long, so the focus is restored now.
      if (!(relatedTarget instanceof Node)) setTimeout(restoreFocus);
      else if (!box?.contains(relatedTarget)) inside.current = false;
    };
    const onKeyDown = ({ key }: KeyboardEvent): void => {
      if (key === 'Tab') inside.current = false;
    };
    const onPointerDown = ({ target }: PointerEvent): void => {
      // The target may not be focusable; the grid gives up the focus anyway.
      if (target !== document.documentElement && !box?.contains(target as Node)) inside.current = false;
    };
    box?.addEventListener('focusin', onEnter, { signal });
    box?.addEventListener('focusout', onFocusOut, { signal });
    box?.addEventListener('keydown', onKeyDown, { signal, capture: true });
    addEventListener('pointerdown', onPointerDown, { signal });
    return () => listening.abort();
  }, [scroller]);
  useLayoutEffect(() => {
    const box = scroller.current;
    const active = document.activeElement;
    const isFree = active === null || active === document.body || box?.contains(active);
    if (!box || editing || !(model.takesFocus || (isFree && inside.current))) return;
    model.takesFocus = false;
    const cell = box.querySelector<HTMLElement>('[tabindex="0"]');
    if (cell && cell !== active) cell.focus({ preventScroll: true });
  });
}
