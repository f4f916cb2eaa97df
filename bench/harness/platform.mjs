// The simulated platform as a process of its own.
import { spawn } from 'node:child_process';
import { CLI } from './places.mjs';

/**
 * Serves a fresh sandbox from the folder, so that runs there find it.
 * @returns its address, and `stop`, which gives what it counted
 */
export async function servePlatform(folder, latencyMs) {
  const argv = [CLI, 'sandbox', '--port', '0', '--latency', String(latencyMs)];
  const child = spawn(process.execPath, argv, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  const url = await new Promise((resolve, reject) => {
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text;
      const found = /listening on (\S+)\n/.exec(out);
      if (found) resolve(found[1]);
    });
    void gone.then(() => reject(new Error(`the sandbox did not start: ${errors}`)));
  });
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await gone;
      const told = /SANDBOX stopped: (\{.*\})/.exec(errors);
      if (!told) throw new Error(`the sandbox did not end well: ${errors}`);
      return JSON.parse(told[1]);
    },
  };
}
