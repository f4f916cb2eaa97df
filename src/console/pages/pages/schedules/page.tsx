import { useState } from 'preact/hooks';
import type { z } from 'zod';
import type { scheduleSchema } from '../../../routes/schemas.js';
import { sendJson } from '../../api/client.js';
import type { ListAnswer } from '../../api/replies.js';
import { useAction } from '../../api/use-action.js';
import { useResource } from '../../api/use-query.js';
import { ConfirmDialog } from '../../parts/dialog.js';
import { Heading } from '../../parts/heading.js';
import { announce, EmptyState, Notice, ProblemNotice, QueryView } from '../../parts/notices.js';
import { Sign, StateBadge } from '../../parts/status.js';
import { Table, Time } from '../../parts/table.js';
import { go } from '../../router.js';
import { hasRole } from '../../session.js';
import { language, t } from '../../words/language.js';
import { cronText } from './cron-text.js';

const NEXT_SHOWN = 3;

type ScheduleAnswer = z.infer<typeof scheduleSchema>;

/** Scheduled jobs with their next and last times. Makers can start and pause them. */
export function Page() {
  const schedules = useResource<ListAnswer<ScheduleAnswer>>('/schedules');
  const jobs = useResource<ListAnswer<{ readonly file: string; readonly problem?: string }>>('/jobs');
  const invalidJobs = jobs.value?.items.filter((it) => it.problem !== undefined) ?? [];
  const [starting, setStarting] = useState<ScheduleAnswer>();
  const change = useAction(async ({ job, paused }: ScheduleAnswer) => {
    await sendJson('POST', `/schedules/${encodeURIComponent(job)}/${paused ? 'continue' : 'pause'}`);
    announce(t(paused ? 'schedule.job_continued' : 'schedule.job_paused', { job }));
    schedules.again();
  });
  return (
    <>
      <Heading name={t('common.schedules')} />
      <p class="lead">{t('schedule.about')}</p>
      {change.problem && <ProblemNotice problem={change.problem} />}
      {invalidJobs.length > 0 && (
        <Notice tone="doubt">
          <p class="first">{t('schedule.invalid_files')}</p>
          <ul>
            {invalidJobs.map((it) => (
              <li key={it.file}>
                <code>{it.file}</code>: {it.problem}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <section class="card">
        <QueryView of={schedules}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState title={t('schedule.empty')}>
                <p>{t('schedule.empty_detail')}</p>
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
        </QueryView>
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
  const actionsColumn = {
    key: 'actions',
    name: t('common.actions'),
    cell: (it: ScheduleAnswer) => (
      <div class="actions">
        <button
          type="button"
          aria-label={t('schedule.run_now_of', { job: it.job })}
          onClick={() => start(it)}
        >
          {t('schedule.run_now')}
        </button>
        <button
          type="button"
          disabled={busy}
          aria-label={t(it.paused ? 'schedule.continue_of' : 'schedule.pause_of', { job: it.job })}
          onClick={() => change(it)}
        >
          {t(it.paused ? 'schedule.continue' : 'schedule.pause')}
        </button>
      </div>
    ),
  };
  return (
    <Table
      caption={t('common.schedules')}
      rows={schedules}
      keyOf={(it) => it.job}
      columns={[
        {
          key: 'job',
          name: t('common.job'),
          heads: true,
          wide: true,
          cell: (it) => (
            <>
              {it.job}
              <span class="under">{it.connection}</span>
              {it.paused && (
                <span class="badge state-stopped">
                  <Sign of="‖" />
                  {t('schedule.paused', { who: it.paused.by })}
                </span>
              )}
            </>
          ),
        },
        {
          key: 'times',
          name: t('schedule.times'),
          cell: (it) => (
            <>
              {cronText(it.cron, language.value, t)} <code>{it.cron}</code>
              <span class="under">{it.timezone}</span>
              <span class="under">{t('schedule.change', { file: it.file })}</span>
            </>
          ),
        },
        {
          key: 'next',
          name: t('schedule.next'),
          cell: (it) =>
            it.next.length === 0
              ? '–'
              : it.next.slice(0, NEXT_SHOWN).map((at) => (
                  <div key={at}>
                    <Time at={at} />
                  </div>
                )),
        },
        {
          key: 'last',
          name: t('schedule.last'),
          cell: (it) => (it.last ? <Time at={it.last.due} /> : t('schedule.never')),
        },
        {
          key: 'last_run',
          name: t('schedule.last_run'),
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
              t('schedule.never')
            ),
        },
        ...(hasRole('maker') ? [actionsColumn] : []),
      ]}
    />
  );
}

function RunNow({ schedule, close }: { readonly schedule: ScheduleAnswer; readonly close: () => void }) {
  const { job, connection, kind } = schedule;
  const start = useAction(async () => {
    const { run } = await sendJson<{ readonly run: string }>(
      'POST',
      `/schedules/${encodeURIComponent(job)}/run`,
    );
    close();
    go(run === '' ? '/runs' : `/${kind === 'reconcile' ? 'reconcile' : 'runs'}/${encodeURIComponent(run)}`);
  });
  return (
    <ConfirmDialog
      title={t('schedule.run_now_of', { job })}
      confirmLabel={t('schedule.run_now')}
      close={close}
      action={start}
    >
      <p>
        {t(kind === 'reconcile' ? 'schedule.compare_detail' : 'schedule.run_now_detail', { job, connection })}
      </p>
    </ConfirmDialog>
  );
}
