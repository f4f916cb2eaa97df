import { useLayoutEffect } from 'preact/hooks';
import type { GridRow } from './grid-data.js';
import type { RowPages } from './row-pages.js';

/**
 * As long as somebody points at what is within the zone, or has the focus there, nothing in it moves: not the rows within
 * their list, nor the zone on the screen when something above it comes or goes. Both would put another row under a hand that
 * is on its way.
 */
export function useHands(
  zone: { readonly current: HTMLElement | null },
  rows: RowPages<GridRow>,
  there: boolean,
): void {
  useLayoutEffect(() => {
    const box = zone.current;
    if (!box || !there) return undefined;
    const still = new Still(box, () => rows.held);
    const point = (on: boolean): void => {
      rows.hold('pointer', on);
      still.keep();
    };
    const look = (): void => {
      rows.hold('focus', box.contains(document.activeElement));
      still.keep();
    };
    const [came, went] = [() => point(true), () => point(false)];
    // What had the focus may have been drawn anew: by then it has it again.
    const left = (): unknown => setTimeout(look);
    box.addEventListener('pointerenter', came);
    box.addEventListener('pointerleave', went);
    box.addEventListener('focusin', look);
    box.addEventListener('focusout', left);
    point(box.matches(':hover'));
    look();
    return () => {
      box.removeEventListener('pointerenter', came);
      box.removeEventListener('pointerleave', went);
      box.removeEventListener('focusin', look);
      box.removeEventListener('focusout', left);
      still.end();
      rows.hold('pointer', false);
      rows.hold('focus', false);
    };
  }, [zone, rows, there]);
}

/** Keeps an element where it is seen, by scrolling and, where there is nothing to scroll, by room before and behind it. */
class Still {
  readonly #box: HTMLElement;
  readonly #isHeld: () => boolean;
  /** Pixels from the top of the screen, and of the page: the second is changed by what comes and goes, not by scrolling. */
  #stood: { readonly top: number; readonly onPage: number } | undefined;
  #before = 0;
  #behind = 0;
  readonly #sizes = new ResizeObserver(() => this.keep());
  readonly #elements = new MutationObserver(() => this.#watch());

  constructor(box: HTMLElement, isHeld: () => boolean) {
    this.#box = box;
    this.#isHeld = isHeld;
    addEventListener('scroll', this.#scrolled, { passive: true });
    for (const it of this.#around()) this.#elements.observe(it, { childList: true });
    this.#watch();
  }

  end(): void {
    removeEventListener('scroll', this.#scrolled);
    this.#sizes.disconnect();
    this.#elements.disconnect();
    this.#room(0, 0);
  }

  keep(): void {
    if (!this.#isHeld()) {
      this.#stood = undefined;
      if (this.#before + this.#behind > 0) this.#room(0, 0);
      return;
    }
    const stood = this.#stood;
    this.#stood = { top: this.#now(), onPage: this.#now() + scrollY };
    if (!stood || Math.abs(this.#stood.onPage - stood.onPage) < 1) return;
    // Room is changed, which itself is a change of sizes: those are watched again when it is drawn.
    this.#sizes.disconnect();
    requestAnimationFrame(() => this.#box.isConnected && this.#watch());
    const moved = (): number => this.#now() - stood.top;
    if (moved() > 0) this.#room(Math.max(0, this.#before - moved()), this.#behind);
    scrollBy({ top: moved(), behavior: 'instant' });
    const left = moved();
    if (left < -0.5) this.#room(this.#before - left, this.#behind);
    else if (left > 0.5) {
      this.#room(this.#before, this.#behind + left);
      scrollBy({ top: left, behavior: 'instant' });
    }
    this.#stood = { top: stood.top, onPage: this.#now() + scrollY };
  }

  /** Somebody scrolls, which is none of its business. */
  #scrolled = (): void => {
    if (this.#stood) this.keep();
  };

  #now(): number {
    return this.#box.getBoundingClientRect().top;
  }

  #room(before: number, behind: number): void {
    [this.#before, this.#behind] = [before, behind];
    this.#box.style.marginTop = before === 0 ? '' : `${before}px`;
    this.#box.style.marginBottom = behind === 0 ? '' : `${behind}px`;
  }

  /** What it stands in, up to the page. */
  #around(): readonly HTMLElement[] {
    const around: HTMLElement[] = [];
    for (let it = this.#box.parentElement; it; it = it.tagName === 'MAIN' ? null : it.parentElement)
      around.push(it);
    return around;
  }

  /** Sizes of all that stands beside it. */
  #watch(): void {
    for (const around of this.#around()) for (const it of around.children) this.#sizes.observe(it);
    this.keep();
  }
}
