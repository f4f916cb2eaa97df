import type { Comparison } from '../model/comparison.js';
import type { Connection } from '../model/connection.js';
import type { Field } from '../model/field.js';
import type { JsonObject } from '../model/json.js';
import type { MapBranch } from '../model/map.js';
import { compileMapping } from './compile.js';
import type { Mapping, MappingInput } from './contract.js';

interface KeysInput extends Pick<MappingInput, 'sheet' | 'headers' | 'operationOf'> {
  readonly comparison: Comparison;
  /** What may be mapped: fields of the key, and what stands beside them. */
  readonly shape: readonly Field[];
  readonly map: MapBranch;
  readonly connection: Pick<Connection, 'timestamps' | 'timezone'>;
}

/**
 * Binds a map of a comparison's keys, so that cells are converted as they are for requests. The request that a key makes
 * must meet the rules of the inquiry that reads its records.
 * @throws ProductError usage or input as `compileMapping`
 */
export function compileKeys({ comparison, shape, connection, ...input }: KeysInput): Mapping {
  const inquiry = input.operationOf(comparison.inquiry);
  return compileMapping({
    ...input,
    operation: {
      ...inquiry,
      shape,
      place: { kind: 'single' },
      envelope: [],
      key: undefined,
      subject: undefined,
      rules: ({ envelope, body }, settings) =>
        inquiry.rules({ envelope, body: comparison.request(body as JsonObject) }, settings),
    },
    joined: new Map(),
    timestamps: connection.timestamps,
    timezone: connection.timezone,
    rules: { allowDeleteFromAllOrders: false },
  });
}
