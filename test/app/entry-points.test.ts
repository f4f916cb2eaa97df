import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import * as library from '../../src/api/index.js';
import { program } from '../../src/cli/program.js';
import { licenseSync } from '../support/command.js';
import { type Answer, FakePlatform, ordersDone, type Seen } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';
import { Receiver } from '../support/receiver.js';

/**
 * The same use cases, one after the other, through each entry point in a world of its own: two folders with a connection of
 * one name. The jobs and their settings are in `home`; everything is called from `elsewhere`, whose connection leads to
 * another platform.
 */
type Entrance = 'command' | 'library';

/** What came of a use case. */
interface Step {
  readonly reported: unknown;
  /** The file that it wrote. */
  readonly result: unknown;
  /** What the job's own platform received since, and how often the other one did. */
  readonly requests: readonly unknown[];
  readonly elsewhere: number;
  /** What was sent to those who are to be notified. */
  readonly notified: readonly unknown[];
}

type Library = typeof library;
type Options = { readonly cwd: string; readonly env: Record<string, string> };
type Reported = Record<string, unknown> & {
  readonly run: string;
  readonly error?: { readonly code: string };
};

const TOKEN = 's3cret-token-0123456789';

/** SO-2 may have been executed, SO-3 was refused, SO-4 can't be reached; what isn't an order is answered with nothing. */
function answer(seen: Seen): Answer {
  if (!('orderList' in seen.body)) return { body: { code: 0, message: 'ok', data: [] } };
  const order = String(seen.body.channelOrderId);
  if (order === 'SO-2') return 'reset';
  if (order === 'SO-3') return { body: { code: 4711, message: 'refused' } };
  return ordersDone(seen);
}

const job = (name: string, extra = ''): string =>
  orderJob({ extra: `connection: p\nrun: { retries: 0, timeout: 5s }\n${extra}` })
    .replace('normal_recover_usbkey', 'cloud_account')
    .replace('name: orders', `name: ${name}`)
    .replace('file: orders.csv', `file: ${name}.csv`)
    .concat(`output: { file: "../results/${name}-{run}.csv" }\n`);

/** Names of the library's functions, and of commands, that the story called. */
const called = new Set<string>();
const commands = new Set<string>();
const watched: Library = new Proxy(library, {
  get: (all, name: keyof Library) => {
    called.add(name);
    return all[name];
  },
});

class World {
  readonly entrance: Entrance;
  readonly root: string;
  readonly own: FakePlatform;
  readonly other: FakePlatform;
  readonly receiver: Receiver;
  readonly steps: Record<string, Step> = {};

  constructor(
    entrance: Entrance,
    root: string,
    [own, other]: readonly [FakePlatform, FakePlatform],
    receiver: Receiver,
  ) {
    this.entrance = entrance;
    this.root = root;
    this.own = own;
    this.other = other;
    this.receiver = receiver;
  }

  static async open(entrance: Entrance): Promise<World> {
    const root = await mkdtemp(path.join(tmpdir(), 'license-sync-entrances-'));
    const [own, other] = [await new FakePlatform(answer).start(), await new FakePlatform(answer).start()];
    const receiver = await new Receiver().start();
    const world = new World(entrance, root, [own, other], receiver);
    await mkdir(world.home('jobs'), { recursive: true });
    await mkdir(world.elsewhere());
    const files: Record<string, string> = {
      'license-sync.yaml': settings(
        own,
        `, notify: [{ on: always, webhook: { url: "${receiver.url}/told" } }]`,
      ),
      '../elsewhere/license-sync.yaml': settings(other),
      '../elsewhere/sheet.csv': 'Order No,Customer name,Lock No\nSO-1,Ann,8100000001\n',
      '../elsewhere/enterprises.csv': 'Enterprise ID\nENT-0001\nENT-0002\nENT-0001\n',
      'jobs/orders.csv': orderRows(3),
      'corrections.csv': 'row,column,value\n2,Nodes,9\n',
      'jobs/planned.csv': orderRows(2, 20),
      'jobs/held.csv': orderRows(2, 30),
      'jobs/checked.csv': orderRows(2, 40).replace('SO-41', ''),
      'jobs/want.csv': 'Enterprise,Lock,Locked\nE1,8100000001,TRUE\n',
      'jobs/orders.yaml': job('orders'),
      'jobs/planned.yaml': job('planned'),
      'jobs/held.yaml': job('held', 'safety: { maxItems: 1 }\n'),
      'jobs/checked.yaml': job('checked'),
      'jobs/compare.yaml': [
        'version: 1',
        'name: compare',
        'reconcile: asset',
        'connection: p',
        'source: { file: want.csv }',
        'key: { enterpriseGlobalId: Enterprise, assetNum: Lock }',
        'expect: { locked: Locked }',
        'output: { file: "../results/compare-{run}.csv" }',
      ].join('\n'),
    };
    for (const [name, text] of Object.entries(files)) await writeFile(world.home(name), text);
    return world;
  }

