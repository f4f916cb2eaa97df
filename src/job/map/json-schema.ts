import { type Field, isDateField, isNeeded, isNested, nameOf } from '../../model/field.js';
import type { Operation } from '../../model/operation.js';
import { COLUMN_OPTIONS, EXPRESSION_OPTIONS, optionSchemas, type SchemaObject } from './leaf-options.js';
import { valueMembers } from './lookup.js';
import { type LookupTarget, lookupTargets } from './scope.js';

type Target = Pick<Operation, 'name' | 'shape' | 'place'> & Partial<Pick<Operation, 'lists' | 'endpoint'>>;

/** Name of the definition of a looked-up field. */
const LOOKUP = 'leaf.lookup';

const COLUMNS = { type: 'array', items: { type: ['string', 'number'] }, minItems: 1 } as const;

const EACH: SchemaObject = {
  description:
    'The columns whose distinct values make the elements, or another sheet whose rows are the elements.',
  anyOf: [
    COLUMNS,
    {
      type: 'object',
      properties: {
        sheet: { type: ['string', 'number'], description: 'Name of the other sheet.' },
        on: { ...COLUMNS, description: 'Columns on which its rows agree with the group.' },
      },
      required: ['sheet', 'on'],
      additionalProperties: false,
    },
  ],
};

/** The use of a fragment of `license-sync.yaml`, and its parameters. */
const USE: SchemaObject = {
  use: { $ref: '#/definitions/use' },
  with: { $ref: '#/definitions/with' },
};

const FRAGMENTS: SchemaObject = {
  use: {
    description:
      'Fragment of "maps" in license-sync.yaml that stands here, or several; own keys win, and later fragments over earlier ones.',
    anyOf: [
      { type: 'string', minLength: 1 },
      { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1 },
    ],
  },
  with: {
    type: 'object',
    description: 'The parameters of the fragment: each $(name) in its values is replaced.',
    additionalProperties: { type: ['string', 'number', 'boolean'] },
  },
};

interface MapDefinitions {
  readonly definitions: SchemaObject;
  readonly mapOf: (operation: Target) => string;
  /** Adds the definition of a branch that is not part of a request, such as a comparison's key. */
  readonly define: (name: string, shape: readonly Field[]) => void;
}

/** The maps of the operations as definitions. A list of fields that is shared or recursive is defined once. */
export function mapDefinitions(operations: readonly Target[]): MapDefinitions {
  const definitions: SchemaObject = { ...FRAGMENTS };
  const names = new Map<string, string>();
  const lookups = lookupTargets(operations);
  const lookedUp = lookups.length > 0 ? [{ $ref: `#/definitions/${LOOKUP}` }] : [];

  const branch = (name: string, shape: readonly Field[], list: boolean, sends: boolean): SchemaObject => {
    // Compared by content, because `fields` may be a getter that returns new members each time.
    const identity = `${list} ${sends} ${shape.map((field) => `${field.name}:${field.type}:${mark(field)}`).join(',')}`;
    let known = names.get(identity);
    if (known === undefined) {
      known = unused(name, definitions);
      names.set(identity, known);
      definitions[known] = {};
      definitions[known] = objectOf(shape, list ? { each: EACH } : {}, true, sends);
    }
    return { $ref: `#/definitions/${known}` };
  };

  /** Fields of one kind share a definition: there are hundreds of fields and few kinds. */
  const leaf = (field: Field, sends: boolean): SchemaObject => {
    const choices = sends ? lookedUp : undefined;
    const identity = JSON.stringify(leafSchema(field, choices, {}));
    let known = names.get(identity);
    if (known === undefined) {
      const kind = field.values ? field.name : isDateField(field) ? 'date' : field.type.replace(' ', '_');
      known = unused(`leaf.${kind}`, definitions);
      names.set(identity, known);
      definitions[known] = leafSchema(field, choices, { $ref: `#/definitions/${known}` });
    }
    return { $ref: `#/definitions/${known}` };
  };

  const node = (field: Field, sends: boolean): SchemaObject => {
    const text = { description: `${field.meaning} (${field.type}, ${field.section})` };
    if (isNested(field)) {
      const list = field.type === 'object array';
      return { ...text, allOf: [branch(`fields.${field.name}`, field.fields ?? [], list, sends)] };
    }
    return { ...text, allOf: [leaf(field, sends)] };
  };

  /** @param sends it is part of a request, whose fields may use lookups or results of earlier steps */
  function objectOf(
    shape: readonly Field[],
    more: SchemaObject,
    strict: boolean,
    sends: boolean,
  ): SchemaObject {
    const properties: SchemaObject = { ...USE, ...more };
    for (const field of shape) properties[field.name] = node(field, sends);
    const required = strict ? shape.filter(isNeeded).map((field) => field.name) : [];
    return {
      type: 'object',
      properties,
      // The program checks the fields of a fragment.
      ...(required.length > 0 ? { if: { required: ['use'] }, else: { required } } : {}),
      additionalProperties: false,
    };
  }

  if (lookups.length > 0) {
    definitions[LOOKUP] = {
      description: 'Filled from the platform while planning, asked once for each distinct request.',
      anyOf: lookups.map((it) => lookupSchema(it, objectOf(it.shape, {}, false, false))),
    };
  }
  const mapName = (operation: Target) => `map.${operation.name}`;
  for (const operation of operations) {
    const { place, shape } = operation;
    const items = place.kind === 'array' ? shape.find((field) => field.name === place.field) : undefined;
    const full = objectOf(shape, {}, true, true);
    if (!items?.fields) {
      definitions[mapName(operation)] = full;
      continue;
    }
    // The items' fields may be at the top level instead. The program then checks the required ones.
    const short = objectOf(
      [...shape.filter((field) => field !== items), ...items.fields],
      { each: EACH },
      false,
      true,
    );
    definitions[mapName(operation)] = {
      if: { required: [items.name] },
      // biome-ignore lint/suspicious/noThenProperty: a key of JSON Schema.
      then: full,
      else: short,
    };
  }
  const define = (name: string, shape: readonly Field[]): void => {
    definitions[name] = objectOf(shape, {}, true, false);
  };
  return { definitions, mapOf: mapName, define };
}

