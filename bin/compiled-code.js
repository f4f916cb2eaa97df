// Keeps the program's compiled code from one start to the next: a quarter of what a short command takes. It lies next to the
// program, where only those can write who could also change the program.
const Module = require('node:module');
const path = require('node:path');

const DIST = path.join(__dirname, '../dist') + path.sep;
const KEPT = path.join(DIST, '.compile-cache');

// Node 22.8 and later do so by themselves.
if (Module.enableCompileCache) Module.enableCompileCache(KEPT);
else keepCompiledCode();

function keepCompiledCode() {
  const { readFileSync } = require('node:fs');
  const vm = require('node:vm');
  const { crc32 } = require('node:zlib');
  const compile = Module.prototype._compile;
  const folder = path.join(KEPT, `${process.version}-${process.arch}`);
  const made = [];

  // V8 looks at its version and at the source's length alone: the checksums are of the source and of what was compiled.
  const keptFor = (file, sum) => {
    try {
      const kept = readFileSync(file);
      const code = kept.subarray(8);
      return kept.readUInt32LE(0) === sum && kept.readUInt32LE(4) === crc32(code) ? code : undefined;
    } catch {
      return undefined;
    }
  };

  Module.prototype._compile = function (source, filename, ...rest) {
    // Compiled code that was kept has lost what loads the modules of its own import().
    if (!filename.startsWith(DIST) || !filename.endsWith('.cjs') || /\bimport\(/.test(source)) {
      return compile.call(this, source, filename, ...rest);
    }
    const sum = crc32(source);
    const file = path.join(folder, filename.slice(DIST.length).replaceAll(path.sep, '-'));
    const script = new vm.Script(Module.wrap(source), {
      filename,
      columnOffset: -Module.wrapper[0].length,
      cachedData: keptFor(file, sum),
    });
    if (script.cachedDataRejected !== false) made.push({ script, file, sum });
    const run = script.runInThisContext();
    const own = Module.createRequire(filename);
    return run.call(this.exports, this.exports, own, this, filename, path.dirname(filename));
  };

  // By then there is what was compiled on the way, too.
  process.once('exit', () => {
    if (made.length > 0) keep(made, folder, crc32);
  });
}

function keep(made, folder, crc32) {
  const { mkdirSync, renameSync, writeFileSync } = require('node:fs');
  try {
    mkdirSync(folder, { recursive: true });
    for (const { script, file, sum } of made) {
      const code = script.createCachedData();
      const head = Buffer.alloc(8);
      head.writeUInt32LE(sum, 0);
      head.writeUInt32LE(crc32(code), 4);
      // Threads and processes may keep the same one at once.
      const making = `${file}.${Math.random()}`;
      writeFileSync(making, Buffer.concat([head, code]));
      renameSync(making, file);
    }
  } catch {
    // Not to be written here: each start compiles for itself.
  }
}
