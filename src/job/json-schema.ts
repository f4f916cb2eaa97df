import { z } from 'zod';
import type { ComparisonShape } from '../model/comparison.js';
import type { Operation } from '../model/operation.js';
import { comparableFields } from './comparison.js';
import { mapDefinitions, type SchemaObject } from './map/json-schema.js';
import { defaultsSchema } from './parts/defaults.js';
import { approvalSchema, configSchema, connectionSchema } from './schema/connection.js';
import { anyJobSchema, OWN_KEYS } from './schema/job.js';
import { ledgerSchema } from './schema/ledger.js';

const DRAFT = 'http://json-schema.org/draft-07/schema#';

type SchemaOperation = Pick<Operation, 'name' | 'purpose' | 'shape' | 'place'> &
  Partial<Pick<Operation, 'lists' | 'endpoint'>>;

/**
 * JSON Schema (draft 7, for yaml-language-server) of the job file of any kind: made from the schemas that check it,
 * maps from the operations' fields, `key` and `expect` from those of what is compared. The same input gives the same text.
 */
export function jobJsonSchema(
  operations: readonly SchemaOperation[],
  comparisons: readonly ComparisonShape[] = [],
): SchemaObject {
  const schema = convert(anyJobSchema);
  const { definitions, mapOf, define } = mapDefinitions(operations);
  const properties = schema.properties as Record<string, SchemaObject>;
  const purposes = (names: readonly string[]) =>
    names.map((name) => [...operations, ...comparisons].find((one) => one.name === name)?.purpose ?? '');
  // Editors show these beside the words they offer; a variable may stand in place of the words.
  const described = (it: SchemaObject | undefined): SchemaObject => {
    const [words, variable] = (it?.anyOf ?? []) as readonly SchemaObject[];
    return { ...it, anyOf: [{ ...words, markdownEnumDescriptions: purposes(enumOf(it)) }, variable] };
  };
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
  const action = (properties.actions?.items ?? {}) as SchemaObject;
  const actionKeys = action.properties as Record<string, SchemaObject>;
  definitions.action = {
    ...action,
    properties: {
      ...actionKeys,
      operation: described(actionKeys.operation),
      map: { type: 'object', description: ACTION_MAP },
    },
    required: ['on', 'operation', 'map'],
    allOf: maps,
  };
  const step = (properties.steps?.items ?? {}) as SchemaObject;
  const stepKeys = step.properties as Record<string, SchemaObject>;
  definitions.step = {
    ...step,
    properties: {
      ...stepKeys,
      operation: described(stepKeys.operation),
      map: { type: 'object', description: JOB_MAP },
    },
    required: ['name', 'operation'],
    allOf: maps,
  };
  return {
    ...schema,
    properties: {
      ...properties,
      operation: described(properties.operation),
      map: { type: 'object', description: JOB_MAP },
      reconcile: described(properties.reconcile),
      key: { type: 'object', description: KEY },
      expect: { type: 'object', description: EXPECT },
      actions: { ...properties.actions, items: { $ref: '#/definitions/action' } },
      steps: { ...properties.steps, items: { $ref: '#/definitions/step' } },
      notify: oneTarget(properties.notify),
    },
    if: { required: ['reconcile'] },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own word.
    then: {
      required: ['key'],
      properties: without([...OWN_KEYS.operation, ...OWN_KEYS.steps]),
      allOf: compared,
    },
    else: {
      properties: without(OWN_KEYS.reconcile.filter((key) => key !== 'reconcile')),
      if: { required: ['steps'] },
      // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own word.
      then: { properties: without(OWN_KEYS.operation) },
      else: { required: ['operation'], allOf: maps },
    },
    definitions,
  };
}

const JOB_MAP =
  'Fields of the request and the columns they come from; left out, headers are field names or paths.';
const ACTION_MAP =
  "Fields of the request and where they come from: the source's columns, and columns named expected.FIELD and actual.FIELD.";
const KEY = 'What names a record, and the columns it comes from.';
const EXPECT =
  'Fields of the record and the columns that say what they should be; an empty cell asks for nothing. Left out, only that the record is there.';

