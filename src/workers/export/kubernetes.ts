import type { ExportedFile } from '../../model/exported-file.js';
import { confinedPod, manifestText } from '../../util/kubernetes-text.js';
import { STUCK_MINUTES, type WorkerGround, workerArgs } from './contract.js';

const NAME = 'license-sync-worker';
const APP = 'license-sync';
const HOME = '/data';
const METRICS = '/tmp/worker.prom';
const SETTINGS = 'license-sync.yaml';

/**
 * A stateful set: each worker has a name that it keeps, and a small volume of its own for replies that the ledger could
 * not take while it was away.
 */
export function workerManifests(ground: WorkerGround): readonly ExportedFile[] {
  const { secrets, version } = ground;
  const literals = (secrets.length > 0 ? secrets : ['NAME']).map((it) => ` --from-literal=${it}=…`).join('');
  const head = `# Made by license-sync ${version} (worker --export kubernetes).
# Its settings: kubectl create configmap ${APP} --from-file=${SETTINGS}
# Its secrets: kubectl create secret generic ${APP}${literals}
# More workers: kubectl scale statefulset ${NAME} --replicas=8
`;
  return [{ name: `${NAME}.yaml`, text: head + manifestText(statefulSet(ground)) }];
}

function statefulSet(ground: WorkerGround): Record<string, unknown> {
  const { image, program, movedLedger } = ground;
  const labels = { 'app.kubernetes.io/name': APP, 'app.kubernetes.io/component': 'worker' };
  const metadata = { name: NAME, labels };
  const container = {
    name: APP,
    image,
    command: [...program],
    args: [...workerArgs(ground, METRICS)],
    workingDir: HOME,
    ...(movedLedger === undefined ? {} : { env: [{ name: 'LICENSE_SYNC_LEDGER', value: movedLedger }] }),
    envFrom: [{ secretRef: { name: APP, optional: true } }],
    // Its metrics are written every 15 s: a worker that is stuck is started again.
    livenessProbe: {
      exec: { command: ['node', '-e', ageCheck(METRICS, STUCK_MINUTES * 60_000)] },
      initialDelaySeconds: 30,
      periodSeconds: 30,
      timeoutSeconds: 10,
      failureThreshold: 2,
    },
    resources: { requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: '512Mi' } },
    volumeMounts: [
      { name: 'data', mountPath: HOME },
      { name: 'settings', mountPath: `${HOME}/${SETTINGS}`, subPath: SETTINGS, readOnly: true },
    ],
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata,
    spec: {
      serviceName: NAME,
      replicas: 2,
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: confinedPod(container, [{ name: 'settings', configMap: { name: APP } }]),
      },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '100Mi' } } },
        },
      ],
    },
  };
}

function ageCheck(file: string, mostMs: number): string {
  return `process.exit(Date.now() - require('node:fs').statSync('${file}').mtimeMs < ${mostMs} ? 0 : 1)`;
}
