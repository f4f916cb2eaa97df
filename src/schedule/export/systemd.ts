import path from 'node:path';
import { type Message, message } from '../../errors/message.js';
import { serviceUnit, unitValue } from '../../util/service-files.js';
import { jobArgs } from '../child.js';
import {
  type ExportEnvironment,
  type Exported,
  type PlainFields,
  type PlainJob,
  plainName,
  tokenVariable,
  type Values,
  WEEKDAYS,
  within,
} from './fields.js';

/** A service and a timer for each job. */
export function systemdUnits(jobs: readonly PlainJob[], environment: ExportEnvironment): Exported {
  const head = `# Made by license-sync ${environment.version} (schedule export --format systemd).\n`;
  const files = jobs.flatMap((it) => {
    const unit = `license-sync-${plainName(it.job.name, { lower: false, longest: 80 })}`;
    return [
      { name: `${unit}.service`, text: head + service(it, environment) },
      { name: `${unit}.timer`, text: head + timer(it, unit) },
    ];
  });
  const notes = jobs
    .filter(({ job }) => job.schedule.onOverlap === 'queue')
    .map(({ job }): Message => message('schedule.export_no_queue', { job: job.name, format: 'systemd' }));
  return { files, notes };
}

function service({ job }: PlainJob, environment: ExportEnvironment): string {
  const { home, program, passed, movedLedger } = environment;
  const token = tokenVariable(job);
  const variables =
    token === undefined ? 'variables of the job files and of license-sync.yaml' : `${token}=…`;
  return serviceUnit({
    description: `License-sync job ${job.name}`,
    type: 'oneshot',
    home,
    variables: `${variables}; owned by root, mode 0600. The token stands nowhere else.`,
    needsVariables: token !== undefined,
    movedLedger,
    command: [...program, ...jobArgs(job, within(home, job.file), passed), '--json', '--quiet'],
    lifecycle: LIFECYCLE,
    writable: writable(job, environment),
  });
}

const LIFECYCLE = `# Started again only after exit code 5 (the ledger cannot be reached) or when it was killed: the others are results of the
# run. Rows that were sent are not sent again.
Restart=on-failure
RestartPreventExitStatus=1 2 3 4 6 130
RestartSec=30
# SIGINT lets what is in flight end and leaves a run that can be resumed.
KillSignal=SIGINT
TimeoutStopSec=150
`;

function timer({ job, fields }: PlainJob, unit: string): string {
  const { schedule, timetable } = job;
  const seconds = Math.ceil((schedule.jitterMs ?? 0) / 1000);
  return `[Unit]
Description=When license-sync runs the job ${unitValue(job.name)}

[Timer]
${calendars(fields)
  .map((it) => `OnCalendar=${it} ${timetable.zone.name}`)
  .join('\n')}
# ${schedule.onMissed === 'run' ? 'Missed times are made up for by one run.' : 'Missed times are skipped.'}
Persistent=${schedule.onMissed === 'run'}
${seconds > 0 ? `RandomizedDelaySec=${seconds}\nFixedRandomDelay=true\n` : ''}AccuracySec=1s
Unit=${unit}.service

[Install]
WantedBy=timers.target
`;
}

/** Calendar expressions without their zone: two if both day and weekday are restricted, because either may match. */
export function calendars(fields: PlainFields): readonly string[] {
  const { minute, hour, day, month, weekday } = fields;
  const time = `${list(hour)}:${list(minute)}:00`;
  const date = (days: Values): string => `*-${list(month)}-${list(days)}`;
  if (weekday === 'every') return [`${date(day)} ${time}`];
  const names = weekday.map((it) => title(WEEKDAYS[it] ?? ''));
  const byWeekday = `${names.join(',')} ${date('every')} ${time}`;
  return day === 'every' ? [byWeekday] : [`${date(day)} ${time}`, byWeekday];
}

function list(values: Values): string {
  return values === 'every' ? '*' : values.map((it) => String(it).padStart(2, '0')).join(',');
}

function title(word: string): string {
  return `${word.slice(0, 1)}${word.slice(1).toLowerCase()}`;
}

/** Folders that the run writes to: its home, and others outside it. */
function writable(job: PlainJob['job'], { home, movedLedger, passed }: ExportEnvironment): readonly string[] {
  const files = [job.job.output.file, movedLedger, passed.logFile, passed.metricsFile];
  const folders = files.filter((it) => it !== undefined).map((it) => path.dirname(path.resolve(home, it)));
  // The files of an input folder are moved.
  if (job.isInbox) folders.push(path.dirname(job.job.source.file));
  const elsewhere = folders.filter((it) => within(home, it) === it && it !== home);
  return [home, ...elsewhere];
}
