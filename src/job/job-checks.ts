import { sep } from 'node:path';
import { type CronFault, type CronField, readCron } from '../util/cron.js';
import { type Problem, problemAt } from './problem.js';
import { type JobKind, OWN_KEYS } from './schema/job.js';
import { type MapEntry, type MappingNode, nodeAt, type ScalarNode, shown } from './yaml/node.js';

/** The schema reports a cron text with other characters. */
const KNOWN_CHARACTERS = /^[\s\dA-Za-z*?,/#-]+$/;
const LONGEST_SHOWN = 60;

const FIELD_CODES = {
  minute: 'job.bad_cron_minute',
  hour: 'job.bad_cron_hour',
  day: 'job.bad_cron_day',
  month: 'job.bad_cron_month',
  weekday: 'job.bad_cron_weekday',
} as const satisfies Record<CronField, string>;

/** `schedule.cron` with an invalid field, or with a day that never occurs. */
export function cronProblems(root: MappingNode): readonly Problem[] {
  const node = nodeAt(root, ['schedule', 'cron'])?.node;
  if (node?.kind !== 'scalar' || !KNOWN_CHARACTERS.test(node.written)) return [];
  const reading = readCron(node.written);
  return reading.ok ? [] : problemOf(node, reading.fault);
}

function problemOf(node: ScalarNode, fault: CronFault): readonly Problem[] {
  switch (fault.kind) {
    case 'fields':
      return [];
    case 'never':
      return [problemAt(node.place, 'job.cron_never', { value: shown(node) })];
    case 'field': {
      const value = node.substituted ? '$…' : fault.text.slice(0, LONGEST_SHOWN);
      return [problemAt(node.placeAt(fault.offset), FIELD_CODES[fault.field], { value })];
    }
  }
}

const WILD = /[*?]/;

/** True for a path with wildcards. Brackets and braces are not special, because file names contain them. */
export function isPattern(file: string): boolean {
  return WILD.test(file);
}

/** Reports wildcards in the folders of `source.file`, and `**`. */
export function inputFileProblems(root: MappingNode): readonly Problem[] {
  const node = nodeAt(root, ['source', 'file'])?.node;
  if (node?.kind !== 'scalar') return [];
  const parts = node.written.split(sep === '/' ? '/' : /[/\\]/);
  const folders = parts.slice(0, -1);
  const name = parts.at(-1) ?? '';
  if (!folders.some((part) => WILD.test(part)) && !name.includes('**')) return [];
  return [problemAt(node.place, 'job.bad_wildcard', { value: shown(node) })];
}

const KINDS: readonly JobKind[] = ['operation', 'reconcile', 'steps'];

/** The kind of a job file by its deciding key; `several` if it has more than one of these keys. */
export function kindOf(root: MappingNode): JobKind | 'several' | 'none' {
  const [kind, second] = KINDS.filter((key) => root.entries.has(key));
  return second ? 'several' : (kind ?? 'none');
}

/** Reports keys that belong to another kind of job, and removes them so that they are not reported as unknown too. */
export function withoutKeysOf(root: MappingNode, kind: JobKind, problems: Problem[]): MappingNode {
  const entries = new Map<string, MapEntry>();
  for (const entry of root.entries.values()) {
    const { key, keyPlace: place } = entry;
    const otherKind = KINDS.find((it) => it !== kind && OWN_KEYS[it].includes(key));
    if (!otherKind) entries.set(key, entry);
    else if (kind === 'reconcile') problems.push(problemAt(place, 'job.map_in_reconcile', { key }));
    else if (kind === 'steps' && otherKind === 'operation')
      problems.push(problemAt(place, 'job.key_beside_steps', { key }));
    else problems.push(problemAt(place, 'job.key_of_other_kind', { key, other: otherKind, kind }));
  }
  return { ...root, entries };
}

/** Reports several kinds or none. Reports nothing if a reported unknown key is probably a misspelt deciding key. */
export function kindProblems(root: MappingNode, reported: readonly Problem[]): readonly Problem[] {
  const [first, second] = [...root.entries.values()].filter(({ key }) => KINDS.some((kind) => kind === key));
  if (first && second) {
    return [problemAt(second.keyPlace, 'job.two_kinds', { first: first.key, second: second.key })];
  }
  const near = reported.some(({ unknownKey }) => KINDS.some((kind) => kind === unknownKey?.meant));
  return near ? [] : [problemAt(root.place, 'job.no_kind', {})];
}