function mark(field: Field): string {
  return `${isNeeded(field)}${isDateField(field)}${(field.values ?? []).map(({ value }) => value).join('|')}${field.meaning}`;
}

function unused(name: string, definitions: SchemaObject): string {
  let unique = name;
  for (let count = 2; Object.hasOwn(definitions, unique); count += 1) unique = `${name}.${count}`;
  return unique;
}

/**
 * The allowed forms of a field of this kind.
 * @param lookedUp the schemas of lookups; absent outside of requests
 * @param self reference to the resulting definition
 */
function leafSchema(
  field: Field,
  lookedUp: readonly SchemaObject[] | undefined,
  self: SchemaObject,
): SchemaObject {
  const constant = constantOf(field);
  const column = {
    column: { type: ['string', 'number'], description: 'Header of the column.' },
    ...optionSchemas(COLUMN_OPTIONS, field, constant),
  };
  const list =
    field.type === 'String array' ? [{ type: 'array', items: { type: ['string', 'number'] } }] : [];
  const option = (properties: SchemaObject, [required]: readonly string[]): SchemaObject => ({
    type: 'object',
    properties,
    required: [required],
    additionalProperties: false,
  });
  return {
    anyOf: [
      { type: 'string', minLength: 1, description: 'Header of the column.' },
      { type: ['number', 'boolean'], description: 'A constant.' },
      option(column, ['column']),
      option({ ...column, ...USE }, ['use']),
      option({ value: { anyOf: [constant, ...list], description: 'A constant.' } }, ['value']),
      option({ template: { type: 'string', description: 'Text with columns in braces.' } }, ['template']),
      option(
        {
          expr: {
            type: 'string',
            description:
              'CEL expression on row["Column"]; in an action also on expected.FIELD and actual.FIELD, in a step on step["NAME"]["FIELD"] of earlier ones.',
          },
          ...optionSchemas(EXPRESSION_OPTIONS, field, constant),
        },
        ['expr'],
      ),
      ...(lookedUp
        ? [
            ...lookedUp,
            option(
              {
                from: {
                  type: 'string',
                  description: 'In a step: the result of an earlier one, such as customer.customerId.',
                },
                else: { ...self, description: 'Value for rows that were excluded from that step.' },
              },
              ['from'],
            ),
          ]
        : []),
    ],
  };
}

/** @param request the schema of the lookup's request */
function lookupSchema({ name, record }: LookupTarget, request: SchemaObject): SchemaObject {
  const constant = { type: ['string', 'number', 'boolean'] };
  return {
    type: 'object',
    properties: {
      lookup: { const: name, description: 'The operation that is asked.' },
      with: { ...request, description: 'Its request.' },
      where: {
        type: 'string',
        description: 'CEL condition on each record["member"] of the reply, and row["Column"].',
      },
      take: { enum: valueMembers(record), description: 'The member of the record that fills the field.' },
      onNone: {
        description: 'What holds where no record is found.',
        anyOf: [
          { enum: ['fault', 'empty'] },
          {
            type: 'object',
            properties: { value: constant },
            required: ['value'],
            additionalProperties: false,
          },
        ],
      },
      onMany: { enum: ['fault', 'first'], description: 'What holds where several are found.' },
    },
    required: ['lookup', 'with', 'take'],
    additionalProperties: false,
  };
}

function constantOf(field: Field): SchemaObject {
  if (!field.values) return { type: ['string', 'number', 'boolean'] };
  const words = field.values.flatMap((allowed) => [
    allowed.value,
    ...new Set([nameOf(allowed, 'en'), nameOf(allowed, 'zh')]),
  ]);
  const asText = words.flatMap((word) => (typeof word === 'number' ? [word, String(word)] : [word]));
  const meanings = field.values
    .map((allowed) => `${allowed.value}: ${nameOf(allowed, 'en')}, ${nameOf(allowed, 'zh')}`)
    .join('; ');
  return { anyOf: [{ enum: asText }, { type: 'string', pattern: '\\$\\{' }], description: meanings };
}
