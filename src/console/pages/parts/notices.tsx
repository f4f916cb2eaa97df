import type { ComponentChildren } from 'preact';
import type { ProblemDocument } from '../api/problem.js';
import type { AskedAnswer } from '../api/use-asked.js';
import { COMMON } from '../words/common.js';
import { say } from '../words/language.js';

/** While the first answer is awaited. It shows late, so that what is quick doesn't flicker. */
export function Busy({ text }: { readonly text?: string }) {
  return (
    <p class="busy" role="status">
      <span class="spinner" aria-hidden="true" />
      {text ?? say(COMMON.loading)}
    </p>
  );
}

/** What went wrong, in the words of the console, which are those of the command line. */
export function ProblemNotice({
  problem,
  again,
  againName,
  children,
}: {
  readonly problem: ProblemDocument;
  readonly again?: () => void;
  /** Of the button, where it does more than to ask anew. */
  readonly againName?: string;
  readonly children?: ComponentChildren;
}) {
  const { title, detail, code, others = [] } = problem;
  const more = others.map((it) =>
    typeof it === 'string' ? it : [it.pointer, it.detail].filter(Boolean).join(': '),
  );
  return (
    <div class="notice bad" role="alert">
      <p class="first">{detail ?? title}</p>
      {more.length > 0 && (
        <ul>
          {more.map((it) => (
            <li key={it}>{it}</li>
          ))}
        </ul>
      )}
      {code && <p class="code">{code}</p>}
      {children}
      {again && (
        <p>
          <button type="button" onClick={again}>
            {againName ?? say(COMMON.try_again)}
          </button>
        </p>
      )}
    </div>
  );
}

/** So many warnings are told before the others are unfolded. */
const FIRST_WARNINGS = 3;

export function Warnings({ of = [] }: { readonly of: readonly string[] | undefined }) {
  const told = (some: readonly string[]) =>
    some.map((it) => (
      <Notice key={it} tone="doubt">
        <p>{it}</p>
      </Notice>
    ));
  const more = of.slice(FIRST_WARNINGS);
  return (
    <>
      {told(of.slice(0, FIRST_WARNINGS))}
      {more.length > 0 && (
        <details class="card">
          <summary>{say(COMMON.more_warnings, { count: more.length })}</summary>
          {told(more)}
        </details>
      )}
    </>
  );
}

/** What was asked of the console, once it is there; that it is awaited, or why it isn't there or isn't newer. */
export function Asked<T>({
  of: { value, problem, again },
  children,
}: {
  readonly of: AskedAnswer<T>;
  readonly children: (value: T) => ComponentChildren;
}) {
  return (
    <>
      {problem && <ProblemNotice problem={problem} again={again} />}
      {value === undefined ? !problem && <Busy /> : children(value)}
    </>
  );
}

/** Something to know that is no fault: `doubt` where it asks for attention. */
export function Notice({
  tone = 'info',
  children,
}: {
  readonly tone?: 'info' | 'good' | 'doubt';
  readonly children: ComponentChildren;
}) {
  return <div class={`notice ${tone}`}>{children}</div>;
}

/** In the place of a list that has nothing. @param children what to do about it */
export function EmptyState({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p class="first">{title}</p>
      {children}
    </div>
  );
}

/** A page's script is gone, because the console was updated while the page was open. */
export function Outdated() {
  return (
    <div class="notice doubt" role="alert">
      <p class="first">{say(COMMON.outdated)}</p>
      <p>
        <button type="button" onClick={() => location.reload()}>
          {say(COMMON.load_anew)}
        </button>
      </p>
    </div>
  );
}
