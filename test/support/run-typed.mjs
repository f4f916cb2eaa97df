// `node run-typed.mjs FILE.ts …` calls its `main` with the rest. Node 20 runs no TypeScript; vite, which the tests bring along, does.
import path from 'node:path';
import { createServer } from 'vite';

const [file, ...args] = process.argv.slice(2);
const server = await createServer({
  configFile: false,
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
});
try {
  const { main } = await server.ssrLoadModule(path.resolve(file));
  process.exitCode = await main(args);
} finally {
  await server.close();
}
