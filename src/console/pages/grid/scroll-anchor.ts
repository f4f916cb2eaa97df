import { useLayoutEffect } from 'preact/hooks';
import type { GridRow } from './positions.js';
import type { RowPages } from './row-pages.js';

/**
 * Keeps the content of a zone in place while the user points at it or has the focus in it: rows keep their position
 * in the list, and the zone keeps its position on the screen when something above it appears or disappears. Otherwise
 * the user could click another row than intended.
 */
export function useScrollAnchor(
  zone: { readonly current: HTMLElement | null },
  rows: RowPages<GridRow>,
  active: boolean,
): void {
  useLayoutEffect(() => {
    const box = zone.current;
    if (!box || !active) return undefined;
    const anchor = new ScrollAnchor(box, () => rows.held);
    const setPointer = (on: boolean): void => {
      rows.hold('pointer', on);
      anchor.keep();
    };
    const updateFocus = (): void => {
      rows.hold('focus', box.contains(document.activeElement));
      anchor.keep();
    };
    const listening = new AbortController();
    const { signal } = listening;
    box.addEventListener('pointerenter', () => setPointer(true), { signal });
    box.addEventListener('pointerleave', () => setPointer(false), { signal });
    box.addEventListener('focusin', updateFocus, { signal });
    // The focused element may have been rendered again; the timeout lets it regain the focus first.
    box.addEventListener('focusout', () => setTimeout(updateFocus), { signal });
    setPointer(box.matches(':hover'));
    updateFocus();
    return () => {
      listening.abort();
      anchor.end();
      rows.hold('pointer', false);
      rows.hold('focus', false);
    };
  }, [zone, rows, active]);
}

/** Keeps an element at its position on the screen, by scrolling or, if that is impossible, by space above and below it. */
class ScrollAnchor {
  readonly #box: HTMLElement;
  readonly #isHeld: () => boolean;
  /** Pixels from the top of the screen, and of the page. Scrolling changes only the first. */
  #anchored: { readonly top: number; readonly onPage: number } | undefined;
  #before = 0;
  #after = 0;
  readonly #sizes = new ResizeObserver(() => this.keep());
  readonly #elements = new MutationObserver(() => this.#observeSiblings());

  constructor(box: HTMLElement, isHeld: () => boolean) {
    this.#box = box;
    this.#isHeld = isHeld;
    addEventListener('scroll', this.#scrolled, { passive: true });
    for (const it of this.#ancestors()) this.#elements.observe(it, { childList: true });
    this.#observeSiblings();
  }

  end(): void {
    removeEventListener('scroll', this.#scrolled);
    this.#sizes.disconnect();
    this.#elements.disconnect();
    this.#setSpace(0, 0);
  }

  keep(): void {
    if (!this.#isHeld()) {
      this.#anchored = undefined;
      if (this.#before + this.#after > 0) this.#setSpace(0, 0);
      return;
    }
    const previous = this.#anchored;
    this.#anchored = { top: this.#top(), onPage: this.#top() + scrollY };
    if (!previous || Math.abs(this.#anchored.onPage - previous.onPage) < 1) return;
    // Changing the space changes sizes itself, so they are observed again after the next frame.
    this.#sizes.disconnect();
    requestAnimationFrame(() => this.#box.isConnected && this.#observeSiblings());
    const shift = (): number => this.#top() - previous.top;
    if (shift() > 0) this.#setSpace(Math.max(0, this.#before - shift()), this.#after);
    scrollBy({ top: shift(), behavior: 'instant' });
    const left = shift();
    if (left < -0.5) this.#setSpace(this.#before - left, this.#after);
    else if (left > 0.5) {
      this.#setSpace(this.#before, this.#after + left);
      scrollBy({ top: left, behavior: 'instant' });
    }
    this.#anchored = { top: previous.top, onPage: this.#top() + scrollY };
  }

  /** Scrolling by the user is accepted as the new position. */
  #scrolled = (): void => {
    if (this.#anchored) this.keep();
  };

  #top(): number {
    return this.#box.getBoundingClientRect().top;
  }

  #setSpace(before: number, after: number): void {
    [this.#before, this.#after] = [before, after];
    this.#box.style.marginTop = before === 0 ? '' : `${before}px`;
    this.#box.style.marginBottom = after === 0 ? '' : `${after}px`;
  }

  /** Ancestors up to `main`. */
  #ancestors(): readonly HTMLElement[] {
    const ancestors: HTMLElement[] = [];
    for (
      let element = this.#box.parentElement;
      element;
      element = element.tagName === 'MAIN' ? null : element.parentElement
    )
      ancestors.push(element);
    return ancestors;
  }

  /** Observes the sizes of all siblings of the zone and of its ancestors. */
  #observeSiblings(): void {
    for (const ancestor of this.#ancestors()) for (const it of ancestor.children) this.#sizes.observe(it);
    this.keep();
  }
}
