import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { address } from '../router.js';
import { t } from '../words/language.js';

/** The path of the last heading, and whether it was reached by navigation. The first page does not take the focus. */
let previous: { readonly path: string; readonly navigated: boolean } | undefined;

interface HeadingProps {
  /** The page's name: level-1 heading and the document's title. */
  readonly name: string;
  /** The document's title, if it differs from the heading. */
  readonly title?: string;
  /** The page's actions, next to the heading. */
  readonly children?: ComponentChildren;
  /** Notes on the actions. */
  readonly below?: ComponentChildren;
}

/** The top of a page. It takes the focus after navigation, so that a screen reader reads the name of the page. */
export function Heading({ name, title = name, children, below }: HeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = t('common.title', { page: title });
  }, [title]);
  useEffect(() => {
    const { path } = address.peek();
    // A loading page has another heading than the loaded one.
    const again = previous?.path === path && previous.navigated && document.activeElement === document.body;
    const navigated = previous !== undefined && previous.path !== path;
    if (navigated || again) heading.current?.focus({ preventScroll: true });
    previous = { path, navigated: navigated || again };
  }, []);
  return (
    <>
      <div class="heading">
        <h1 ref={heading} tabIndex={-1}>
          {name}
        </h1>
        {children && <div class="actions">{children}</div>}
      </div>
      {below}
    </>
  );
}
