import path from 'node:path';
import type { JobBase } from '../model/job.js';
import { cutText } from '../util/cut-text.js';

/** Bytes that leave room for a run's id and an extension within the 255 that file systems take. */
const NAME_BYTES = 180;

/**
 * Where the result of a run goes: `output.file` with `{job}`, `{run}` and `{input}` put in. `{outcome}`, which no job
 * file may hold, is the folder that the caller names: an input folder keeps good and bad results apart.
 */
export function resultPath(
  job: Pick<JobBase, 'name' | 'output'> & { readonly source: Pick<JobBase['source'], 'file'> },
  run: string,
  outcome = '.',
): string {
  const words: Readonly<Record<string, string>> = {
    job: job.name,
    run,
    input: inputName(job.source.file),
    outcome,
  };
  const file = job.output.file.replace(/\{(job|run|input|outcome)\}/g, (whole, word: string) => {
    return words[word] ?? whole;
  });
  return path.normalize(file);
}

/** The input's name without its extension, fit to be part of another file's name wherever that lies. */
function inputName(file: string): string {
  const plain = path
    .parse(file)
    .name.replace(/[\p{C}\u2028\u2029/\\:*?"<>|]+/gu, '_')
    .replace(/^[. ]+/, '_');
  return cutText(plain, NAME_BYTES);
}
