import path from 'node:path';
import type { JobBase } from '../model/job.js';
import { cutText } from '../util/cut-text.js';

/** Leaves room for a run's id and an extension within the 255 bytes of a file name. */
const NAME_BYTES = 180;

/**
 * The path of a run's result: `output.file` with `{job}`, `{run}` and `{input}` replaced. `{outcome}`, which job files can't
 * use, is a folder that the caller names: an inbox separates good results from bad ones.
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

/** The input's name without extension, made safe as a part of a file name on every system. */
function inputName(file: string): string {
  const plain = path
    .parse(file)
    .name.replace(/[\p{C}\u2028\u2029/\\:*?"<>|]+/gu, '_')
    .replace(/^[. ]+/, '_');
  return cutText(plain, NAME_BYTES);
}
