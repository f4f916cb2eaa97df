import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { offline, type ProblemDocument } from '../api/problem.js';
import type { QueryState } from '../api/use-query.js';
import { number, t } from '../words/language.js';
import { Heading } from './heading.js';

/** Shown while loading; it appears with a delay, so that fast responses do not flicker. */
export function Busy({ text }: { readonly text?: string }) {
  return (
    <p class="busy" role="status">
      <span class="spinner" aria-hidden="true" />
      {text ?? t('common.loading')}
    </p>
  );
}

/** A problem, with the text of the console. Without a connection the frame reports it. */
export function ProblemNotice({
  problem,
  again,
  againName,
  children,
}: {
  readonly problem: ProblemDocument;
  readonly again?: () => void;
  /** Label of the button, if it does more than repeat the request. */
  readonly againName?: string;
  readonly children?: ComponentChildren;
}) {
  if (problem.status === 0 && offline.value) return undefined;
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
            {againName ?? t('common.try_again')}
          </button>
        </p>
      )}
    </div>
  );
}

/** Number of warnings shown unfolded. */
const FIRST_WARNINGS = 3;

export function Warnings({ of = [] }: { readonly of: readonly string[] | undefined }) {
  const noticesOf = (texts: readonly string[]) =>
    texts.map((it) => (
      <Notice key={it} tone="doubt">
        <p>{it}</p>
      </Notice>
    ));
  const more = of.slice(FIRST_WARNINGS);
  return (
    <>
      {noticesOf(of.slice(0, FIRST_WARNINGS))}
      {more.length > 0 && (
        <details class="card">
          <summary>{t('common.more_warnings', { count: more.length })}</summary>
          {noticesOf(more)}
        </details>
      )}
    </>
  );
}

/** The value of a query, with a spinner while it is loading and its problem. */
export function QueryView<T>({
  of: { value, problem, again },
  children,
}: {
  readonly of: QueryState<T>;
  readonly children: (value: T) => ComponentChildren;
}) {
  return (
    <>
      {problem && <ProblemNotice problem={problem} again={again} />}
      {value === undefined ? !problem && <Busy /> : children(value)}
    </>
  );
}

/** A page without its data: still loading, or why not. @param missing shown if the run does not exist */
export function NotLoaded({
  name,
  of: { problem, again },
  missing,
}: {
  readonly name: string;
  readonly of: QueryState<unknown>;
  readonly missing?: string;
}) {
  return (
    <>
      <Heading name={name} />
      {!problem && <Busy />}
      {problem?.status === 404 && missing !== undefined ? (
        <EmptyState title={missing}>
          <p>{t('common.run_gone')}</p>
        </EmptyState>
      ) : (
        problem && <ProblemNotice problem={problem} again={again} />
      )}
    </>
  );
}

/** A note that is not an error; tone `doubt` if it needs attention. */
export function Notice({
  tone = 'info',
  children,
}: {
  readonly tone?: 'info' | 'good' | 'doubt';
  readonly children: ComponentChildren;
}) {
  return <div class={`notice ${tone}`}>{children}</div>;
}

/** Shown in place of an empty list. @param children what the user can do */
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

const polite = signal('');
const urgent = signal('');

/** Announces a text to screen readers; repeated texts are announced again. @param assertive interrupts; for rejections */
export function announce(text: string, { assertive = false } = {}): void {
  const region = assertive ? urgent : polite;
  // An unchanged region is not announced again; a no-break space changes it.
  region.value = region.value === text ? `${text}\u00a0` : text;
}

/** Live regions for announcements. They exist from the start, because a region added together with its text is not read. */
export function LiveRegions() {
  return (
    <>
      <div class="unseen" role="status" aria-live="polite">
        {polite}
      </div>
      <div class="unseen" role="alert" aria-live="assertive">
        {urgent}
      </div>
    </>
  );
}

/** A progress bar. @param total 0: unknown */
export function Progress({
  done,
  total,
  label,
}: {
  readonly done: number;
  readonly total: number;
  readonly label?: string;
}) {
  const share = total > 0 ? Math.min(1, done / total) : 0;
  return (
    <div class="progress">
      <progress
        aria-label={label ?? t('common.progress')}
        {...(total > 0 ? { max: total, value: Math.min(done, total) } : {})}
      />
      {total > 0 && (
        <p class="figures">
          <span>{t('common.step_of', { done, total })}</span>
          {/* Rounded down: 100 % is only shown when finished. */}
          <span>{number(Math.floor(share * 100) / 100, { style: 'percent' })}</span>
        </p>
      )}
    </div>
  );
}
