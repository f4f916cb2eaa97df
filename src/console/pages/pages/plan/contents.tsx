import type { DifferenceAnswer, PlanAnswer } from '../../api/plans.js';
import { Notice } from '../../parts/notices.js';
import { StatusBadge } from '../../parts/status.js';
import { Table } from '../../parts/table.js';
import { number, say } from '../../words/language.js';
import { PLAN } from '../../words/plan.js';

/** What will be sent, by operation. */
export function Operations({ plan }: { readonly plan: PlanAnswer }) {
  const { operations, sent, state, counts = {} } = plan;
  const isHeld = state === 'invalid' && (counts.invalid ?? 0) > 0;
  const title = say(isHeld ? PLAN.operations_held : PLAN.operations);
  const hasSteps = operations.some((it) => it.step !== undefined);
  return (
    <section class="card" aria-labelledby="operations">
      <h2 id="operations">{title}</h2>
      <Table
        caption={title}
        rows={operations}
        keyOf={(it) => `${it.step ?? ''} ${it.operation}`}
        columns={[
          ...(hasSteps
            ? [{ key: 'step', name: say(PLAN.step), cell: (it: { step?: string }) => it.step }]
            : []),
          {
            key: 'operation',
            name: say(PLAN.operation),
            heads: true,
            cell: (it) => <code>{it.operation}</code>,
          },
          { key: 'items', name: say(PLAN.items), numeric: true, cell: (it) => number(it.items) },
          // Of a plan that was sent none are left; its run tells how many there were.
          ...(sent
            ? []
            : [
                {
                  key: 'requests',
                  name: say(PLAN.requests),
                  numeric: true,
                  cell: ({ requests }: { requests?: number }) =>
                    requests === undefined ? (
                      <span class="quiet">{say(PLAN.requests_later)}</span>
                    ) : (
                      number(requests)
                    ),
                },
              ]),
          {
            key: 'back',
            name: say(PLAN.way_back),
            wide: true,
            cell: (it) => (
              <>
                {it.irreversible && <strong class="warn">{say(PLAN.irreversible)}</strong>}
                {it.wayBack && <span class={it.irreversible ? 'under' : undefined}>{it.wayBack}</span>}
              </>
            ),
          },
        ]}
      />
    </section>
  );
}

/** Rows that aren't sent, each with its reason. */
export function LeftOut({ plan: { run, skipped, skippedUntil } }: { readonly plan: PlanAnswer }) {
  return (
    <section class="card" aria-labelledby="left-out">
      <h2 id="left-out">{say(PLAN.skipped)}</h2>
      {skippedUntil !== undefined && (
        <Notice tone="doubt">
          <p>
            {say(PLAN.skipped_until, { row: skippedUntil })}{' '}
            <a href={`/runs/${encodeURIComponent(run)}`}>{say(PLAN.all_rows)}</a>
          </p>
        </Notice>
      )}
      {skipped.length === 0 ? (
        skippedUntil === undefined && <p class="quiet">{say(PLAN.nothing_skipped)}</p>
      ) : (
        <Table
          caption={say(PLAN.skipped)}
          rows={skipped}
          keyOf={(it) => `${it.status} ${it.reason}`}
          columns={[
            {
              key: 'reason',
              name: say(PLAN.reason),
              heads: true,
              wide: true,
              cell: (it) => (
                <>
                  <StatusBadge status={it.status} /> {it.reason}
                </>
              ),
            },
            { key: 'count', name: say(PLAN.count), numeric: true, cell: (it) => number(it.count) },
            { key: 'rows', name: say(PLAN.where), cell: ({ rows, count }) => rowsText(rows, count) },
          ]}
        />
      )}
    </section>
  );
}

/** The first few requests to look at. */
export function FirstRequests({ plan: { first } }: { readonly plan: PlanAnswer }) {
  if (first.length === 0) return undefined;
  return (
    <section class="card" aria-labelledby="first">
      <h2 id="first">{say(PLAN.first)}</h2>
      <p class="hint">{say(PLAN.first_hint)}</p>
      {first.map((it, index) => (
        <details key={`${it.url} ${index}`} open={index === 0}>
          <summary>
            <code>
              {it.method} {it.url}
            </code>
          </summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
          {it.body !== undefined && <pre tabIndex={0}>{JSON.stringify(it.body, undefined, 2)}</pre>}
        </details>
      ))}
    </section>
  );
}

/** A list of differences: headings, and below each what belongs to it. */
export function Differences({
  title,
  lines,
  to,
}: {
  readonly title: string;
  /** Where more is to be seen. */
  readonly to?: { readonly href: string; readonly name: string };
  readonly lines: readonly DifferenceAnswer[];
}) {
  if (lines.length === 0) return undefined;
  return (
    <section class="card">
      <h2>{title}</h2>
      <ul class="difference">
        {lines.map((it, index) => (
          <li key={`${index} ${it.text}`} class={`${it.depth === 0 ? 'head' : 'under-head'} ${it.kind}`}>
            {it.text}
          </li>
        ))}
      </ul>
      {to && (
        <p>
          <a href={to.href}>{to.name}</a>
        </p>
      )}
    </section>
  );
}

export function rowsText(rows: readonly number[], count: number): string {
  return rows.map((it) => number(it, { useGrouping: false })).join(', ') + (count > rows.length ? ', …' : '');
}
