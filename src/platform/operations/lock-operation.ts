import type { Operation } from '../../model/operation.js';
import { ENDPOINTS } from '../wire/endpoints.js';
import { checkFilled } from './common-rules.js';
import { composeRequest } from './compose.js';
import { readLocks } from './read-locks.js';
import { gather } from './rule-report.js';

/** Disabling and enabling are one shape at two addresses (§4.6). */
export function lockOperation(which: 'lock' | 'unlock', purpose: string): Operation {
  const endpoint = ENDPOINTS[which];
  const shape = endpoint.request;
  const place = { kind: 'strings', field: 'assetNums' } as const;
  return {
    name: `asset.${which}`,
    purpose,
    endpoint,
    repeatable: true,
    shape,
    place,
    envelope: ['operatorIdentity'],
    batch: { size: 100, fixed: false },
    key: undefined,
    subject: place.field,
    resultColumns: ['assetStatus'],
    rules: (content) => gather((report) => checkFilled(shape, place, content, report)),
    compose: (envelope, bodies, context) =>
      composeRequest(endpoint, shape, { ...envelope, assetNums: bodies }, context),
    read: (reply, sent) => readLocks(reply, sent),
  };
}
