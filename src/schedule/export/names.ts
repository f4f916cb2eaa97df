import { createHash } from 'node:crypto';
import path from 'node:path';

const HASH_LENGTH = 8;

/**
 * A job's name as a unit or resource may be called: Latin letters, digits and '-', at most `longest`. A name that
 * had to be changed for that gets a part by which it can't be taken for another one.
 */
export function plainName(name: string, rule: { readonly lower: boolean; readonly longest: number }): string {
  const plain = (rule.lower ? name.toLowerCase() : name)
    .replace(/[^A-Za-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  if (plain === name && plain.length <= rule.longest) return plain;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH);
  const kept = plain.slice(0, rule.longest - HASH_LENGTH - 1).replace(/-+$/, '');
  return kept === '' ? `job-${hash}` : `${kept}-${hash}`;
}

/** A path from a folder, where it lies within; else as it is. */
export function within(folder: string, file: string): string {
  const relative = path.relative(folder, file);
  return relative === '' || relative.startsWith('..') || path.isAbsolute(relative) ? file : relative;
}

/** The variable that holds the token of a job's connection, if it is one. */
export function tokenVariable(job: {
  readonly configured?: { readonly token: { readonly kind: string; readonly name?: string } };
}): string | undefined {
  const token = job.configured?.token;
  return token?.kind === 'env' ? token.name : undefined;
}
