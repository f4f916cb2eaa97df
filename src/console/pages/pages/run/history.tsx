import { isUnderWay } from '../../../../model/run-outcome.js';
import type { ResolutionAnswer, RowHistoryAnswer, RunDetailAnswer } from '../../api/replies.js';
import { useResource } from '../../api/use-query.js';
import { Dialog } from '../../parts/dialog.js';
import { Busy, Notice, ProblemNotice } from '../../parts/notices.js';
import { StatusBadge, statusNow } from '../../parts/status.js';
import { Facts, Table, Time } from '../../parts/table.js';
import { durationText, number, operationText, t } from '../../words/language.js';

interface RowHistoryDialogProps {
  readonly run: RunDetailAnswer;
  readonly row: number;
  readonly resolve: () => void;
  readonly close: () => void;
}

/** A row's history: cells, lookups, requests with attempts, and the recommended action, across all steps. */
export function RowHistoryDialog({ run, row, resolve, close }: RowHistoryDialogProps) {
  const path = `/runs/${encodeURIComponent(run.run)}/rows/${row}`;
  const { value: history, problem, again } = useResource<RowHistoryAnswer>(path);
  return (
    <Dialog title={t('run.row_history', { row: String(row) })} close={close} wide>
      {problem && <ProblemNotice problem={problem} again={again} />}
      {!history && !problem && <Busy />}
      {history && <RowHistory history={history} underWay={isUnderWay(run.state, run.kind)} />}
      <div class="actions end">
        {history?.status === 'unknown' && run.may.resolve === true && (
          <button type="button" class="primary" onClick={resolve}>
            {t('run.resolve')}
          </button>
        )}
        <button type="button" onClick={close}>
          {t('common.close')}
        </button>
      </div>
    </Dialog>
  );
}

function RowHistory({
  history,
  underWay,
}: {
  readonly history: RowHistoryAnswer;
  readonly underWay: boolean;
}) {
  const { cells, lookups = [], steps, requests, audit, undone = [], columns = {} } = history;
  return (
    <div class="story">
      <p>
        <StatusBadge status={statusNow(history.status, underWay)} />{' '}
        {[history.status === 'succeeded' ? '' : history.code, history.message].filter(Boolean).join(' · ')}
      </p>
      <Notice>
        <h3>{t('run.next')}</h3>
        <p>{history.next}</p>
      </Notice>
      {undone.map((it) => (
        <p key={it.run}>{t('run.reverted', { run: it.run })}</p>
      ))}
      <h3>
        {t('run.cells')}{' '}
        {history.sheet && <span class="quiet">{t('run.sheet', { sheet: history.sheet })}</span>}
      </h3>
      {cells ? (
        <Facts
          of={cells.map((it) => [it.address ? `${it.header} (${it.address})` : it.header, it.text] as const)}
        />
      ) : (
        <p class="quiet">{history.cellsMissing}</p>
      )}
      {history.corrected && (
        <ul>
          {history.corrected.map(({ address, header, before, text, who = '' }) => (
            <li key={address}>
              {t('run.corrected', { header: `${header} (${address})`, before, text, who })}
            </li>
          ))}
        </ul>
      )}
      {lookups.length > 0 && (
        <>
          <h3>{t('run.lookups')}</h3>
          {lookups.map((it) => (
            <details key={`${it.field} ${JSON.stringify(it.request)}`}>
              <summary>
                {t('run.lookup_of', { field: it.field, operation: operationText(it.operation) })}
              </summary>
              {it.detail && <p>{it.detail}</p>}
              <Data value={it.request} />
              {it.record !== undefined && (
                <>
                  <p class="quiet">{t('run.lookup_record')}</p>
                  <Data value={it.record} />
                </>
              )}
            </details>
          ))}
        </>
      )}
      {(history.licenseOrderId || Object.values(columns).some((it) => it !== '')) && (
        <>
          <h3>{t('run.returned')}</h3>
          <Facts
            of={[
              [t('run.order'), history.licenseOrderId],
              ...Object.entries(columns).filter(([name]) => name !== 'licenseOrderId'),
            ]}
          />
        </>
      )}
      {steps ? (
        steps.map((it) => (
          <section key={it.name} class="step">
            <h3>
              {it.name} <code>{operationText(it.operation)}</code>{' '}
              <StatusBadge status={statusNow(it.status, underWay)} />
            </h3>
            {it.message && <p>{it.message}</p>}
            <RequestList requests={it.requests} />
            <Resolutions lines={it.audit} />
          </section>
        ))
      ) : (
        <>
          <h3>{t('run.request')}</h3>
          <RequestList requests={requests} />
          <Resolutions lines={audit} />
        </>
      )}
    </div>
  );
}

/** Requests that contained a row, with their attempts. */
export function RequestList({ requests }: { readonly requests: RowHistoryAnswer['requests'] }) {
  if (requests.length === 0) return <p class="quiet">{t('run.no_request')}</p>;
  return (
    <>
      {requests.map((it, index) => (
        <div key={`${it.request.url} ${index}`}>
          <p>
            <code>
              {it.request.method} {it.request.url}
            </code>{' '}
            {it.items > 1 && <span class="quiet">{t('run.with_items', { items: it.items })}</span>}
          </p>
          {it.request.body !== undefined && (
            <details>
              <summary>{t('common.details')}</summary>
              <Data value={it.request.body} />
            </details>
          )}
          {it.attempts.length === 0 ? (
            <p class="quiet">{t('run.no_attempts')}</p>
          ) : (
            <Table
              caption={t('run.attempts')}
              rows={it.attempts}
              keyOf={(attempt) => attempt.attempt}
              columns={[
                { key: 'n', name: t('run.attempt'), heads: true, cell: (attempt) => number(attempt.attempt) },
                { key: 'at', name: t('run.at'), cell: (attempt) => <Time at={attempt.startedAt} /> },
                {
                  key: 'answer',
                  name: t('run.reply'),
                  wide: true,
                  cell: (attempt) => (
                    <>
                      {[attempt.event, attempt.httpStatus].filter(Boolean).join(' · ')}
                      {attempt.reply !== undefined && <Data value={attempt.reply} />}
                    </>
                  ),
                },
                {
                  key: 'took',
                  name: t('run.took'),
                  numeric: true,
                  cell: ({ durationMs }) =>
                    durationMs === undefined
                      ? undefined
                      : durationMs < 1000
                        ? number(durationMs, { style: 'unit', unit: 'millisecond' })
                        : durationText(durationMs),
                },
              ]}
            />
          )}
        </div>
      ))}
    </>
  );
}

function Resolutions({ lines }: { readonly lines: readonly ResolutionAnswer[] }) {
  if (lines.length === 0) return undefined;
  return (
    <>
      <h3>{t('run.resolution')}</h3>
      <ul>
        {lines.map((it) => (
          <li key={`${it.at} ${it.evidence}`}>
            <Time at={it.at} /> {it.how === 'late_reply' ? '' : it.who} {it.evidence}
          </li>
        ))}
      </ul>
    </>
  );
}

function Data({ value }: { readonly value: unknown }) {
  // What scrolls has to be reached by keyboard.
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
  return <pre tabIndex={0}>{typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)}</pre>;
}
