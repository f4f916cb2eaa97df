import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { exportSchedules } from '../../../src/schedule/export/export.js';
import type { ScheduledJob } from '../../../src/schedule/scheduled-job.js';
import { connection, nightly } from '../fakes.js';

type Manifest = Record<string, unknown>;

interface Checked {
  validate(): void;
}
type Model = new (data: Manifest) => Checked;

/** The models of the Kubernetes API, made of its own OpenAPI description; undefined where they aren't installed. */
async function models(): Promise<Readonly<Record<string, Model>> | undefined> {
  const packageName = 'kubernetes-models';
  try {
    const [batch, core] = (await Promise.all([
      import(`${packageName}/batch/v1`),
      import(`${packageName}/v1`),
    ])) as [Record<string, Model>, Record<string, Model>];
    return { CronJob: batch.CronJob!, PersistentVolumeClaim: core.PersistentVolumeClaim! };
  } catch {
    console.log('skipped: kubernetes-models is not installed');
    return undefined;
  }
}
const MODELS = await models();

/**
 * What each object may hold (Kubernetes 1.27 and later). The API server drops or refuses keys that it doesn't know,
 * which its schema by itself lets through.
 */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  '': ['apiVersion', 'kind', 'metadata', 'spec'],
  metadata: ['name', 'namespace', 'labels', 'annotations'],
  'CronJob.spec': [
    'schedule',
    'timeZone',
    'concurrencyPolicy',
    'startingDeadlineSeconds',
    'suspend',
    'successfulJobsHistoryLimit',
    'failedJobsHistoryLimit',
    'jobTemplate',
  ],
  jobTemplate: ['metadata', 'spec'],
  'jobTemplate.spec': ['backoffLimit', 'activeDeadlineSeconds', 'ttlSecondsAfterFinished', 'template'],
  template: ['metadata', 'spec'],
  'template.spec': [
    'restartPolicy',
    'automountServiceAccountToken',
    'terminationGracePeriodSeconds',
    'securityContext',
    'containers',
    'volumes',
  ],
  'template.spec.securityContext': ['runAsNonRoot', 'runAsUser', 'runAsGroup', 'fsGroup', 'seccompProfile'],
  containers: [
    'name',
    'image',
    'command',
    'args',
    'workingDir',
    'env',
    'envFrom',
    'resources',
    'securityContext',
    'volumeMounts',
  ],
  'containers.securityContext': ['allowPrivilegeEscalation', 'readOnlyRootFilesystem', 'capabilities'],
  'containers.resources': ['requests', 'limits'],
  env: ['name', 'value', 'valueFrom'],
  valueFrom: ['secretKeyRef'],
  secretKeyRef: ['name', 'key', 'optional'],
  envFrom: ['secretRef', 'prefix'],
  secretRef: ['name', 'optional'],
  volumeMounts: ['name', 'mountPath', 'readOnly', 'subPath'],
  volumes: ['name', 'persistentVolumeClaim', 'emptyDir'],
  persistentVolumeClaim: ['claimName', 'readOnly'],
  seccompProfile: ['type'],
  capabilities: ['drop'],
  'PersistentVolumeClaim.spec': ['accessModes', 'resources', 'storageClassName'],
  'PersistentVolumeClaim.spec.resources': ['requests', 'limits'],
};
/** Their keys are anybody's. */
const FREE = /(^|\.)(labels|annotations|requests|limits|emptyDir)$/;

/** Paths of keys that no object of that place has; places are known by the longest end of their path. */
function unknownKeys(value: unknown, at: string): string[] {
  if (Array.isArray(value)) return value.flatMap((it) => unknownKeys(it, at));
  if (typeof value !== 'object' || value === null || FREE.test(at)) return [];
  const steps = at.split('.');
  const known = steps.map((_, index) => KEYS[steps.slice(index).join('.')]).find((it) => it !== undefined);
  const top = KEYS[''] ?? [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const own = (at.includes('.') || at === 'metadata' ? known : top)?.includes(key) ? [] : [`${at}.${key}`];
    return [...own, ...unknownKeys(inner, `${at}.${key}`)];
  });
}

function manifests(jobs: readonly ScheduledJob[], change: object = {}): Manifest[] {
  const passed = { yes: true, ...change };
  const ground = { home: '/', program: ['license-sync'], passed, image: 'registry/i:1', version: '1' };
  const { files } = exportSchedules(jobs, 'kubernetes', ground);
  return files.flatMap(({ text }) =>
    parseAllDocuments(text).map((it) => {
      expect(it.errors).toEqual([]);
      return it.toJS() as Manifest;
    }),
  );
}

