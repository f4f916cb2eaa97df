import type { ApprovalPolicy } from '../model/connection.js';
import { OPERATION_NAMES } from '../model/operation.js';
import { matchesPattern } from '../util/name-pattern.js';
import { checkNode, unknownValue } from './check.js';
import { type Problem, problemAt } from './problem.js';
import { approvalSchema } from './schema/connection.js';
import { type MapEntry, nodeAt, shown } from './yaml/node.js';

interface ReadApproval {
  /** Absent where no approval is wanted, or there are problems. */
  readonly approval?: ApprovalPolicy;
  readonly problems: readonly Problem[];
}

/** The key `approval` of a connection: `required`, or which plans want one. */
export function readApproval(entry: MapEntry | undefined): ReadApproval {
  if (!entry) return { problems: [] };
  const { key, value: node } = entry;
  if (node.kind !== 'mapping') {
    if (node.kind === 'scalar' && node.written === 'required') return { approval: {}, problems: [] };
    if (node.kind === 'scalar' && node.value === null)
      return { problems: [problemAt(entry.keyPlace, 'job.empty_value', { key })] };
    return { problems: [unknownValue(node.place, key, shown(node), ['required'])] };
  }
  const { value, problems } = checkNode(approvalSchema, node);
  if (!value) return { problems };
  const { operations, above } = value;
  if (operations === undefined && above === undefined)
    return { problems: [problemAt(entry.keyPlace, 'job.empty_approval', {})] };
  const unknown = (operations ?? []).flatMap((pattern, at) => {
    if (OPERATION_NAMES.some((name) => matchesPattern(pattern, name))) return [];
    const place = nodeAt(node, ['operations', at])?.node.place ?? node.place;
    return [
      problemAt(place, 'job.no_such_operations', { value: pattern, known: OPERATION_NAMES.join(', ') }),
    ];
  });
  if (unknown.length > 0) return { problems: unknown };
  return {
    approval: {
      ...(operations === undefined ? {} : { operations }),
      ...(above === undefined ? {} : { above }),
    },
    problems: [],
  };
}
