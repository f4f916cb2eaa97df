import { type Message, message } from '../../errors/message.js';
import { posixWord } from '../../util/shell-word.js';
import { jobArgs } from '../command.js';
import { nextTimes } from '../timetable.js';
import type { Exported, ExportGround, PlainJob } from './contract.js';
import { plainCron } from './fields.js';
import { tokenVariable, within } from './names.js';

const ENVIRONMENT_FILE = '/etc/license-sync/license-sync.env';

/** One crontab for all jobs, of a user. */
export function crontab(jobs: readonly PlainJob[], ground: ExportGround): Exported {
  const text = `# Made by license-sync ${ground.version} (schedule export --format cron). Install it with: crontab FILE
# CRON_TZ is understood by cronie (Red Hat, SUSE, Arch, Debian's package cronie). A cron without it takes the times
# below for the machine's own zone.
# cron makes up for no missed time, and at changed clocks it goes by rules of its own.
SHELL=/bin/sh
${jobs.map((it) => entry(it, ground)).join('')}`;
  const notes = jobs
    .filter(({ job }) => job.schedule.onMissed === 'run')
    .map(({ job }): Message => message('schedule.export_no_missed', { job: job.name, format: 'cron' }));
  return { files: [{ name: 'license-sync.crontab', text }], notes };
}

function entry({ job, fields }: PlainJob, ground: ExportGround): string {
  const { home, program, passed, movedLedger } = ground;
  const file = within(home, job.file);
  const { onMissed, onOverlap, jitterMs = 0 } = job.schedule;
  const token = tokenVariable(job);
  const ledger = movedLedger === undefined ? [] : [`LICENSE_SYNC_LEDGER=${movedLedger}`];
  const command = [...program, ...jobArgs(job, file, passed), '--quiet'];
  const env = ledger.length === 0 ? [] : ['env', ...ledger];
  // The job file is the lock: it is there, and nothing has to be made for it.
  const wait = onOverlap === 'queue' ? ['-w', String(Math.floor(shortestGap(job) / 1000))] : ['-n'];
  const steps = [
    `cd ${posixWord(home)}`,
    ...(token === undefined ? [] : [`set -a && . ${ENVIRONMENT_FILE} && set +a`]),
    ...(jitterMs > 0 ? [`sleep "$(shuf -i 0-${Math.ceil(jitterMs / 1000)} -n 1)"`] : []),
    ['flock', ...wait, file, ...env, ...command].map(posixWord).join(' '),
  ];
  const missed =
    onMissed === 'run' ? 'onMissed is run, which cron has nothing for' : 'missed times are left out';
  const held = token === undefined ? '' : `# ${ENVIRONMENT_FILE} holds ${token}=…, mode 0600.\n`;
  return `
# ${job.name}: ${missed}.
${held}CRON_TZ=${job.timetable.zone.name}
${plainCron(fields)} ${steps.join(' && ').replaceAll('%', '\\%')} >/dev/null
`;
}

/** Between two of the next times, in milliseconds. */
export function shortestGap(job: PlainJob['job']): number {
  const times = nextTimes(job.timetable, Date.now(), 200);
  const gaps = times.slice(1).map((due, index) => due - (times[index] ?? due));
  return Math.min(...gaps);
}
