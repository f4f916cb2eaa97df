#!/usr/bin/env node
// CommonJS (bin/package.json), like the bundle: Node 20 is up in less time. Nothing is loaded before the version is known:
// on an older Node what comes then would end in a stack.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major > 20 || (major === 20 && minor >= 19)) {
  const main = builtProgram();
  if (main !== undefined) {
    // Without a listener Node would open its debugger, to which every local process can connect.
    process.on('SIGUSR1', () => {});
    require('./compiled-code.js');
    require(main);
  }
} else {
  refuse(
    isChinese()
      ? `license-sync: 需要 Node.js 20.19 或更高版本；当前为 ${process.versions.node}。请升级 Node.js（https://nodejs.org）。`
      : `license-sync: Node.js 20.19 or newer is needed; this is ${process.versions.node}. Update Node.js (https://nodejs.org).`,
  );
}

/** The built program; undefined where there is none, which is then reported. */
function builtProgram() {
  const { existsSync } = require('node:fs');
  const path = require('node:path');
  const main = path.join(__dirname, '../dist/cli/main.cjs');
  // A build that is just ready takes the place of the one before: for less than a millisecond there is none.
  for (let tries = 0; tries < 20; tries += 1) {
    if (existsSync(main)) return main;
    if (!existsSync(path.join(__dirname, '../scripts/build.mjs'))) break;
    if (!isBeingReplaced(path.join(__dirname, '..'))) break;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  }
  if (existsSync(main)) return main;
  const folder = path.join(__dirname, '..');
  refuse(
    isChinese()
      ? `license-sync: 程序尚未构建；请在 ${folder} 中运行 npm start（它会安装依赖、构建并运行示例作业）。`
      : `license-sync: The program is not built yet; run npm start in ${folder}, which installs what is missing, builds it and runs the sample job.`,
  );
  return undefined;
}

function isBeingReplaced(folder) {
  return require('node:fs')
    .readdirSync(folder)
    .some((it) => it.startsWith('dist.'));
}

function refuse(text) {
  console.error(text);
  process.exitCode = 2;
}

function isChinese() {
  const { LICENSE_SYNC_LANG, LC_ALL, LC_MESSAGES, LANG } = process.env;
  return /^zh/i.test(LICENSE_SYNC_LANG || LC_ALL || LC_MESSAGES || LANG || '');
}
