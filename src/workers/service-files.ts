import path from 'node:path';
import {
  APP,
  confinedPod,
  type ExportedFile,
  manifestText,
  POD_HOME,
  serviceUnit,
} from '../util/service-files.js';

/** Settings of exported service files for a worker. */
export interface WorkerEnvironment {
  /** Absolute path of the folder of `license-sync.yaml`. */
  readonly home: string;
  /** The program and its first arguments. */
  readonly program: readonly string[];
  readonly slots: number;
  /** Separated by commas; absent: all. */
  readonly connections?: string;
  readonly logFile?: string;
  /** The ledger's address without a password, if it is not in the settings. */
  readonly movedLedger?: string;
  /** Environment variables with secrets, named by the settings. */
  readonly secrets: readonly string[];
  /** Container image, for Kubernetes. */
  readonly image: string;
  readonly version: string;
}

/** The worker's arguments. `metricsFile` is rewritten every 15 s: its age shows whether the worker is alive. */
function workerArgs({ slots, connections, logFile }: WorkerEnvironment, metricsFile: string) {
  return [
    ...['worker', '--slots', String(slots)],
    ...(connections === undefined ? [] : ['--connections', connections]),
    ...(logFile === undefined ? [] : ['--log-file', logFile]),
    ...['--metrics-file', metricsFile],
  ];
}

/** A worker whose metrics are older than this is considered stuck; in minutes. */
const STUCK_MINUTES = 2;

const NAME = 'license-sync-worker';
const POD_METRICS = '/tmp/worker.prom';
const SETTINGS = 'license-sync.yaml';

/**
 * A stateful set: each worker has a stable name, and its own small volume for replies that could not be stored while the
 * ledger was unavailable.
 */
export function workerManifests(environment: WorkerEnvironment): readonly ExportedFile[] {
  const { secrets, version } = environment;
  const literals = (secrets.length > 0 ? secrets : ['NAME']).map((it) => ` --from-literal=${it}=…`).join('');
  const head = `# Made by license-sync ${version} (worker --export kubernetes).
# Its settings: kubectl create configmap ${APP} --from-file=${SETTINGS}
# Its secrets: kubectl create secret generic ${APP}${literals}
# More workers: kubectl scale statefulset ${NAME} --replicas=8
`;
  return [{ name: `${NAME}.yaml`, text: head + manifestText(statefulSet(environment)) }];
}

function statefulSet(environment: WorkerEnvironment) {
  const { image, program, movedLedger } = environment;
  const labels = { 'app.kubernetes.io/name': APP, 'app.kubernetes.io/component': 'worker' };
  const pod = confinedPod({
    image,
    command: program,
    args: workerArgs(environment, POD_METRICS),
    env: movedLedger === undefined ? undefined : [{ name: 'LICENSE_SYNC_LEDGER', value: movedLedger }],
    // The metrics are written every 15 s: a stuck worker is restarted.
    livenessProbe: {
      exec: { command: ['node', '-e', ageCheck(POD_METRICS, STUCK_MINUTES * 60_000)] },
      initialDelaySeconds: 30,
      periodSeconds: 30,
      timeoutSeconds: 10,
      failureThreshold: 2,
    },
    memory: '512Mi',
    mounts: [{ name: 'settings', mountPath: `${POD_HOME}/${SETTINGS}`, subPath: SETTINGS, readOnly: true }],
    volumes: [{ name: 'settings', configMap: { name: APP } }],
  });
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: NAME, labels },
    spec: {
      serviceName: NAME,
      replicas: 2,
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: pod },
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

const UNIT_METRICS = '/run/license-sync/worker.prom';

/** A service, and a timer that restarts it if it is stuck. */
export function workerUnits(environment: WorkerEnvironment): readonly ExportedFile[] {
  const head = `# Made by license-sync ${environment.version} (worker --export systemd).\n`;
  return [
    { name: `${NAME}.service`, text: head + service(environment) },
    { name: `${NAME}-health.service`, text: head + HEALTH },
    { name: `${NAME}-health.timer`, text: head + HEALTH_TIMER },
  ];
}

function service(environment: WorkerEnvironment): string {
  const { home, program, movedLedger, secrets, logFile } = environment;
  const variables = secrets.map((it) => `${it}=…`).join(', ') || 'variables that license-sync.yaml names';
  const unit = serviceUnit({
    description: 'License-sync worker',
    type: 'exec',
    home,
    variables: `${variables}; owned by root, mode 0600. Secrets stand nowhere else.`,
    needsVariables: false,
    movedLedger,
    command: [...program, ...workerArgs(environment, UNIT_METRICS)],
    lifecycle: LIFECYCLE,
    writable: logFile === undefined ? [home] : [home, path.dirname(path.resolve(home, logFile))],
  });
  return `${unit}
[Install]
WantedBy=multi-user.target
`;
}

const LIFECYCLE = `# Started again however it ended (its database cannot be reached, its ledger is not migrated yet), as often as it takes; not
# after exit code 2: its settings are wrong.
Restart=always
RestartSec=5
RestartPreventExitStatus=2
# SIGTERM: nothing new is taken up, what is in flight is let end, and the rest goes to other workers.
KillSignal=SIGTERM
KillMode=mixed
TimeoutStopSec=150
RuntimeDirectory=license-sync
MemoryMax=512M
TasksMax=64
LimitNOFILE=4096
`;

const HEALTH = `[Unit]
Description=Starts the license-sync worker again when it is stuck

[Service]
Type=oneshot
# Its metrics are written every 15 s. Where the worker isn't running, there is no such file.
ExecCondition=/bin/sh -c 'test -n "$(find ${UNIT_METRICS} -mmin +${STUCK_MINUTES} 2>/dev/null)"'
ExecStart=systemctl restart ${NAME}.service
`;

const HEALTH_TIMER = `[Unit]
Description=When the license-sync worker is looked after

[Timer]
OnActiveSec=1min
OnUnitActiveSec=1min

[Install]
WantedBy=timers.target
`;
