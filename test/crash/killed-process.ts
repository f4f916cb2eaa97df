import { setTimeout as sleep } from 'node:timers/promises';
import { type Ended, type Running, start } from '../support/command.js';
import type { ServedPlatform } from '../support/served-platform.js';
import { type Kill, requestsOf, type Scenario } from './scenario.js';

const LOOK_EVERY_MS = 4;
/** Only against what hangs: on a busy machine a run of 2,000 orders takes minutes. */
const LONGEST_MS = 1_800_000;

/** Where a story runs. */
export interface Stage {
  readonly story: Scenario;
  readonly platform: ServedPlatform;
  readonly cwd: string;
  readonly env: Record<string, string>;
}

/** Starts a command of the program and kills it as specified. It may end before its moment comes. */
export async function startAndKill(
  args: readonly string[],
  kill: Kill | undefined,
  { story, platform, cwd, env }: Stage,
): Promise<Ended & { readonly killed: boolean }> {
  const atPoint: Record<string, string> =
    kill?.kind === 'point' ? { LICENSE_SYNC_CRASH_AT: `${kill.point}:${kill.nth}` } : {};
  const running = start(args, { cwd, env: { ...env, ...atPoint } });
  const hung = setTimeout(() => running.child.kill('SIGABRT'), LONGEST_MS);
  if (kill && kill.kind !== 'point') await strike(running, kill, story, platform);
  const ended = await running.ended;
  clearTimeout(hung);
  return { ...ended, killed: ended.signal === 'SIGKILL' };
}

async function strike(
  running: Running,
  kill: Exclude<Kill, { kind: 'point' }>,
  story: Scenario,
  platform: ServedPlatform,
): Promise<void> {
  let over = false;
  const ended = running.ended.then(() => {
    over = true;
  });
  let named = false;
  running.child.stderr?.on('data', (text: string) => {
    named ||= text.includes('run ');
  });
  const come = async (): Promise<boolean> => {
    if (kill.kind === 'launch') return true;
    if (kill.kind === 'plan') return named;
    const { orders, requests } = await platform.stats();
    if (kill.kind === 'effects') return (story.steps ? requests : orders) >= kill.count;
    // Those that an earlier process left unknown are not asked for any more.
    return requests >= requestsOf(story) - story.concurrency * (story.kills.length - 1);
  };
  while (!over && !(await come())) await sleep(LOOK_EVERY_MS);
  await Promise.race([sleep(kill.ms), ended]);
  if (!over) running.child.kill('SIGKILL');
}
