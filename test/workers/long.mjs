// Node 20 runs no TypeScript; vite, which the tests bring along, does.
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const server = await createServer({
  configFile: false,
  logLevel: 'error',
  appType: 'custom',
  server: { middlewareMode: true, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
});
try {
  const { main } = await server.ssrLoadModule(fileURLToPath(new URL('long.ts', import.meta.url)));
  process.exitCode = await main(process.argv.slice(2));
} finally {
  await server.close();
}
