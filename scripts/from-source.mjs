// The program's own modules, read from src/: what is generated is always that of the sources, whether they are built or not.
import { fileURLToPath } from 'node:url';
import { createServer, createServerModuleRunner } from 'vite';

// Nothing listens: it only turns TypeScript into modules, as the tests' runner does.
const server = await createServer({
  configFile: false,
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
});
const runner = createServerModuleRunner(server.environments.ssr, { hmr: false });

/** @param {string} file below src/ */
export async function fromSource(file) {
  return runner.import(fileURLToPath(new URL(`../src/${file}`, import.meta.url)));
}

/** To be called at the end: the process doesn't end before. */
export async function closeSource() {
  await runner.close();
  await server.close();
}
