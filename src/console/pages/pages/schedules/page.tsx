import { useState } from 'preact/hooks';
import type { z } from 'zod';
import type { scheduleSchema } from '../../../routes/schemas.js';
import { act, ask } from '../../api/client.js';
import { useAct } from '../../api/use-act.js';
import { useAsked } from '../../api/use-asked.js';
import { ActDialog } from '../../parts/dialog.js';
import { Heading } from '../../parts/heading.js';
import { announce } from '../../parts/live.js';
import { Asked, EmptyState, Notice, ProblemNotice } from '../../parts/notices.js';
import { StateBadge } from '../../parts/status.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { go } from '../../router.js';
import { hasRole } from '../../session.js';
import { COMMON } from '../../words/common.js';
import { say } from '../../words/language.js';
import { SCHEDULES } from '../../words/schedules.js';

type ScheduleAnswer = z.infer<typeof scheduleSchema>;

/** `Schedules`: next and last times of each job; a maker runs one now, or pauses it. */
export function Page() {
  const schedules = useAsked('schedules', (signal) =>
    ask<{ readonly items: readonly ScheduleAnswer[] }>('/schedules', { signal }),
  );
  const jobs = useAsked('jobs', (signal) =>
    ask<{ readonly items: readonly { readonly file: string; readonly problem?: string }[] }>('/jobs', {
      signal,
    }),
  );
  const faulty = jobs.value?.items.filter((it) => it.problem !== undefined) ?? [];
  const [starting, setStarting] = useState<ScheduleAnswer>();
  const change = useAct(async ({ job, paused }: ScheduleAnswer) => {
    await act('POST', `/schedules/${encodeURIComponent(job)}/${paused ? 'continue' : 'pause'}`);
    announce(say(paused ? SCHEDULES.going_said : SCHEDULES.paused_said, { job }));
    schedules.again();
  });
  return (
    <>
      <Heading name={say(COMMON.schedules)} />
      <p class="lead">{say(SCHEDULES.about)}</p>
      {change.problem && <ProblemNotice problem={change.problem} />}
      {faulty.length > 0 && (
        <Notice tone="doubt">
          <p class="first">{say(SCHEDULES.faulty)}</p>
          <ul>
            {faulty.map((it) => (
              <li key={it.file}>
                <code>{it.file}</code>: {it.problem}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <section class="card">
        <Asked of={schedules}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState title={say(SCHEDULES.empty)}>
                <p>{say(SCHEDULES.empty_told)}</p>
              </EmptyState>
            ) : (
              <ScheduleTable
                schedules={items}
                busy={change.busy}
                start={setStarting}
                change={(it) => void change.run(it)}
              />
            )
          }
        </Asked>
      </section>
      {starting && <RunNow schedule={starting} close={() => setStarting(undefined)} />}
    </>
  );
}

interface ScheduleTableProps {
  readonly schedules: readonly ScheduleAnswer[];
  readonly busy: boolean;
  readonly start: (it: ScheduleAnswer) => void;
  readonly change: (it: ScheduleAnswer) => void;
}

function ScheduleTable({ schedules, busy, start, change }: ScheduleTableProps) {
  const acts = {
    key: 'acts',
    name: say(SCHEDULES.acts),
    cell: (it: ScheduleAnswer) => (
      <div class="acts">
        <button
          type="button"
          aria-label={say(SCHEDULES.run_now_of, { job: it.job })}
          onClick={() => start(it)}
        >
          {say(SCHEDULES.run_now)}
        </button>
        <button
          type="button"
          disabled={busy}
          aria-label={say(it.paused ? SCHEDULES.go_on_of : SCHEDULES.pause_of, { job: it.job })}
          onClick={() => change(it)}
        >
          {say(it.paused ? SCHEDULES.go_on : SCHEDULES.pause)}
        </button>
      </div>
    ),
  };
  return (
    <Table
      caption={say(COMMON.schedules)}
      rows={schedules}
      keyOf={(it) => it.job}
      columns={[
        {
          key: 'job',
          name: say(SCHEDULES.job),
          heads: true,
          wide: true,
          cell: (it) => (
            <>
              {it.job}
              <span class="under">{it.connection}</span>
              {it.paused && (
                <span class="badge state-stopped">
                  <span class="sign" aria-hidden="true">
                    ‖
                  </span>
                  {say(SCHEDULES.paused, { who: it.paused.by })}
                </span>
              )}
            </>
          ),
        },
        {
          key: 'times',
          name: say(SCHEDULES.times),
          cell: (it) => (
            <>
              <code>{it.cron}</code>
              <span class="under">{it.timezone}</span>
            </>
          ),
        },
        {
          key: 'next',
          name: say(SCHEDULES.next),
          cell: (it) => (it.next[0] === undefined ? '–' : <Time at={it.next[0]} />),
        },
        {
          key: 'last',
          name: say(SCHEDULES.last),
          cell: (it) => (it.last ? <Time at={it.last.due} /> : say(SCHEDULES.never)),
        },
        {
          key: 'last_run',
          name: say(SCHEDULES.last_run),
          cell: ({ lastRun, kind }) =>
            lastRun ? (
              <>
                <a
                  href={`/${kind === 'reconcile' ? 'reconcile' : 'runs'}/${encodeURIComponent(lastRun.run)}`}
                >
                  <Time at={lastRun.started} />
                </a>{' '}
                <StateBadge state={lastRun.state} />
              </>
            ) : (
              say(SCHEDULES.never)
            ),
        },
        ...(hasRole('maker') ? [acts] : []),
      ]}
    />
  );
}

function RunNow({ schedule, close }: { readonly schedule: ScheduleAnswer; readonly close: () => void }) {
  const { job, connection, kind } = schedule;
  const start = useAct(async () => {
    const { run } = await act<{ readonly run: string }>('POST', `/schedules/${encodeURIComponent(job)}/run`);
    close();
    go(run === '' ? '/runs' : `/${kind === 'reconcile' ? 'reconcile' : 'runs'}/${encodeURIComponent(run)}`);
  });
  return (
    <ActDialog
      title={say(SCHEDULES.run_now_of, { job })}
      yes={say(SCHEDULES.run_now)}
      close={close}
      busy={start.busy}
      problem={start.problem}
      carry={() => void start.run()}
    >
      <p>
        {say(kind === 'reconcile' ? SCHEDULES.compare_told : SCHEDULES.run_now_told, { job, connection })}
      </p>
    </ActDialog>
  );
}
