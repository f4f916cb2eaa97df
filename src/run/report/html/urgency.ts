import { type Status, severity } from '../../../model/status.js';

/** Which statuses a person should look at first: the worst first, as rows with several items have it. */
export function byUrgency(a: Status, b: Status): number {
  return severity(b) - severity(a);
}
