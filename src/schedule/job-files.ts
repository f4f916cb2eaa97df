import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isMap, parseDocument } from 'yaml';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import { CONFIG_FILE } from '../job/find-config.js';

const DEFAULT_FOLDER = 'jobs';
/** A job is a page or two; larger files are not looked into. */
const LARGEST_BYTES = 1024 * 1024;

/**
 * The job files that are named, or lie in the named folders (not below them), absolute, each once, in order.
 * @param named files and folders from `cwd`; none: `jobs` where there is such a folder, else `cwd` itself
 * @throws ProductError usage for a path that isn't there
 */
export async function jobFiles(named: readonly string[], cwd: string): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const name of named.length > 0 ? named : [await defaultFolder(cwd)]) {
    const at = path.resolve(cwd, name);
    const about = await stat(at).catch((cause: NodeJS.ErrnoException) => {
      const params = { path: name, reason: cause.code ?? String(cause) };
      throw new ProductError('usage', message('schedule.path_missing', params), { cause });
    });
    if (!about.isDirectory()) {
      // It may have been named by the shell's `*.yaml`.
      if (path.basename(at) !== CONFIG_FILE) found.add(at);
      continue;
    }
    for (const entry of (await readdir(at)).sort()) {
      if (!/\.ya?ml$/i.test(entry) || entry.startsWith('.') || entry === CONFIG_FILE) continue;
      const file = path.join(at, entry);
      if (await looksLikeJob(file)) found.add(file);
    }
  }
  return [...found];
}

async function defaultFolder(cwd: string): Promise<string> {
  const about = await stat(path.join(cwd, DEFAULT_FOLDER)).catch(() => undefined);
  return about?.isDirectory() ? DEFAULT_FOLDER : '.';
}

/**
 * True when a YAML file in a folder is meant to be a job. A badly written job must count too: otherwise it would never
 * run, and nobody would be told.
 */
async function looksLikeJob(file: string): Promise<boolean> {
  const about = await stat(file).catch(() => undefined);
  if (!about?.isFile() || about.size > LARGEST_BYTES) return false;
  const text = (await readFile(file)).toString('utf8');
  const parsed = parseDocument(text, { logLevel: 'silent', uniqueKeys: false });
  const keys =
    parsed.errors.length === 0 && isMap(parsed.contents)
      ? parsed.contents.items.map((it) => String(it.key))
      : [...text.matchAll(/^\ufeff?["']?([A-Za-z]+)["']?[ \t]*:/gm)].map((it) => it[1]);
  const has = (key: string): boolean => keys.includes(key);
  return has('operation') || has('steps') || has('reconcile') || (has('schedule') && has('source'));
}
