/** How a service was when it was left alone. */
export interface Supervised {
  readonly state: 'failed' | 'inactive' | 'stopped';
  readonly starts: number;
}

/** One life of a process: its exit code, and how long it took in the simulated time of the supervisor. */
export interface Life {
  readonly exitCode: number;
  readonly seconds: number;
}

/**
 * Plays systemd's rules for a service in simulated time: `Restart`, `RestartPreventExitStatus`, `RestartSec` and the limit
 * of starts, each with systemd's default.
 * @param unit text of a service
 * @param start is given the seconds that have passed
 * @param stopped whether the service was stopped by `systemctl stop`; asked after each life
 */
export async function supervise(
  unit: string,
  start: (now: number) => Promise<Life>,
  stopped: () => boolean = () => false,
): Promise<Supervised> {
  const setting = (name: string): string | undefined => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];
  const restart = setting('Restart') ?? 'no';
  const prevented = new Set((setting('RestartPreventExitStatus') ?? '').split(' ').map(Number));
  const pause = Number(setting('RestartSec') ?? 0.1);
  const interval = Number(setting('StartLimitIntervalSec') ?? 10);
  const burst = Number(setting('StartLimitBurst') ?? 5);
  const starts: number[] = [];
  for (let now = 0; ; now += pause) {
    const lately = starts.filter((it) => it > now - interval).length;
    if (interval > 0 && lately >= burst) return { state: 'failed', starts: starts.length };
    starts.push(now);
    const { exitCode, seconds } = await start(now);
    now += seconds;
    if (stopped()) return { state: 'stopped', starts: starts.length };
    const again = restart === 'always' || (restart === 'on-failure' && exitCode !== 0);
    if (again && !prevented.has(exitCode)) continue;
    return { state: exitCode === 0 ? 'inactive' : 'failed', starts: starts.length };
  }
}