  home(name = ''): string {
    return path.join(this.root, 'home', name);
  }

  elsewhere(name = ''): string {
    return path.join(this.root, 'elsewhere', name);
  }

  get ledger(): string {
    return this.home('.license-sync/ledger.db');
  }

  /**
   * Lets the entry point do it, and keeps what came of it. Gives what it reported, as it is.
   * @param shape of what the library gives, as `--json` has it
   */
  async step<T>(
    name: string,
    args: readonly string[],
    call: (library: Library, options: Options) => Promise<T>,
    shape: (given: T) => unknown = (given) => given,
  ): Promise<Reported> {
    commands.add(args[0] ?? '');
    this.own.seen.length = 0;
    this.receiver.seen.length = 0;
    const options = { cwd: this.elsewhere(), env: { TOKEN } };
    const reported = (
      this.entrance === 'library'
        ? await call(watched, options).then(shape).catch(refusal)
        : await this.#command(args)
    ) as Reported;
    const result = typeof reported.output === 'string' ? await readFile(reported.output, 'utf8') : undefined;
    this.steps[name] = {
      reported: this.plain(reported),
      result: this.plain(result),
      requests: this.own.seen.map((it) => JSON.stringify(this.plain([it.path, it.body]))).sort(),
      elsewhere: this.other.seen.length,
      notified: this.receiver.seen.map((it) => this.plain(JSON.parse(it.body))),
    };
    return reported;
  }

