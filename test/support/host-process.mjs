// Executes commands of the built program, one after the other. host.ts starts it, and says what of that is real.
import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const PROGRAM = require.resolve('../../bin/license-sync.js');
const MAIN = require.resolve('../../dist/cli/main.cjs');
require('../../bin/compiled-code.js');

/** What a command may listen to until its process ends. */
const HEARD = [process, process.stdout, process.stderr];
/** Thrown where a command leaves; it passes all code of the command. */
const LEFT = Symbol('left');
const exit = process.exit;

process.on('unhandledRejection', (error) => {
  if (error !== LEFT) throw error;
});

process.on('message', ({ args, cwd, env, mark }) => {
  process.argv = [process.execPath, PROGRAM, ...args];
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (process.env[name] !== value) process.env[name] = value;
  const ours = HEARD.map(listenersOf);
  // From now on nothing keeps this process but the command.
  process.channel.unref();
  let ended = false;
  const end = () => {
    ended = true;
    process.off('beforeExit', end);
    process.exit = exit;
    for (const it of added(process, ours[0], 'exit')) it.call(process, process.exitCode ?? 0);
    const code = process.exitCode ?? 0;
    process.exitCode = undefined;
    HEARD.forEach((it, at) => {
      for (const event of it.eventNames()) for (const one of added(it, ours[at], event)) it.off(event, one);
    });
    process.channel.ref();
    for (const stream of [1, 2]) writeSync(stream, mark);
    process.send(code);
  };
  // Help and usage errors: nothing has begun. Every other exit ends this process.
  process.exit = (code) => {
    if (code !== 0 && code !== 2) return exit(code);
    process.exitCode = code;
    end();
    throw LEFT;
  };
  delete require.cache[MAIN];
  require(MAIN);
  // After the program's own listener.
  if (!ended) process.on('beforeExit', end);
});
process.once('disconnect', () => exit());

function listenersOf(emitter) {
  return new Map(emitter.eventNames().map((event) => [event, emitter.rawListeners(event)]));
}

function added(emitter, before, event) {
  return emitter.rawListeners(event).filter((it) => !before.get(event)?.includes(it));
}
