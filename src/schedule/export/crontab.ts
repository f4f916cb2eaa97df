import { type Message, message } from '../../errors/message.js';
import { posixWord } from '../../util/process.js';
import { ENVIRONMENT_FILE } from '../../util/service-files.js';
import { jobArgs } from '../child.js';
import {
  type ExportEnvironment,
  type Exported,
  type PlainJob,
  plainCron,
  shortestGap,
  tokenVariable,
  within,
} from './fields.js';

/** One user crontab for all jobs. */
export function crontab(jobs: readonly PlainJob[], environment: ExportEnvironment): Exported {
  const text = `# Made by license-sync ${environment.version} (schedule export --format cron). Install it with: crontab FILE
# CRON_TZ is understood by cronie (Red Hat, SUSE, Arch, Debian's package cronie). A cron without it takes the times
# below for the machine's own zone.
# cron makes up for no missed time, and at changed clocks it goes by rules of its own.
SHELL=/bin/sh
${jobs.map((it) => entry(it, environment)).join('')}`;
  const notes = jobs
    .filter(({ job }) => job.schedule.onMissed === 'run')
    .map(({ job }): Message => message('schedule.export_no_missed', { job: job.name, format: 'cron' }));
  return { files: [{ name: 'license-sync.crontab', text }], notes };
}

function entry({ job, fields }: PlainJob, environment: ExportEnvironment): string {
  const { home, program, passed, movedLedger } = environment;
  const file = within(home, job.file);
  const { onMissed, onOverlap, jitterMs = 0 } = job.schedule;
  const token = tokenVariable(job);
  const env = movedLedger === undefined ? [] : ['env', `LICENSE_SYNC_LEDGER=${movedLedger}`];
  const command = [...program, ...jobArgs(job, file, passed), '--quiet'];
  // The job file is the lock file: it exists, so no file has to be created.
  const wait = onOverlap === 'queue' ? ['-w', String(Math.floor(shortestGap(job) / 1000))] : ['-n'];
  const steps = [
    `cd ${posixWord(home)}`,
    ...(token === undefined ? [] : [`set -a && . ${ENVIRONMENT_FILE} && set +a`]),
    ...(jitterMs > 0 ? [`sleep "$(shuf -i 0-${Math.ceil(jitterMs / 1000)} -n 1)"`] : []),
    ['flock', ...wait, file, ...env, ...command].map(posixWord).join(' '),
  ];
  const missed =
    onMissed === 'run' ? 'onMissed is run, which cron has nothing for' : 'missed times are skipped';
  const tokenComment = token === undefined ? '' : `# ${ENVIRONMENT_FILE} holds ${token}=…, mode 0600.\n`;
  return `
# ${job.name}: ${missed}.
${tokenComment}CRON_TZ=${job.timetable.zone.name}
${plainCron(fields)} ${steps.join(' && ').replaceAll('%', '\\%')} >/dev/null
`;
}
