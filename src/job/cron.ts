import { type CronFault, type CronField, readCron } from '../util/cron.js';
import { type Problem, problemAt } from './problem.js';
import { type MappingNode, nodeAt, type ScalarNode, shown } from './yaml/node.js';

/** What the schema lets through; anything else it has told of already. */
const KNOWN_CHARACTERS = /^[\s\dA-Za-z*?,/#-]+$/;
const LONGEST_SHOWN = 60;

const FIELD_CODES = {
  minute: 'job.bad_cron_minute',
  hour: 'job.bad_cron_hour',
  day: 'job.bad_cron_day',
  month: 'job.bad_cron_month',
  weekday: 'job.bad_cron_weekday',
} as const satisfies Record<CronField, string>;

/** `schedule.cron` with a field that says nothing, or a day that no calendar has. */
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
