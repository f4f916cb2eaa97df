import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { address } from '../router.js';
import { COMMON } from '../words/common.js';
import { say } from '../words/language.js';

/** The path whose heading was drawn last, and whether the page was turned to it: the first one leaves the focus alone. */
let shown: { readonly path: string; readonly turned: boolean } | undefined;

interface HeadingProps {
  /** The page's name: its level-1 heading, and the document's title. */
  readonly name: string;
  /** In the document's title, where it tells more than the heading. */
  readonly title?: string;
  /** Beside the heading: the page's acts. */
  readonly children?: ComponentChildren;
  /** What is to be said of the acts. */
  readonly below?: ComponentChildren;
}

/** The top of a page. When pages are turned it takes the focus, so that a screen reader says where the reader is. */
export function Heading({ name, title = name, children, below }: HeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = say(COMMON.title, { page: title });
  }, [title]);
  useEffect(() => {
    const { path } = address.peek();
    // While a page loads it has another heading than afterwards.
    const again = shown?.path === path && shown.turned && document.activeElement === document.body;
    const turned = shown !== undefined && shown.path !== path;
    if (turned || again) heading.current?.focus({ preventScroll: true });
    shown = { path, turned: turned || again };
  }, []);
  return (
    <>
      <div class="heading">
        <h1 ref={heading} tabIndex={-1}>
          {name}
        </h1>
        {children && <div class="acts">{children}</div>}
      </div>
      {below}
    </>
  );
}
