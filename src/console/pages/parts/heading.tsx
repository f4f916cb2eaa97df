import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { COMMON } from '../words/common.js';
import { say } from '../words/language.js';

let isFirst = true;

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
    if (!isFirst) heading.current?.focus({ preventScroll: true });
    isFirst = false;
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
