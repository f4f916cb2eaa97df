import { type Message, message } from '../../errors/message.js';
import { APP, confinedPod, manifestText } from '../../util/service-files.js';
import { jobArgs } from '../child.js';
import {
  type ExportEnvironment,
  type Exported,
  type PlainJob,
  plainCron,
  plainName,
  shortestGap,
  tokenVariable,
  within,
} from './fields.js';

/** Kubernetes appends to a CronJob's name, which limits its length. */
const LONGEST_NAME = 52;
const DAY_S = 86_400;
/** Kubernetes stops scheduling a job after 100 missed times. */
const TIMES_LOOKED_BACK = 90;
const AT_ONCE_S = 60;

/** A CronJob for each job, and the volume that they share. */
export function kubernetesManifests(jobs: readonly PlainJob[], environment: ExportEnvironment): Exported {
  const head = `# Made by ${APP} ${environment.version} (schedule export --format kubernetes).\n`;
  const files = jobs.map((it) => {
    const name = `${APP}-${plainName(it.job.name, { lower: true, longest: LONGEST_NAME - APP.length - 1 })}`;
    return {
      name: `${name}.yaml`,
      text: `${head}${jobComment(it)}${manifestText(cronJob(it, environment, name))}`,
    };
  });
  const notes = jobs.flatMap(({ job }): Message[] => {
    const { onOverlap, jitterMs } = job.schedule;
    const params = { job: job.name, format: 'Kubernetes' };
    return [
      ...(jitterMs ? [message('schedule.export_no_jitter', params)] : []),
      ...(onOverlap === 'queue' ? [message('schedule.export_no_queue', params)] : []),
    ];
  });
  const volume = { name: `${APP}-volume.yaml`, text: `${head}${VOLUME_COMMENT}${manifestText(VOLUME)}` };
  return { files: [volume, ...files], notes };
}

const VOLUME_COMMENT = `# Holds the folder of license-sync.yaml: job files, inputs, results and the ledger. The ledger is a database that
# one node works on at a time: a local or block volume, no network file system.
`;

const VOLUME = {
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name: APP, labels: { 'app.kubernetes.io/name': APP } },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

function jobComment({ job }: PlainJob): string {
  const token = tokenVariable(job);
  const from = token === undefined ? `${APP} --from-literal=NAME=…` : `${APP} --from-file=${token}=FILE`;
  const missed =
    job.schedule.onMissed === 'run'
      ? 'A missed time is made up for within startingDeadlineSeconds.'
      : 'A missed time is skipped.';
  return `# The secret is made with: kubectl create secret generic ${from}\n# ${missed}\n`;
}

function cronJob({ job, fields }: PlainJob, environment: ExportEnvironment, name: string) {
  const labels = { 'app.kubernetes.io/name': APP, 'app.kubernetes.io/instance': name };
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name, labels, annotations: { [`${APP}/job`]: job.name } },
    spec: {
      schedule: plainCron(fields),
      timeZone: job.timetable.zone.name,
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: deadline(job),
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 5,
      jobTemplate: {
        metadata: { labels },
        spec: {
          // A failed run needs a person, so it is not restarted. What it sent is in the ledger.
          backoffLimit: 0,
          template: { metadata: { labels }, spec: pod(job, environment) },
        },
      },
    },
  };
}

function pod(job: PlainJob['job'], { home, program, passed, image }: ExportEnvironment) {
  const token = tokenVariable(job);
  const secret = { name: APP, key: token };
  return {
    restartPolicy: 'Never',
    ...confinedPod({
      image,
      command: program,
      args: [...jobArgs(job, within(home, job.file), passed), '--json', '--quiet'],
      env: token === undefined ? undefined : [{ name: token, valueFrom: { secretKeyRef: secret } }],
      memory: '1Gi',
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: APP } }],
    }),
  };
}

/** How late a run may start, in seconds: until the next time, if missed times are made up for. */
function deadline(job: PlainJob['job']): number {
  if (job.schedule.onMissed === 'skip') return AT_ONCE_S;
  const gap = Math.floor(shortestGap(job) / 1000);
  return Math.min(gap * TIMES_LOOKED_BACK, Math.max(gap, DAY_S));
}
