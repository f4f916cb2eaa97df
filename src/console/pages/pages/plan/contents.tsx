import { useState } from 'preact/hooks';
import type { DifferenceAnswer, PlanAnswer, SkippedAnswer } from '../../api/replies.js';
import { FixRows } from '../../parts/links.js';
import { Notice } from '../../parts/notices.js';
import { Counts, StatusBadge } from '../../parts/status.js';
import { Table } from '../../parts/table.js';
import { number, operationText, t } from '../../words/language.js';

/** The items that will be sent, by operation. */
export function Operations({ plan }: { readonly plan: PlanAnswer }) {
  const { operations, sent, state, counts = {} } = plan;
  const isBlocked = state === 'invalid' && (counts.invalid ?? 0) > 0;
  const title = t(isBlocked ? 'plan.operations_blocked' : 'plan.operations');
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
            ? [{ key: 'step', name: t('common.step'), cell: (it: { step?: string }) => it.step }]
            : []),
          {
            key: 'operation',
            name: t('common.operation'),
            heads: true,
            cell: (it) => <code>{operationText(it.operation)}</code>,
          },
          { key: 'items', name: t('common.items'), numeric: true, cell: (it) => number(it.items) },
          // A plan that was sent has no requests left; its run shows how many there were.
          ...(sent
            ? []
            : [
                {
                  key: 'requests',
                  name: t('common.requests'),
                  numeric: true,
                  cell: ({ requests }: { requests?: number }) =>
                    requests === undefined ? (
                      <span class="quiet">{t('plan.requests_unknown')}</span>
                    ) : (
                      number(requests)
                    ),
                },
              ]),
          {
            key: 'back',
            name: t('plan.reversal'),
            wide: true,
            cell: (it) => (
              <>
                {it.irreversible && <strong class="warn">{t('plan.irreversible')}</strong>}
                {it.reversal && <span class={it.irreversible ? 'under' : undefined}>{it.reversal}</span>}
              </>
            ),
          },
        ]}
      />
    </section>
  );
}

/** Rows that are not sent, with the reasons. */
export function ExcludedRows({ plan }: { readonly plan: PlanAnswer }) {
  const { skipped, skippedUntil } = plan;
  return (
    <section class="card" aria-labelledby="left-out">
      <h2 id="left-out">{t('plan.excluded')}</h2>
      <NotExamined plan={plan} />
      {skipped.length === 0 ? (
        skippedUntil === undefined && <p class="quiet">{t('plan.none_excluded')}</p>
      ) : (
        <Table
          caption={t('plan.excluded')}
          rows={skipped}
          keyOf={(it) => `${it.status} ${it.reason}`}
          columns={[
            {
              key: 'reason',
              name: t('plan.reason'),
              heads: true,
              wide: true,
              cell: (it) => (
                <>
                  <StatusBadge status={it.status} /> {it.reason}
                </>
              ),
            },
            { key: 'count', name: t('plan.count'), numeric: true, cell: (it) => number(it.count) },
            { key: 'rows', name: t('plan.where'), cell: ({ rows, count }) => rowsText(rows, count) },
          ]}
        />
      )}
    </section>
  );
}

/** Shown where excluded rows are listed and where the plan is signed: not all rows were examined for the list. */
export function NotExamined({ plan: { run, skippedUntil } }: { readonly plan: PlanAnswer }) {
  if (skippedUntil === undefined) return undefined;
  return (
    <Notice tone="doubt">
      <p>
        {t('plan.excluded_until', { row: skippedUntil })}{' '}
        <a href={`/runs/${encodeURIComponent(run)}`}>{t('plan.all_rows')}</a>
      </p>
    </Notice>
  );
}

/** The first requests, shown on demand. */
export function FirstRequests({ plan: { first } }: { readonly plan: PlanAnswer }) {
  const [isOpen, setOpen] = useState(false);
  if (first.length === 0) return undefined;
  return (
    <section class="card" aria-labelledby="first">
      <h2 id="first">{t('plan.first')}</h2>
      <p class="hint">{t('plan.first_hint')}</p>
      <p>
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t('plan.show_requests')}
        </button>
      </p>
      {(isOpen ? first : []).map((it, index) => (
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

/** A list of differences: headings with their details. */
export function Differences({
  title,
  lines,
  to,
}: {
  readonly title: string;
  /** Link to more details. */
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

function rowsText(rows: readonly number[], count: number): string {
  return rows.map((it) => number(it, { useGrouping: false })).join(', ') + (count > rows.length ? ', …' : '');
}

function invalidRows({ counts }: PlanAnswer): number {
  return counts?.invalid ?? 0;
}

function excludedText(plan: PlanAnswer): string {
  return t('plan.invalid_excluded', { count: invalidRows(plan) });
}

/** How invalid rows affect the plan, with a link to correct them. */
export function InvalidRows({ plan }: { readonly plan: PlanAnswer }) {
  if (invalidRows(plan) === 0) return undefined;
  // The reason is shown with `Send`.
  const isBlocked = plan.state === 'invalid';
  if (isBlocked && !plan.import) return undefined;
  return (
    <Notice tone="doubt">
      {!isBlocked && <p>{excludedText(plan)}</p>}
      {plan.import && (
        <p>
          <FixRows of={plan.import} />
        </p>
      )}
    </Notice>
  );
}

/** The rows by status, as at the check, and how many items the ready ones are. */
export function PlanCounts({ plan: { counts, items }, big = false }: { plan: PlanAnswer; big?: boolean }) {
  const { valid: rows = 0 } = counts;
  return (
    <>
      <Counts counts={counts} big={big} />
      {rows > 0 && rows !== items && <p>{t('plan.items_of_rows', { rows, items })}</p>}
    </>
  );
}

/** What a dialog that approves or sends the plan repeats: the rows by status, and the excluded invalid rows. */
export function PlanRows({ plan }: { readonly plan: PlanAnswer }) {
  return (
    <>
      <PlanCounts plan={plan} />
      <NotExamined plan={plan} />
      <ExcludedInvalidRows plan={plan} />
    </>
  );
}

function ExcludedInvalidRows({ plan }: { readonly plan: PlanAnswer }) {
  if (invalidRows(plan) === 0) return undefined;
  const faults = plan.skipped.filter(({ status }) => status === 'invalid');
  return (
    <div class="notice doubt">
      <p class="first">{excludedText(plan)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <section class="left-out" aria-label={t('plan.excluded')} tabIndex={0}>
        <ul>
          {faults.map((it) => (
            <li key={it.reason}>{faultText(it)}</li>
          ))}
        </ul>
      </section>
      <p>
        <a href={`/runs/${encodeURIComponent(plan.run)}?status=invalid`}>{t('plan.all_excluded')}</a>
      </p>
    </div>
  );
}

function faultText({ reason, count, rows = [] }: SkippedAnswer): string {
  if (count === 1) return reason;
  return t('plan.error_in_rows', { fault: reason, count, rows: rowsText(rows, count) });
}

/** A sentence about the plan's items. */
export function itemsText(sentence: 'lead' | 'send_title' | 'send_button', plan: PlanAnswer): string {
  // A plan blocked by invalid rows sends nothing, so the text must not say that it would.
  const items = sentence === 'lead' && plan.state === 'invalid' ? 0 : plan.items;
  const params = { items, connection: plan.connection.name };
  return t(items === 0 && sentence === 'lead' ? 'plan.lead_none' : `plan.${sentence}`, params);
}
