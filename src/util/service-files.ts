import { stringify } from 'yaml';

// Files for programs that start this one: units of systemd, manifests of Kubernetes.

export interface ExportedFile {
  readonly name: string;
  readonly text: string;
}

/** The only location of secrets. */
export const ENVIRONMENT_FILE = '/etc/license-sync/license-sync.env';

interface ServiceUnit {
  readonly description: string;
  readonly type: 'oneshot' | 'exec';
  readonly home: string;
  /** What the environment file contains; a comment. */
  readonly variables: string;
  /** The service does not start without the environment file. */
  readonly needsVariables: boolean;
  readonly movedLedger?: string;
  readonly command: readonly string[];
  /** Options for restarts and for the end, with their comments. */
  readonly lifecycle: string;
  /** Folders, possibly repeated. */
  readonly writable: readonly string[];
}

/**
 * A service of this program, without unnecessary permissions. The program's memory of ledgers is in the state folder
 * (`/var/lib/license-sync`).
 */
export function serviceUnit(unit: ServiceUnit): string {
  const ledger =
    unit.movedLedger === undefined
      ? ''
      : `Environment=${unitWord(`LICENSE_SYNC_LEDGER=${unit.movedLedger}`)}\n`;
  return `[Unit]
Description=${unitValue(unit.description)}
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=0

[Service]
Type=${unit.type}
WorkingDirectory=${unitValue(unit.home)}
# ${unit.variables}
EnvironmentFile=${unit.needsVariables ? '' : '-'}${ENVIRONMENT_FILE}
${ledger}ExecStart=${unit.command.map((it) => unitWord(it).replaceAll('$', '$$$$')).join(' ')}
# A user for this program alone, who owns the folder: useradd --system license-sync; chown -R license-sync: FOLDER
User=license-sync
StateDirectory=license-sync
StateDirectoryMode=0700
Environment=XDG_STATE_HOME=%S
${unit.lifecycle}UMask=0077
NoNewPrivileges=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectSystem=strict
ProtectHome=read-only
ReadWritePaths=${[...new Set(unit.writable)].map(unitWord).join(' ')}
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
`;
}

/** A setting's whole value: only the percent sign is special there. */
export function unitValue(text: string): string {
  return text.replaceAll('%', '%%');
}

function unitWord(text: string): string {
  return /^[\w@+,:./-]+$/.test(text) ? text : `"${unitValue(text).replace(/["\\]/g, '\\$&')}"`;
}

type Part = Readonly<Record<string, unknown>>;

export function manifestText(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

export const APP = 'license-sync';
/** Mount path of the volume with the data. */
export const POD_HOME = '/data';

interface PodParts {
  readonly image: string;
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env?: readonly Part[];
  readonly livenessProbe?: Part;
  /** Maximum memory. */
  readonly memory: string;
  /** Mounts and volumes besides that of the data. */
  readonly mounts?: readonly Part[];
  readonly volumes: readonly Part[];
}

/** A pod of this program with one container and no unnecessary permissions. */
export function confinedPod({ mounts = [], memory, volumes, ...own }: PodParts): Part {
  return {
    automountServiceAccountToken: false,
    // Requests in flight finish.
    terminationGracePeriodSeconds: 150,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      fsGroup: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [
      {
        name: APP,
        image: own.image,
        command: own.command,
        args: own.args,
        workingDir: POD_HOME,
        env: own.env,
        // The variables that the job files and license-sync.yaml name.
        envFrom: [{ secretRef: { name: APP, optional: true } }],
        livenessProbe: own.livenessProbe,
        resources: { requests: { cpu: '100m', memory: '256Mi' }, limits: { memory } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        volumeMounts: [{ name: 'data', mountPath: POD_HOME }, ...mounts, { name: 'tmp', mountPath: '/tmp' }],
      },
    ],
    volumes: [...volumes, { name: 'tmp', emptyDir: {} }],
  };
}
