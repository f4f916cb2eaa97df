import type { Message } from '../../errors/message.js';
import type { ExportedFile } from '../../model/exported-file.js';
import type { PassedFlags } from '../command.js';
import type { ScheduledJob } from '../scheduled-job.js';
import type { PlainFields } from './fields.js';

const EXPORT_FORMATS = ['systemd', 'cron', 'kubernetes'] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Where and how exported schedules run. */
export interface ExportGround {
  /** Absolute: the folder of `license-sync.yaml`, from which relative paths start. */
  readonly home: string;
  /** The ledger, unless `license-sync.yaml` says where it is. */
  readonly movedLedger?: string;
  /** The program, and the arguments that come before all others. */
  readonly program: readonly string[];
  readonly passed: PassedFlags;
  /** Container image, for Kubernetes. */
  readonly image: string;
  readonly version: string;
}

/** A job whose schedule other programs can keep. */
export interface PlainJob {
  readonly job: ScheduledJob;
  readonly fields: PlainFields;
}

export interface Exported {
  readonly files: readonly ExportedFile[];
  /** What the format can't express. */
  readonly notes: readonly Message[];
}