const JOBS = [
  nightly({ name: 'Nightly-Locks', cron: '*/15 2 1 JAN-MAR MON', timezone: 'Europe/Berlin' }),
  nightly({ name: '夜间', onMissed: 'skip' }),
  nightly({ name: 'x'.repeat(60), kind: 'reconcile' }),
  {
    ...nightly({ name: 'with-token' }),
    configured: connection({ kind: 'env', name: 'LICENSE_TOKEN' }),
  },
];

describe('manifests of Kubernetes', () => {
  it.skipIf(!MODELS)('fit the schema of its API', () => {
    const all = manifests(JOBS);
    expect(all.map((it) => it.kind)).toEqual(['PersistentVolumeClaim', ...JOBS.map(() => 'CronJob')]);
    for (const manifest of all) {
      const Model = MODELS?.[String(manifest.kind)];
      expect(() => new Model!(manifest).validate()).not.toThrow();
    }
    const [, first] = all;
    const broken = { ...first, spec: { ...(first?.spec as object), schedule: 5, jobTemplate: undefined } };
    expect(() => new MODELS!.CronJob!(broken).validate()).toThrow(/schedule|jobTemplate/);
  });

  it('hold no key that the API server would not know', () => {
    for (const manifest of manifests(JOBS)) expect(unknownKeys(manifest, String(manifest.kind))).toEqual([]);
    const containers = [{ imag: 'i', env: [{ valeuFrom: {} }] }];
    const jobTemplate = { spec: { template: { spec: { containers, volumes: [{ pvc: {} }] } } } };
    const misspelt = { kind: 'CronJob', spec: { concurencyPolicy: 'Forbid', jobTemplate } };
    expect(unknownKeys(misspelt, 'CronJob').map((it) => it.split('.').at(-1))).toEqual([
      'concurencyPolicy',
      'imag',
      'valeuFrom',
      'pvc',
    ]);
  });

  it('say what the schedules say', () => {
    const [, locks, skip, long, token] = manifests(JOBS) as {
      metadata: { name: string; annotations: Record<string, string>; labels: Record<string, string> };
      spec: Record<string, unknown> & {
        schedule: string;
        jobTemplate: { spec: { template: { spec: Record<string, unknown> & { containers: Manifest[] } } } };
      };
    }[];
    expect(locks?.spec).toMatchObject({
      schedule: '0,15,30,45 2 1 1,2,3 1',
      timeZone: 'Europe/Berlin',
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: 900 * 90,
    });
    expect(skip?.spec.startingDeadlineSeconds).toBe(60);
    expect(long?.spec.startingDeadlineSeconds).toBe(86_400);
    expect(locks?.metadata.annotations['license-sync/job']).toBe('Nightly-Locks');
    for (const { metadata } of [locks!, skip!, long!, token!]) {
      expect(metadata.name).toMatch(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/);
      expect(metadata.name.length).toBeLessThanOrEqual(52);
      for (const label of Object.values(metadata.labels))
        expect(label).toMatch(/^[A-Za-z0-9][\w.-]{0,61}[A-Za-z0-9]$/);
    }
    const { containers, restartPolicy } = token!.spec.jobTemplate.spec.template.spec;
    expect(restartPolicy).toBe('Never');
    expect(containers[0]).toMatchObject({
      image: 'registry/i:1',
      command: ['license-sync'],
      args: ['run', 'jobs/with-token.yaml', '--yes', '--json', '--quiet'],
      workingDir: '/data',
      env: [
        {
          name: 'LICENSE_TOKEN',
          valueFrom: { secretKeyRef: { name: 'license-sync', key: 'LICENSE_TOKEN' } },
        },
      ],
    });
  });

  it('are refused for files that the volume does not hold', () => {
    const ground = { home: '/elsewhere', program: ['p'], passed: {}, image: 'i', version: '1' };
    expect(() => exportSchedules([nightly()], 'kubernetes', ground)).toThrow(
      /cannot be written as Kubernetes/,
    );
  });

  it('what they have nothing for is reported', () => {
    const ground = { home: '/', program: ['p'], passed: {}, image: 'i', version: '1' };
    const { notes } = exportSchedules([nightly({ jitterMs: 5, onOverlap: 'queue' })], 'kubernetes', ground);
    expect(notes.map((it) => it.code)).toEqual(['schedule.export_no_jitter', 'schedule.export_no_queue']);
  });
});