/** Each entry goes to one of the two, which the zod schema leaves to the program. */
function oneTarget(notify: SchemaObject | undefined): SchemaObject {
  const items = notify?.items as SchemaObject;
  return { ...notify, items: { ...items, oneOf: [{ required: ['webhook'] }, { required: ['command'] }] } };
}

function when(key: string, word: string, properties: SchemaObject): SchemaObject {
  return {
    if: { properties: { [key]: { const: word } }, required: [key] },
    // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own word.
    then: { properties },
  };
}

/** Refuses keys by their names, so that an editor underlines them and not the whole file. */
function without(keys: readonly string[]): SchemaObject {
  return Object.fromEntries(keys.map((key) => [key, false]));
}

/** JSON Schema of `license-sync.yaml`. */
export function configJsonSchema(): SchemaObject {
  const schema = convert(configSchema);
  const connection = convert(connectionSchema);
  delete connection.$schema;
  const own = connection.properties as Record<string, SchemaObject>;
  own.notify = oneTarget(own.notify);
  const approval = convert(approvalSchema);
  delete approval.$schema;
  own.approval = {
    description:
      'What is sent over it wants a second person to approve the plan: all of it (required), or plans of some operations, or of more than so many items.',
    anyOf: [{ const: 'required' }, approval],
  };
  const properties = schema.properties as Record<string, SchemaObject>;
  const server = convert(ledgerSchema);
  delete server.$schema;
  properties.ledger = {
    description:
      "SQLite file, from the folder of this file, .license-sync/ledger.db when left out; or a PostgreSQL server's, as postgres://… or in its parts.",
    anyOf: [{ type: 'string', minLength: 1 }, server],
  };
  properties.connections = {
    type: 'object',
    description: 'Connections by name; sandbox is built in.',
    additionalProperties: { $ref: '#/definitions/connection' },
  };
  properties.maps = {
    type: 'object',
    description:
      'Fragments of maps by name, which the maps of jobs use: { use: NAME, with: { parameter: text } }. $(parameter) in their values is replaced; a fragment may use others.',
    additionalProperties: { type: 'object' },
  };
  const defaults = convert(defaultsSchema);
  delete defaults.$schema;
  properties.defaults = defaults;
  return { ...schema, definitions: { connection } };
}

/** What may stand for a number, a boolean or a word: a variable, whose value the editor doesn't know. */
const VARIABLE = { type: 'string', pattern: '\\$\\{[A-Za-z_][A-Za-z0-9_]*\\}' } as const;

function convert(schema: z.ZodType): SchemaObject {
  const made = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    override: ({ jsonSchema, path }) => {
      const it = jsonSchema as SchemaObject;
      // zod writes the bounds of a safe integer, which say nothing to a person.
      if (it.maximum === Number.MAX_SAFE_INTEGER) delete it.maximum;
      // An object left out is filled in with its members' defaults; {} would only puzzle.
      if (it.type === 'object') delete it.default;
      // Unicode classes are not understood by every validator; the program's own check is the exact one.
      if (String(it.pattern).includes('\\p{')) it.pattern = '^[^\\s/\\\\_.:]{1,60}$';
      const scalar =
        ['integer', 'number', 'boolean'].includes(String(it.type)) ||
        Array.isArray(it.enum) ||
        it.pattern !== undefined;
      if (!scalar || it.const !== undefined || path.includes('anyOf')) return;
      const { description, default: fallback, ...bare } = it;
      for (const key of Object.keys(it)) delete it[key];
      if (description !== undefined) it.description = description;
      if (fallback !== undefined) it.default = fallback;
      it.anyOf = [bare, VARIABLE];
    },
  }) as SchemaObject;
  return { ...made, $schema: DRAFT };
}

function enumOf(schema: SchemaObject | undefined): readonly string[] {
  const [first] = (schema?.anyOf as readonly SchemaObject[] | undefined) ?? [schema];
  return (first?.enum as readonly string[] | undefined) ?? [];
}
