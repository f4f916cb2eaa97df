// `npm test`: lint, types and build side by side, then all tests. Arguments go to vitest.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const STEPS = ['lint', 'types', 'build'];

/** Reports what it said only when it has ended: otherwise their lines would mix. */
function step(name) {
  return new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', name], {
      cwd: ROOT,
      shell: process.platform === 'win32',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        said += text;
      });
    }
    child.on('close', (code) => {
      process.stdout.write(`${name}: ${code === 0 ? 'good' : `failed (${code})`}\n${said}`);
      resolve(code === 0);
    });
  });
}

const good = await Promise.all(STEPS.map(step));
if (good.includes(false)) process.exit(1);
const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs');
const tests = spawn(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  cwd: ROOT,
  stdio: 'inherit',
});
tests.on('close', (code) => {
  process.exitCode = code ?? 1;
});
