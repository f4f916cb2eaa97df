import type { Locator, Page } from 'playwright-core';

type Role = Parameters<Page['getByRole']>[0];

/** Presses of Tab after which a control counts as out of reach. */
const MOST_TABS = 80;

/** The state of the focus. `seen`: it is on the screen, nothing lies over it, and it is shown differently than without it. */
interface FocusState {
  readonly what: string;
  readonly seen: boolean;
}

/**
 * A user who has a keyboard and nothing else. At every step the focus must be on something, in view, and
 * shown visibly; else the step fails.
 */
export class Keyboard {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Goes to a control by Tab, as often as it takes. @param back by Shift+Tab */
  async to(role: Role, name: string | RegExp, { back = false } = {}): Promise<void> {
    // A disabled control has no place in the order of Tab: it is enabled when the page has what it needs.
    const target = this.page.getByRole(role, { name, disabled: false, exact: typeof name === 'string' });
    await target.first().waitFor();
    const way: string[] = [];
    for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
      if ((await target.and(this.page.locator(':focus')).count()) > 0) return;
      await this.page.keyboard.press(back ? 'Shift+Tab' : 'Tab');
      // Behind the page's last control comes the browser itself, and then the first one.
      way.push(await this.seen({ orLeft: true }));
    }
    throw new Error(`${role} ${String(name)} is not reached by Tab; on the way were: ${way.join(', ')}`);
  }

  /** Goes to a control and presses a key there. */
  async press(role: Role, name: string | RegExp, key = 'Enter'): Promise<void> {
    await this.to(role, name);
    await this.page.keyboard.press(key);
  }

  /** Goes to a select and down its options to the one of this value. */
  async choose(name: string, value: string): Promise<void> {
    await this.to('combobox', name);
    const focus = this.page.locator(':focus');
    await focus.locator(`option[value="${value}"]`).waitFor({ state: 'attached' });
    for (let options = 0; options < MOST_TABS; options += 1) {
      if ((await focus.inputValue()) === value) return;
      await this.page.keyboard.press('ArrowDown');
    }
    throw new Error(`${name} has no ${value}`);
  }

  /** Goes to a field and types into it. */
  async type(role: Role, name: string | RegExp, text: string): Promise<void> {
    await this.to(role, name);
    await this.page.keyboard.type(text);
  }

  /** Until the focus is there, by itself: after an act. */
  async comesTo(target: Locator): Promise<void> {
    await target.and(this.page.locator(':focus')).waitFor();
    await this.seen();
  }

  /** @returns what has the focus @throws where no user could see it. @param orLeft it may have left the page */
  async seen({ orLeft = false } = {}): Promise<string> {
    // Waits for what comes into view or is rendered by the next frame.
    for (let tries = 0; ; tries += 1) {
      const { what, seen } = await this.page.evaluate<FocusState>(FOCUS);
      if (seen || (orLeft && what === 'nothing')) return what;
      if (tries === 40) throw new Error(`the focus can't be seen: it is on ${what}`);
      await this.page.waitForTimeout(50);
    }
  }
}

/** Runs in the page. */
const FOCUS = `(() => {
  const has = document.activeElement;
  if (has === null || has === document.body) return { what: 'nothing', seen: false };
  const what = has.tagName.toLowerCase() + (has.type ? ' ' + has.type : '') + ' ' + JSON.stringify((has.getAttribute('aria-label') ?? has.textContent ?? '').trim().slice(0, 60));
  const { left, top, right, bottom } = has.getBoundingClientRect();
  const [x, y] = [
    Math.min(Math.max((left + right) / 2, 0), innerWidth - 1),
    Math.min(Math.max((top + bottom) / 2, 0), innerHeight - 1),
  ];
  const over = document.elementFromPoint(x, y);
  const free = over !== null && (has.contains(over) || over.contains(has) || over.closest('label')?.contains(has));
  const drawn = (of) => {
    const style = getComputedStyle(of);
    return (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2) || style.boxShadow !== 'none';
  };
  // A field in a place of its own may leave it to the place to show the focus.
  const shown = drawn(has) || (has.parentElement !== null && drawn(has.parentElement));
  const within = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
  return { what: what + (shown ? '' : ', not drawn') + (within ? '' : ', out of view') + (free ? '' : ', under something'), seen: Boolean(shown && within && free) };
})()`;
