import { z } from 'zod';
import type { ComparisonShape } from '../model/comparison.js';
import type { Operation } from '../model/operation.js';
import { comparableFields } from './drift-scope.js';
import { mapDefinitions } from './map/json-schema.js';
import type { SchemaObject } from './map/leaf-options.js';
import { defaultsSchema } from './parts/defaults.js';
import { approvalSchema, configSchema, connectionSchema, ledgerSchema } from './schema/connection.js';
import { anyJobSchema, OWN_KEYS } from './schema/job.js';

const DRAFT = 'http://json-schema.org/draft-07/schema#';

type SchemaOperation = Pick<Operation, 'name' | 'purpose' | 'shape' | 'place'> &
  Partial<Pick<Operation, 'lists' | 'endpoint'>>;

/**
 * JSON Schema (draft 7, for yaml-language-server) of a job file of any kind. It is derived from the schemas that check the file;
 * maps from the operations' fields, `key` and `expect` from the fields of the comparisons. The output is deterministic.
 */
export function jobJsonSchema(
  operations: readonly SchemaOperation[],
  comparisons: readonly ComparisonShape[] = [],
): SchemaObject {
  const { $schema, properties, ...schema } = convert(anyJobSchema);
  const { actions, steps, ...keys } = properties;
  const { definitions, mapOf, define } = mapDefinitions(operations);
  const purposes = new Map<string, string>(
    [...operations, ...comparisons].map(({ name, purpose }) => [name, purpose]),
  );
  for (const owner of [keys, actions.items.properties, steps.items.properties])
    describeNames(owner, purposes);
  const maps = operations.map((operation) =>
    when('operation', operation.name, { map: { $ref: `#/definitions/${mapOf(operation)}` } }),
  );
  for (const { name, key, record } of comparisons) {
    define(`key.${name}`, key);
    define(`expect.${name}`, comparableFields(record));
  }
  const compared = comparisons.map(({ name }) =>
    when('reconcile', name, {
      key: { $ref: `#/definitions/key.${name}` },
      expect: { $ref: `#/definitions/expect.${name}` },
    }),
  );
  return {
    $schema,
    ...schema,
    properties: {
      ...keys,
      actions: { ...actions, items: { $ref: '#/definitions/action' } },
      steps: { ...steps, items: { $ref: '#/definitions/step' } },
    },
    if: { required: ['reconcile'] },
    // biome-ignore lint/suspicious/noThenProperty: a key of JSON Schema.
    then: {
      required: ['key'],
      properties: without([...OWN_KEYS.operation, ...OWN_KEYS.steps]),
      allOf: compared,
    },
    else: {
      properties: without(OWN_KEYS.reconcile.filter((key) => key !== 'reconcile')),
      if: { required: ['steps'] },
      // biome-ignore lint/suspicious/noThenProperty: a key of JSON Schema.
      then: { properties: without(OWN_KEYS.operation) },
      else: { required: ['operation'], allOf: maps },
    },
    definitions: {
      ...definitions,
      action: { ...actions.items, allOf: maps },
      step: { ...steps.items, allOf: maps },
    },
  };
}

/** Adds the purposes of operations and comparisons, which editors show next to their names. */
function describeNames(properties: ZodJson['properties'], purposes: ReadonlyMap<string, string>): void {
  for (const key of ['operation', 'reconcile']) {
    const names = properties[key]?.anyOf?.[0];
    if (names) names.markdownEnumDescriptions = names.enum.map((name: string) => purposes.get(name) ?? '');
  }
}

function when(key: string, word: string, properties: SchemaObject): SchemaObject {
  return {
    if: { properties: { [key]: { const: word } }, required: [key] },
    // biome-ignore lint/suspicious/noThenProperty: a key of JSON Schema.
    then: { properties },
  };
}

/** Forbids keys by name, so that an editor underlines them and not the whole file. */
function without(keys: readonly string[]): SchemaObject {
  return Object.fromEntries(keys.map((key) => [key, false]));
}

/** JSON Schema of `license-sync.yaml`. */
export function configJsonSchema(): SchemaObject {
  const { $schema, ...schema } = convert(configSchema);
  const { properties } = schema;
  const { $schema: _, ...connection } = convert(connectionSchema);
  for (const [owner, key, checked] of [
    [connection.properties, 'approval', approvalSchema],
    [properties, 'ledger', ledgerSchema],
    [properties, 'defaults', defaultsSchema],
  ] as const) {
    const { $schema: __, ...inner } = convert(checked);
    const { anyOf } = owner[key];
    owner[key] = anyOf ? { ...owner[key], anyOf: [...anyOf, inner] } : inner;
  }
  return { $schema, ...schema, definitions: { connection } };
}

/** A variable is allowed instead of a number, a boolean or an enum value. */
const VARIABLE = { type: 'string', pattern: '\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}' } as const;

// biome-ignore lint/suspicious/noExplicitAny: the members are known, because the schemas are those of this folder.
type ZodJson = { [key: string]: any };

function convert(schema: z.ZodType): ZodJson {
  const json = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    override: ({ jsonSchema, path }) => {
      const node = jsonSchema as SchemaObject;
      // zod adds the bounds of safe integers, which mean nothing to users.
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
      // The default of an omitted object would be {}, although its members have defaults.
      if (node.type === 'object') delete node.default;
      // Not every validator supports Unicode classes. The program's own check is exact.
      if (String(node.pattern).includes('\\p{')) node.pattern = '^[^\\s/\\\\_.:]{1,60}$';
      const isScalar =
        ['integer', 'number', 'boolean'].includes(String(node.type)) ||
        Array.isArray(node.enum) ||
        node.pattern !== undefined;
      if (!isScalar || node.const !== undefined || path.includes('anyOf')) return;
      const { description, default: byDefault, ...bare } = node;
      for (const key of Object.keys(node)) delete node[key];
      if (description !== undefined) node.description = description;
      if (byDefault !== undefined) node.default = byDefault;
      node.anyOf = [bare, VARIABLE];
    },
  });
  return { ...json, $schema: DRAFT };
}
