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

const NAMES: Readonly<Record<ExportFormat, string>> = {
  systemd: 'systemd',
  cron: 'cron',
  kubernetes: 'Kubernetes',
};

const WRITERS: Readonly<Record<ExportFormat, typeof systemdUnits>> = {
  systemd: systemdUnits,
  cron: crontab,
  kubernetes: kubernetesManifests,
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
  const plain: PlainJob[] = [];
  const problems: Message[] = [];
  for (const job of jobs) {
    const reading = plainFields(job.timetable.cron.text);
    const found = [
      ...(reading.ok ? [] : [fieldFault(job, format, reading)]),
      ...pathFaults(job, format, environment),
    ];
    problems.push(...found);
    if (reading.ok && found.length === 0) plain.push({ job, fields: reading.fields });
  }
  if (problems.length > 0) {
    const params = { count: jobs.length - plain.length, format: NAMES[format] };
    throw new ProductError('usage', message('schedule.export_refused', params), { others: problems });
  }
  return WRITERS[format](plain, environment);
}

function fieldFault(
  job: ScheduledJob,
  format: ExportFormat,
  { field, value }: { readonly field: string; readonly value: string },
): Message {
  const params = { job: job.name, format: NAMES[format], field, value, cron: job.timetable.cron.text };
  return message('schedule.export_field', params);
}

/** Unit files and crontabs consist of lines, so paths must not contain control characters. A volume contains one folder. */
function pathFaults(
  job: ScheduledJob,
  format: ExportFormat,
  environment: ExportEnvironment,
): readonly Message[] {
  const { home, passed, program } = environment;
  const files = [job.file, job.job.source.file, job.job.output.file];
  if (format === 'kubernetes') {
    return files
      .filter((file) => within(home, file) === file)
      .map((file) => message('schedule.export_outside', { job: job.name, file, folder: home }));
  }
  const texts = [home, ...files, ...program, ...strings(passed)];
  return texts
    .filter(hasControl)
    .slice(0, 1)
    .map((text) =>
      message('schedule.export_line_break', {
        job: job.name,
        text: JSON.stringify(text),
        format: NAMES[format],
      }),
    );
}

function strings(passed: ExportEnvironment['passed']): readonly string[] {
  return Object.values(passed).filter((it): it is string => typeof it === 'string');
}

function hasControl(text: string): boolean {
  // A loop, because control characters in patterns are hard to read.
  return [...text].some((it) => (it.codePointAt(0) ?? 0) < 0x20 || it === '\u007f');
}