  async #command(args: readonly string[]): Promise<unknown> {
    const { stdout, stderr, code } = await licenseSync(args, { cwd: this.elsewhere(), env: { TOKEN } });
    if (!args.includes('--json')) return stdout;
    if (stdout === '') throw new Error(stderr);
    const said = JSON.parse(stdout) as Reported;
    // The library throws where a command ends by an error.
    if (said.error) return { refused: said.error.code, exitCode: code };
    return 'status' in said && 'requests' in said && !('state' in said) ? { ...said, exitCode: code } : said;
  }

  /** Without what differs from call to call: times, and ids, addresses and folders by their place. */
  plain(value: unknown): unknown {
    const runs: string[] = [];
    const text = JSON.stringify(value, (key, it) => (VARYING.has(key) ? undefined : it)) ?? 'null';
    return JSON.parse(
      text
        .replaceAll(this.root, '<root>')
        .replaceAll(new URL(this.own.url).host, '<own>')
        .replaceAll(new URL(this.other.url).host, '<other>')
        .replaceAll(
          /\d{8}-\d{6}-[0-9a-f]+/g,
          (id) => `<run ${runs.includes(id) ? runs.indexOf(id) : runs.push(id) - 1}>`,
        )
        .replaceAll(/(?<=port )\d+|\d+(?= ms)|(?<=within )\d+(?= s)/g, '<n>')
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
        .replaceAll(/\d{4}-\d\d-\d\d [\d:]+ Asia\/Shanghai/g, '<time>')
        // Rows that take a run back hold its id.
        .replaceAll(/(\.rows","inputSha256":")[0-9a-f]+/g, '$1<digest>')
        // Of the connection too, whose address is each world's own.
        .replaceAll(/("planHash":")[0-9a-f]{64}/g, '$1<hash>'),
    );
  }

  async close(): Promise<void> {
    await this.own.stop();
    await this.other.stop();
    await this.receiver.stop();
    await rm(this.root, { recursive: true, force: true });
  }
}

const VARYING: ReadonlySet<string> = new Set(['durationMs', 'executeMs', 'nonce', 'who']);

const settings = (platform: FakePlatform, more = ''): string => `version: 1
connections:
  p: { baseUrl: "${platform.url}", appKey: app, token: { env: TOKEN }${more} }
`;

function refusal(error: unknown): unknown {
  if (error instanceof library.LicenseSyncError) return { refused: error.code, exitCode: error.exitCode };
  throw error;
}

/** The result of a run as both entry points have it: the command has more, of how long it took and of problems. */
const RESULT = [
  'run',
  'job',
  'operation',
  'connection',
  'status',
  'rows',
  'counts',
  'requests',
  'retries',
  'output',
  'exitCode',
  'reason',
  'warnings',
  'parent',
  'actions',
  'refused',
  'reverts',
  'notReverted',
];

async function tell(entrance: Entrance): Promise<Readonly<Record<string, Step>>> {
  const world = await World.open(entrance);
  const { ledger } = world;
  const at = (name: string): string => world.home(`jobs/${name}.yaml`);
  const kept = ['--ledger', ledger, '--json'];
  try {
    await world.step('doctor', ['doctor', at('orders'), '--json'], (it, options) =>
      it.doctor({ ...options, jobFile: at('orders') }),
    );
    await world.step('show', ['show', at('orders'), '--json'], (it, options) =>
      it.showJob(at('orders'), options),
    );
    await world.step('validate', ['validate', at('checked'), '--json'], (it, options) =>
      it.validateJob(at('checked'), options),
    );
    const corrections = world.home('corrections.csv');
    await world.step(
      'validate with corrections',
      ['validate', at('checked'), '--corrections', corrections, '--json'],
      (it, options) => it.validateJob(at('checked'), { ...options, corrections }),
    );
    const { run } = await world.step('run', ['run', at('orders'), '--json'], (it, options) =>
      it.runJob(at('orders'), options),
    );
    await world.step('rehearse', ['rehearse', at('held'), '--json'], (it, options) =>
      it.rehearseJob(at('held'), options),
    );
    await world.step('compare with a rehearsal', ['rehearse', '--compare', run, ...kept], (it, options) =>
      it.compareRehearsal(run, { ...options, ledger }),
    );
    const plan = await world.step('plan', ['plan', at('planned'), '--json'], (it, options) =>
      it.planJob(at('planned'), options),
    );
    await world.step('apply', ['apply', plan.run, ...kept], (it, options) =>
      it.applyPlan(plan.run, { ...options, ledger }),
    );
    await world.step('apply again', ['apply', plan.run, ...kept], (it, options) =>
      it.applyPlan(plan.run, { ...options, ledger }),
    );
    const held = await world.step('run over the limit', ['run', at('held'), '--json'], (it, options) =>
      it.runJob(at('held'), options),
    );
    await world.step(
      'resume elsewhere',
      ['resume', held.run, '--connection', 'sandbox', ...kept],
      (it, options) => it.resumeRun(held.run, { ...options, ledger, connection: 'sandbox' }),
    );
    await world.step('resume', ['resume', held.run, '--max-items', '5', ...kept], (it, options) =>
      it.resumeRun(held.run, { ...options, ledger, maxItems: 5 }),
    );
    await world.step('retry', ['retry', run, '--include', 'rejected', ...kept], (it, options) =>
      it.retryRun(run, { ...options, ledger, include: ['rejected'] }),
    );
    await world.step('retry of nothing', ['retry', held.run, ...kept], (it, options) =>
      it.retryRun(held.run, { ...options, ledger }),
    );
    const back = await world.step('revert', ['revert', plan.run, '--row', '2', ...kept], (it, options) =>
      it.revertRun(plan.run, { ...options, ledger, rows: [2] }),
    );
    await world.step('apply of the reversal', ['apply', back.run, '--yes', ...kept], (it, options) =>
      it.applyPlan(back.run, { ...options, ledger, confirm: true }),
    );
    await world.step('resolve by the platform', ['resolve', run, '--verify', ...kept], (it, options) =>
      it.resolveRun(run, { ...options, ledger, verify: true }),
    );
    const known = { row: 3, as: 'succeeded', licenseOrderId: 'LO-2', note: 'seen in the portal' } as const;
    await world.step(
      'resolve',
      [
        'resolve',
        run,
        '--row',
        '3',
        '--as',
        'succeeded',
        '--license-order-id',
        'LO-2',
        '--note',
        known.note,
        ...kept,
      ],
      (it, options) => it.resolveRun(run, { ...options, ...known, ledger }),
    );
    await world.step('explain', ['explain', run, '3', ...kept], (it, options) =>
      it.explainRow(run, 3, { ...options, ledger }),
    );
    await world.step('runs', ['runs', ...kept], (it, options) => it.listRuns({ ...options, ledger }));
    await world.step('runs show', ['runs', 'show', run, ...kept], (it, options) =>
      it.showRun(run, { ...options, ledger }),
    );
    await world.step(
      'runs export',
      ['runs', 'export', run, '--output', 'again.csv', ...kept],
      (it, options) => it.exportRun(run, 'again.csv', { ...options, ledger }),
      (output) => ({ run, output }),
    );
    // A ledger that is a file has no workers.
    await world.step('submit', ['submit', at('checked'), '--json'], (it, options) =>
      it.submitJob(at('checked'), options),
    );
    await world.step('wait', ['wait', run, ...kept], (it, options) =>
      it.waitRun(run, { ...options, ledger }),
    );
    await world.step('stop', ['stop', run, ...kept], (it, options) =>
      it.stopRun(run, { ...options, ledger }),
    );
    await world.step('workers', ['workers', ...kept], (it, options) =>
      it.listWorkers({ ...options, ledger }),
    );
    await world.step('resume of the queue', ['resume', held.run, '--queue', ...kept], (it, options) =>
      it.resumeRun(held.run, { ...options, ledger, queue: true }),
    );
    await world.step('reconcile', ['reconcile', at('compare'), '--json'], (it, options) =>
      it.reconcileJob(at('compare'), options),
    );
    await world.step(
      'pull',
      'pull asset --enterprises enterprises.csv --output assets.csv --connection sandbox --json'.split(' '),
      (it, options) =>
        it.pullRecords('asset', 'enterprises.csv', {
          ...options,
          output: 'assets.csv',
          connection: 'sandbox',
        }),
    );
    await world.step(
      'guess',
      ['guess', 'sheet.csv', '--operation', 'asset.lock', '--output', 'guessed.yaml', '--json'],
      (it, options) =>
        it.guessJob('sheet.csv', { ...options, operation: 'asset.lock', output: 'guessed.yaml' }),
      ({ notes: _, ...rest }) => rest,
    );
    await world.step(
      'template',
      ['template', 'asset.lock', '--output', 'lock.xlsx'],
      (it, options) => it.writeTemplate('asset.lock', { ...options, output: 'lock.xlsx' }),
      (files) =>
        files.map(({ kind, file }) => `${kind} ${path.relative(world.elsewhere(), file)}\n`).join(''),
    );
    await world.step('init', ['init', 'new', '--json'], (it, options) => it.initFolder('new', options));
    await world.step(
      'runs prune',
      ['runs', 'prune', '--older-than', '0d', ...kept],
      (it, options) => it.pruneRuns('0d', { ...options, ledger }),
      ({ kept, ...pruned }) => ({ ...pruned, kept: kept.map((it) => it.run) }),
    );
    await expect(access(world.elsewhere('.license-sync'))).rejects.toThrow('ENOENT');
    return world.steps;
  } finally {
    await world.close();
  }
}

const pick = (reported: unknown): unknown => {
  if (typeof reported !== 'object' || reported === null || !('retries' in reported) || 'state' in reported)
    return reported;
  return Object.fromEntries(Object.entries(reported).filter(([name]) => RESULT.includes(name)));
};

describe('every use case', () => {
  let fromCommand: Awaited<ReturnType<typeof tell>>;
  let fromLibrary: Awaited<ReturnType<typeof tell>>;

  beforeAll(async () => {
    [fromCommand, fromLibrary] = await Promise.all([tell('command'), tell('library')]);
  });

  it.each(['reported', 'result', 'requests', 'notified'] as const)(
    'is the same by both entry points: %s',
    (what) => {
      const of = (story: typeof fromCommand) =>
        Object.fromEntries(Object.entries(story).map(([name, it]) => [name, pick(it[what])]));
      expect(of(fromLibrary)).toEqual(of(fromCommand));
    },
  );

  it('reaches the platform of the job’s own settings, and no other', () => {
    for (const story of [fromCommand, fromLibrary]) {
      expect(Object.entries(story).filter(([, it]) => it.elsewhere > 0)).toEqual([]);
      const sends = Object.entries(story).filter(([, it]) => it.requests.length > 0);
      expect(sends.map(([name]) => name)).toEqual([
        'doctor',
        'run',
        // Only asks.
        'rehearse',
        'apply',
        'resume',
        'retry',
        'apply of the reversal',
        'resolve by the platform',
        'reconcile',
      ]);
    }
  });

  it('of the command line is among them, but for those that are named', () => {
    const all = program().commands.map((it) => it.name());
    expect(all.filter((name) => !commands.has(name) && !COMMANDS_ALONE.has(name))).toEqual([]);
  });

  it('of the library is among them', () => {
    const functions = Object.entries(library).filter(([, it]) => typeof it === 'function');
    const names = functions.map(([name]) => name).filter((name) => !OWN.has(name));
    expect([...called].sort()).toEqual(names.sort());
  });
});

/** Commands without a function: what they print, or serve until they are stopped, isn't asked for by programs. */
const COMMANDS_ALONE: ReadonlySet<string> = new Set([
  'operations',
  'schema',
  'console',
  'sandbox',
  'schedule',
  'worker',
  'ledger',
  'people',
  'audit',
  'request',
  'approve',
  'reject',
]);

/** What only the library has: its error, the rows of a run (a command's result file), a platform of one's own. */
const OWN: ReadonlySet<string> = new Set(['LicenseSyncError', 'runRows', 'startSandbox']);
