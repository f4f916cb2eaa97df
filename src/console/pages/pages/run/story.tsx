import { isUnderWay } from '../../../../model/under-way.js';
import { ask } from '../../api/client.js';
import type { RowStoryAnswer, RunDetailAnswer, SettledAnswer } from '../../api/runs.js';
import { useAsked } from '../../api/use-asked.js';
import { Dialog } from '../../parts/dialog.js';
import { Facts } from '../../parts/facts.js';
import { Busy, Notice, ProblemNotice } from '../../parts/notices.js';
import { StatusBadge, statusNow } from '../../parts/status.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { COMMON } from '../../words/common.js';
import { durationText, number, say } from '../../words/language.js';
import { RUN } from '../../words/run.js';

interface StoryDialogProps {
  readonly run: RunDetailAnswer;
  readonly row: number;
  readonly resolve: () => void;
  readonly close: () => void;
}

/** One row's story: its cells, what was looked up, requests and attempts, and what is safe next; one story across steps. */
export function StoryDialog({ run, row, resolve, close }: StoryDialogProps) {
  const path = `/runs/${encodeURIComponent(run.run)}/rows/${row}`;
  const { value: story, problem, again } = useAsked(path, (signal) => ask<RowStoryAnswer>(path, { signal }));
  return (
    <Dialog title={say(RUN.story, { row: String(row) })} close={close} wide>
      {problem && <ProblemNotice problem={problem} again={again} />}
      {!story && !problem && <Busy />}
      {story && <Story story={story} underWay={isUnderWay(run.state, run.kind)} />}
      <div class="acts end">
        {story?.status === 'unknown' && run.may.resolve === true && (
          <button type="button" class="primary" onClick={resolve}>
            {say(RUN.resolve)}
          </button>
        )}
        <button type="button" onClick={close}>
          {say(COMMON.close)}
        </button>
      </div>
    </Dialog>
  );
}

function Story({ story, underWay }: { readonly story: RowStoryAnswer; readonly underWay: boolean }) {
  const { cells, lookups = [], steps, requests, audit, undone = [], columns = {} } = story;
  return (
    <div class="story">
      <p>
        <StatusBadge status={statusNow(story.status, underWay)} />{' '}
        {[story.status === 'succeeded' ? '' : story.code, story.message].filter(Boolean).join(' · ')}
      </p>
      <Notice>
        <h3>{say(RUN.next)}</h3>
        <p>{story.next}</p>
      </Notice>
      {undone.map((it) => (
        <p key={it.run}>{say(RUN.undone, { run: it.run })}</p>
      ))}
      <h3>
        {say(RUN.cells)} {story.sheet && <span class="quiet">{say(RUN.sheet, { sheet: story.sheet })}</span>}
      </h3>
      {cells ? (
        <Facts
          of={cells.map((it) => [it.address ? `${it.header} (${it.address})` : it.header, it.text] as const)}
        />
      ) : (
        <p class="quiet">{story.cellsMissing}</p>
      )}
      {story.corrected && (
        <ul>
          {story.corrected.map(({ address, header, before, text, who = '' }) => (
            <li key={address}>
              {say(RUN.corrected, { header: `${header} (${address})`, before, text, who })}
            </li>
          ))}
        </ul>
      )}
      {lookups.length > 0 && (
        <>
          <h3>{say(RUN.lookups)}</h3>
          {lookups.map((it) => (
            <details key={`${it.field} ${JSON.stringify(it.request)}`}>
              <summary>{say(RUN.lookup_of, { field: it.field, operation: it.operation })}</summary>
              {it.detail && <p>{it.detail}</p>}
              <Data value={it.request} />
              {it.record !== undefined && (
                <>
                  <p class="quiet">{say(RUN.lookup_record)}</p>
                  <Data value={it.record} />
                </>
              )}
            </details>
          ))}
        </>
      )}
      {(story.licenseOrderId || Object.values(columns).some((it) => it !== '')) && (
        <>
          <h3>{say(RUN.returned)}</h3>
          <Facts
            of={[
              [say(RUN.order), story.licenseOrderId],
              ...Object.entries(columns).filter(([name]) => name !== 'licenseOrderId'),
            ]}
          />
        </>
      )}
      {steps ? (
        steps.map((it) => (
          <section key={it.name} class="step">
            <h3>
              {it.name} <code>{it.operation}</code> <StatusBadge status={statusNow(it.status, underWay)} />
            </h3>
            {it.message && <p>{it.message}</p>}
            <RequestList requests={it.requests} />
            <Settled lines={it.audit} />
          </section>
        ))
      ) : (
        <>
          <h3>{say(RUN.request)}</h3>
          <RequestList requests={requests} />
          <Settled lines={audit} />
        </>
      )}
    </div>
  );
}

/** Requests that carried a row, each with its attempts. */
export function RequestList({ requests }: { readonly requests: RowStoryAnswer['requests'] }) {
  if (requests.length === 0) return <p class="quiet">{say(RUN.no_request)}</p>;
  return (
    <>
      {requests.map((it, index) => (
        <div key={`${it.request.url} ${index}`}>
          <p>
            <code>
              {it.request.method} {it.request.url}
            </code>{' '}
            {it.items > 1 && <span class="quiet">{say(RUN.with_items, { items: it.items })}</span>}
          </p>
          {it.request.body !== undefined && (
            <details>
              <summary>{say(COMMON.details)}</summary>
              <Data value={it.request.body} />
            </details>
          )}
          {it.attempts.length === 0 ? (
            <p class="quiet">{say(RUN.no_attempts)}</p>
          ) : (
            <Table
              caption={say(RUN.attempts)}
              rows={it.attempts}
              keyOf={(attempt) => attempt.attempt}
              columns={[
                { key: 'n', name: say(RUN.attempt), heads: true, cell: (attempt) => number(attempt.attempt) },
                { key: 'at', name: say(RUN.at), cell: (attempt) => <Time at={attempt.startedAt} /> },
                {
                  key: 'answer',
                  name: say(RUN.answer),
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
                  name: say(RUN.duration),
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

function Settled({ lines }: { readonly lines: readonly SettledAnswer[] }) {
  if (lines.length === 0) return undefined;
  return (
    <>
      <h3>{say(RUN.settled_by)}</h3>
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

/** What was sent or returned, as it is. */
function Data({ value }: { readonly value: unknown }) {
  // What scrolls has to be reached by keyboard.
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
  return <pre tabIndex={0}>{typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)}</pre>;
}
