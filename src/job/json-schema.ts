import { z } from 'zod';
import type { Operation } from '../model/operation.js';
import { mapDefinitions, type SchemaObject } from './map/json-schema.js';
import { configSchema, connectionSchema } from './schema/connection.js';
import { jobSchema } from './schema/job.js';

const DRAFT = 'http://json-schema.org/draft-07/schema#';

export type SchemaOperation = Pick<Operation, 'name' | 'purpose' | 'shape' | 'place'>;

/**
 * JSON Schema (draft 7, for yaml-language-server) of the job file: made from the schemas that check it, the map from
 * the operations' fields. The same input gives the same text.
 */
export function jobJsonSchema(operations: readonly SchemaOperation[]): SchemaObject {
  const schema = convert(jobSchema);
  const { definitions, mapOf } = mapDefinitions(operations);
  const properties = schema.properties as Record<string, SchemaObject>;
  properties.operation = {
    ...properties.operation,
    // Editors show these beside the words they offer.
    markdownEnumDescriptions: enumOf(properties.operation).map(
      (name) => operations.find((one) => one.name === name)?.purpose ?? '',
    ),
  };
  properties.map = {
    type: 'object',
    description:
      'Fields of the request and the columns they come from; left out, headers are field names or paths.',
  };
  return {
    ...schema,
    allOf: operations.map((operation) => ({
      if: { properties: { operation: { const: operation.name } }, required: ['operation'] },
      // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own word.
      then: { properties: { map: { $ref: `#/definitions/${mapOf(operation)}` } } },
    })),
    definitions,
  };
}

/** JSON Schema of `license-sync.yaml`. */
export function configJsonSchema(): SchemaObject {
  const schema = convert(configSchema);
  const connection = convert(connectionSchema);
  delete connection.$schema;
  const properties = schema.properties as Record<string, SchemaObject>;
  properties.connections = {
    type: 'object',
    description: 'Connections by name; sandbox is built in.',
    additionalProperties: { $ref: '#/definitions/connection' },
  };
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
