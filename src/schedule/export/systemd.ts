import path from 'node:path';
import { type Message, message } from '../../errors/message.js';
import {
  CONFINED,
  ENVIRONMENT_FILE,
  OWN_USER,
  unitArgument,
  unitValue,
  unitWord,
} from '../../util/unit-text.js';
import { jobArgs } from '../command.js';
import type { Exported, ExportGround, PlainJob } from './contract.js';
import { type PlainFields, type Values, WEEKDAYS } from './fields.js';
import { plainName, tokenVariable, within } from './names.js';

/** A service and a timer for each job. */
export function systemdUnits(jobs: readonly PlainJob[], ground: ExportGround): Exported {
  const files = jobs.flatMap((it) => {
    const unit = `license-sync-${plainName(it.job.name, { lower: false, longest: 80 })}`;
    return [
      { name: `${unit}.service`, text: service(it, ground) },
      { name: `${unit}.timer`, text: timer(it, ground, unit) },
    ];
  });
  const notes = jobs
    .filter(({ job }) => job.schedule.onOverlap === 'queue')
    .map(({ job }): Message => message('schedule.export_no_queue', { job: job.name, format: 'systemd' }));
  return { files, notes };
}

function service({ job }: PlainJob, ground: ExportGround): string {
  const { home, program, passed, movedLedger, version } = ground;
  const args = [...program, ...jobArgs(job, within(home, job.file), passed), '--json', '--quiet'];
  const token = tokenVariable(job);
  const held = token === undefined ? 'variables of the job files and of license-sync.yaml' : `${token}=…`;
  return `# Made by license-sync ${version} (schedule export --format systemd).
[Unit]
Description=License-sync job ${unitValue(job.name)}
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=0

[Service]
Type=oneshot
WorkingDirectory=${unitValue(home)}
# ${held}; owned by root, mode 0600. The token stands nowhere else.
EnvironmentFile=${token === undefined ? '-' : ''}${ENVIRONMENT_FILE}
${movedLedger === undefined ? '' : `Environment=${unitWord(`LICENSE_SYNC_LEDGER=${movedLedger}`)}\n`}ExecStart=${args.map(unitArgument).join(' ')}
${OWN_USER}# Started again only after exit code 5 (the ledger cannot be reached) or when it was killed: the others are results of the
# run. Rows that were sent are not sent again.
Restart=on-failure
RestartPreventExitStatus=1 2 3 4 6 130
RestartSec=30
# SIGINT lets what is in flight end and leaves a run that can be resumed.
KillSignal=SIGINT
TimeoutStopSec=150
UMask=0077
NoNewPrivileges=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectSystem=strict
ProtectHome=read-only
ReadWritePaths=${writable(job, ground).map(unitWord).join(' ')}
${CONFINED}`;
}

function timer({ job, fields }: PlainJob, { version }: ExportGround, unit: string): string {
  const { schedule, timetable } = job;
  const { jitterMs = 0 } = schedule;
  const seconds = Math.ceil(jitterMs / 1000);
  return `# Made by license-sync ${version} (schedule export --format systemd).
[Unit]
Description=When license-sync runs the job ${unitValue(job.name)}

[Timer]
${calendars(fields)
  .map((it) => `OnCalendar=${it} ${timetable.zone.name}`)
  .join('\n')}
# ${schedule.onMissed === 'run' ? 'Missed times are made up for by one run.' : 'Missed times are left out.'}
Persistent=${schedule.onMissed === 'run'}
${seconds > 0 ? `RandomizedDelaySec=${seconds}\nFixedRandomDelay=true\n` : ''}AccuracySec=1s
Unit=${unit}.service

[Install]
WantedBy=timers.target
`;
}

/** Calendar expressions without their zone; two where either of two days will do. */
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

/** Folders that the run writes to: its home, and what lies elsewhere. */
function writable(job: PlainJob['job'], { home, movedLedger, passed }: ExportGround): readonly string[] {
  const files = [job.job.output.file, movedLedger, passed.logFile, passed.metricsFile];
  const folders = files.filter((it) => it !== undefined).map((it) => path.dirname(path.resolve(home, it)));
  // The files of an input folder are moved.
  if (job.isInbox) folders.push(path.dirname(job.job.source.file));
  const elsewhere = folders.filter((it) => within(home, it) === it && it !== home);
  return [...new Set([home, ...elsewhere])];
}
