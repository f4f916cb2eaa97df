// The program's own modules, read from src/: what is generated is always that of the sources, whether they are built or not.
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

/** @param {string} file below src/ */
export async function fromSource(file) {
  const path = fileURLToPath(new URL(`../src/${file}`, import.meta.url));
  const { module } = await runnerImport(path, { configFile: false, logLevel: 'error' });
  return module;
}
