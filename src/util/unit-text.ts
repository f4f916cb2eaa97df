// Text of systemd's unit files.

/** Where secrets stand, and nowhere else. */
export const ENVIRONMENT_FILE = '/etc/license-sync/license-sync.env';

/**
 * Whose service it is. What the program remembers of ledgers for its user is in the state folder (`/var/lib/license-sync`).
 */
export const OWN_USER = `# A user for this program alone, who owns the folder: useradd --system license-sync; chown -R license-sync: FOLDER
User=license-sync
StateDirectory=license-sync
StateDirectoryMode=0700
Environment=XDG_STATE_HOME=%S
`;

/** What a service of this program does without, after its lines `ProtectSystem=strict` and `ReadWritePaths=…`. */
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

/** A setting's whole value: only the percent sign means something there. */
export function unitValue(text: string): string {
  return text.replaceAll('%', '%%');
}

/** One of several words. */
export function unitWord(text: string): string {
  return /^[\w@+,:./-]+$/.test(text) ? text : `"${unitValue(text).replace(/["\\]/g, '\\$&')}"`;
}

/** An argument of the command line, where a dollar sign means something too. */
export function unitArgument(text: string): string {
  return unitWord(text).replaceAll('$', '$$$$');
}
