// The platform as a process of its own.
import { spawn } from 'node:child_process';
import { program } from './places.mjs';

/**
 * Serves a fresh platform.
 * @returns its address, and `stop`, which gives what it counted
 */
export async function servePlatform(latencyMs) {
  const argv = [program('platform.mjs'), String(latencyMs)];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = new Promise((resolve) => child.once('close', resolve));
  let out = '';
  child.stdout.setEncoding('utf8');
  const url = await new Promise((resolve, reject) => {
    child.stdout.on('data', (text) => {
      out += text;
      const found = /listening on (\S+)\n/.exec(out);
      if (found) resolve(found[1]);
    });
    void gone.then(() => reject(new Error('the platform did not start')));
  });
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await gone;
      const told = /counted (\{.*\})/.exec(out);
      if (!told) throw new Error('the platform did not end well');
      return JSON.parse(told[1]);
    },
  };
}
