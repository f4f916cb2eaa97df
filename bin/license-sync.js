#!/usr/bin/env node
// CommonJS (bin/package.json), like the bundle: Node 20 is up in less time. Nothing is loaded before the version is known:
// on an older Node what comes then would end in a stack.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major > 20 || (major === 20 && minor >= 19)) {
  require('./compiled-code.js');
  require('../dist/cli/main.cjs');
} else {
  const zh = /^zh/i.test(
    process.env.LICENSE_SYNC_LANG || process.env.LC_ALL || process.env.LC_MESSAGES || process.env.LANG || '',
  );
  console.error(
    zh
      ? `license-sync: 需要 Node.js 20.19 或更高版本；当前为 ${process.versions.node}。请升级 Node.js（https://nodejs.org）。`
      : `license-sync: Node.js 20.19 or newer is needed; this is ${process.versions.node}. Update Node.js (https://nodejs.org).`,
  );
  process.exitCode = 2;
}
