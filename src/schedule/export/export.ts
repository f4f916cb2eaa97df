import { type Message, message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { ScheduledJob } from '../scheduled-job.js';
import { crontab } from './crontab.js';
import {
  type ExportEnvironment,
  type Exported,
  type ExportFormat,
  type PlainJob,
  plainFields,
  within,
} from './fields.js';
import { kubernetesManifests } from './kubernetes.js';
import { systemdUnits } from './systemd.js';

const FORMATS = {
  systemd: { shown: 'systemd', write: systemdUnits },
  cron: { shown: 'cron', write: crontab },
  kubernetes: { shown: 'Kubernetes', write: kubernetesManifests },
};

/**
 * The schedules of jobs for another scheduler, as files.
 * @throws ProductError usage naming every job whose schedule or path the format cannot express
 */
export function exportSchedules(
  jobs: readonly ScheduledJob[],
  format: ExportFormat,
  environment: ExportEnvironment,
): Exported {
  const { shown, write } = FORMATS[format];
  const plain: PlainJob[] = [];
  const problems: Message[] = [];
  for (const job of jobs) {
    const reading = plainFields(job.timetable.cron.text);
    const found = pathFaults(job, format, environment);
    if (!reading.ok) {
      const { field, value } = reading;
      const params = { job: job.name, format: shown, field, value, cron: job.timetable.cron.text };
      problems.push(message('schedule.export_field', params));
    } else if (found.length === 0) plain.push({ job, fields: reading.fields });
    problems.push(...found);
  }
  if (problems.length > 0) {
    const params = { count: jobs.length - plain.length, format: shown };
    throw new ProductError('usage', message('schedule.export_refused', params), { others: problems });
  }
  return write(plain, environment);
}

/** Unit files and crontabs consist of lines, so paths must not contain control characters. A volume contains one folder. */
function pathFaults(
  job: ScheduledJob,
  format: ExportFormat,
  { home, passed, program }: ExportEnvironment,
): readonly Message[] {
  const files = [job.file, job.job.source.file, job.job.output.file];
  if (format === 'kubernetes') {
    return files
      .filter((file) => within(home, file) === file)
      .map((file) => message('schedule.export_outside', { job: job.name, file, folder: home }));
  }
  const text = [home, ...files, ...program, ...Object.values(passed)].find(hasControl);
  if (text === undefined) return [];
  const params = { job: job.name, text: JSON.stringify(text), format: FORMATS[format].shown };
  return [message('schedule.export_line_break', params)];
}

function hasControl(text: unknown): boolean {
  // A loop, because control characters in patterns are hard to read.
  return (
    typeof text === 'string' && [...text].some((it) => (it.codePointAt(0) ?? 0) < 0x20 || it === '\u007f')
  );
}
