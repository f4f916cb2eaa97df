import { stringify } from 'yaml';

// Text of systemd's unit files.

/** The only location of secrets. */
export const ENVIRONMENT_FILE = '/etc/license-sync/license-sync.env';

/**
 * Options for the service's user. The program's memory of ledgers is in the state folder (`/var/lib/license-sync`).
 */
export const OWN_USER = `# A user for this program alone, who owns the folder: useradd --system license-sync; chown -R license-sync: FOLDER
User=license-sync
StateDirectory=license-sync
StateDirectoryMode=0700
Environment=XDG_STATE_HOME=%S
`;

/** Restrictions of a service of this program, after its lines `ProtectSystem=strict` and `ReadWritePaths=…`. */
export const CONFINED = `ProtectKernelTunables=yes
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

/** A setting's whole value: only the percent sign is special there. */
export function unitValue(text: string): string {
  return text.replaceAll('%', '%%');
}

export function unitWord(text: string): string {
  return /^[\w@+,:./-]+$/.test(text) ? text : `"${unitValue(text).replace(/["\\]/g, '\\$&')}"`;
}

/** An argument of the command line, where a dollar sign is special, too. */
export function unitArgument(text: string): string {
  return unitWord(text).replaceAll('$', '$$$$');
}

type Part = Readonly<Record<string, unknown>>;

export function manifestText(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** A pod of this program with one container and no unnecessary permissions. */
export function confinedPod(
  container: Part & { readonly volumeMounts: readonly Part[] },
  volumes: readonly Part[],
): Record<string, unknown> {
  const { volumeMounts, ...about } = container;
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
        ...about,
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        volumeMounts: [...volumeMounts, { name: 'tmp', mountPath: '/tmp' }],
      },
    ],
    volumes: [...volumes, { name: 'tmp', emptyDir: {} }],
  };
}

/** A file for another program that starts this one. */
export interface ExportedFile {
  readonly name: string;
  readonly text: string;
}
