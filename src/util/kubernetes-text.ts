import { stringify } from 'yaml';

type Part = Readonly<Record<string, unknown>>;

export function manifestText(value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** A pod of this program with one container, which may do nothing that it has no need of. */
export function confinedPod(
  container: Part & { readonly volumeMounts: readonly Part[] },
  volumes: readonly Part[],
): Record<string, unknown> {
  const { volumeMounts, ...about } = container;
  return {
    automountServiceAccountToken: false,
    // What is in flight is let end.
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
