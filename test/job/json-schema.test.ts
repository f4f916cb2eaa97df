import { describe, expect, it } from 'vitest';
import { configJsonSchema, jobJsonSchema } from '../../src/job/json-schema.js';
import { COMPARISONS, OPERATIONS } from './fixture.js';

type Node = { readonly [key: string]: unknown };

const SCHEMA = jobJsonSchema(OPERATIONS, COMPARISONS);

function find(schema: unknown, path: string): Node {
  return path.split('/').reduce((at, step) => (at as Node)?.[step], schema) as Node;
}

/** Every `$ref` in a schema. */
function refs(schema: unknown): readonly string[] {
  if (schema === null || typeof schema !== 'object') return [];
  const own = (schema as Node).$ref;
  const inner = Object.values(schema).flatMap(refs);
  return typeof own === 'string' ? [own, ...inner] : inner;
}

describe('the JSON Schema of a job', () => {
  it('is draft 7, closed, and the same each time', () => {
    expect(SCHEMA.$schema).toBe('http://json-schema.org/draft-07/schema#');
    expect(SCHEMA.additionalProperties).toBe(false);
    expect(SCHEMA.required).toEqual(['version', 'name', 'source']);
    expect(JSON.stringify(jobJsonSchema(OPERATIONS, COMPARISONS))).toBe(JSON.stringify(SCHEMA));
  });

  it('has the defaults and words of the check itself', () => {
    expect(find(SCHEMA, 'properties/run/properties/concurrency')).toMatchObject({ default: 8 });
    expect(find(SCHEMA, 'properties/run/properties/onInvalid/anyOf/0')).toEqual({
      type: 'string',
      enum: ['abort', 'skip'],
    });
    expect(find(SCHEMA, 'properties/safety/properties/duplicates').description).toMatch(/earlier run/);
    expect(find(SCHEMA, 'properties/source').required).toEqual(['file']);
  });

  it('lets a variable stand for a number, a boolean, a word and a duration', () => {
    for (const path of [
      'run/properties/concurrency',
      'run/properties/timeout',
      'safety/properties/allowDeleteFromAllOrders',
      'operation',
    ]) {
      const choices = find(SCHEMA, `properties/${path}`).anyOf as readonly Node[];
      expect(choices.some((one) => one.type === 'string' && String(one.pattern).startsWith('\\$'))).toBe(
        true,
      );
    }
  });

  it('has no pattern that needs Unicode classes', () => {
    expect(JSON.stringify(SCHEMA)).not.toContain('\\p{');
  });

  it('resolves every reference, also of fields that hold themselves', () => {
    const all = refs(SCHEMA);
    expect(all.length).toBeGreaterThan(10);
    for (const ref of all) expect(find(SCHEMA, ref.replace('#/', '')), ref).toBeTypeOf('object');
    expect(refs(find(SCHEMA, 'definitions/fields.children'))).toContain('#/definitions/fields.children');
  });

  it('gives each operation its map, with what it must have', () => {
    const cases = find(SCHEMA, 'else/else').allOf as readonly Node[];
    expect(cases.map((one) => find(one, 'if/properties/operation/const'))).toEqual(
      OPERATIONS.map((one) => one.name),
    );
    expect(find(SCHEMA, 'definitions/map.asset.lock')).toMatchObject({
      else: { required: ['assetNums', 'operatorIdentity'] },
      additionalProperties: false,
    });
    const order = find(SCHEMA, 'definitions/map.order.new_buy');
    expect(find(order, 'then/else').required).toEqual(['channelCode', 'orderList']);
    expect(Object.keys(find(order, 'else/properties'))).toEqual(
      expect.arrayContaining(['each', 'channelCode', 'customerName', 'assets']),
    );
    expect(find(order, 'else/properties/customerName').description).toBe(
      'Meaning of customerName (String, §2.3)',
    );
  });

  it('distinguishes the three kinds of job', () => {
    expect(SCHEMA.if).toEqual({ required: ['reconcile'] });
    expect(find(SCHEMA, 'then')).toMatchObject({
      required: ['key'],
      properties: { operation: false, map: false, batch: false, steps: false },
    });
    expect(find(SCHEMA, 'else')).toMatchObject({
      properties: { key: false, expect: false, extra: false, actions: false },
      if: { required: ['steps'] },
      // biome-ignore lint/suspicious/noThenProperty: JSON Schema's own word.
      then: { properties: { operation: false, map: false, batch: false } },
      else: { required: ['operation'] },
    });
  });

  it('gives each step its map, whose leaves may take from earlier steps', () => {
    expect(find(SCHEMA, 'properties/steps/items').$ref).toBe('#/definitions/step');
    const step = find(SCHEMA, 'definitions/step');
    expect(step.required).toEqual(['name', 'operation']);
    expect((step.allOf as readonly Node[]).map((one) => find(one, 'if/properties/operation/const'))).toEqual(
      OPERATIONS.map((one) => one.name),
    );
    const own = find(SCHEMA, 'definitions/map.asset.lock/properties/operatorIdentity/allOf/0').$ref as string;
    const leaf = find(SCHEMA, own.replace('#/', '')).anyOf as readonly Node[];
    const from = leaf.find((it) => find(it, 'properties')?.from !== undefined);
    expect(find(from, 'properties/else').$ref).toBe(own);
  });

  it('gives each comparison its key and what can be expected', () => {
    const cases = find(SCHEMA, 'then').allOf as readonly Node[];
    expect(cases.map((one) => find(one, 'then/properties/key').$ref)).toEqual([
      '#/definitions/key.asset',
      '#/definitions/key.enterprise',
    ]);
    expect(find(SCHEMA, 'definitions/key.asset')).toMatchObject({
      else: { required: ['enterpriseGlobalId', 'assetNum'] },
      additionalProperties: false,
    });
    // What has a default need not be given.
    expect(find(SCHEMA, 'definitions/key.enterprise/else').required).toEqual([
      'channelCode',
      'channelCustomerId',
    ]);
    const expected = find(SCHEMA, 'definitions/expect.asset');
    expect(expected.else).toBeUndefined();
    expect(Object.keys(find(expected, 'properties'))).toEqual([
      'use',
      'with',
      'id',
      'assetNum',
      'locked',
      'limitEndTime',
      'assignStatus',
    ]);
    const assigned = find(expected, 'properties/assignStatus/allOf/0').$ref as string;
    expect(Object.keys(find(find(SCHEMA, assigned.replace('#/', '')), 'properties'))).toEqual([
      'use',
      'with',
      'assignMemberId',
    ]);
  });

  it('gives each action the map of its operation', () => {
    expect(find(SCHEMA, 'properties/actions/items')).toEqual({ $ref: '#/definitions/action' });
    const action = find(SCHEMA, 'definitions/action');
    expect(action).toMatchObject({ required: ['on', 'operation', 'map'], additionalProperties: false });
    expect((action.allOf as readonly Node[]).map((one) => find(one, 'then/properties/map').$ref)).toEqual(
      OPERATIONS.map((one) => `#/definitions/map.${one.name}`),
    );
  });

  it('explains each word, and each key that a person can write', () => {
    expect(find(SCHEMA, 'properties/reconcile/anyOf/0')).toEqual({
      type: 'string',
      enum: ['asset', 'enterprise'],
      markdownEnumDescriptions: ['compares assets', 'compares customers'],
    });
    const bare = (schema: Node, path: string): readonly string[] =>
      Object.entries((schema.properties ?? {}) as Record<string, Node>).flatMap(([key, inner]) => [
        ...(inner.description === undefined && inner.const === undefined ? [`${path}.${key}`] : []),
        ...bare(inner, `${path}.${key}`),
        ...bare((inner.items ?? {}) as Node, `${path}.${key}`),
      ]);
    expect(bare(SCHEMA, '')).toEqual([]);
    expect(bare(find(SCHEMA, 'definitions/action'), '')).toEqual([]);
  });

  it('requires one target of each notification', () => {
    const targets = [{ required: ['webhook'] }, { required: ['command'] }];
    expect(find(SCHEMA, 'properties/notify/items').oneOf).toEqual(targets);
    const connection = find(configJsonSchema(), 'definitions/connection');
    expect(find(connection, 'properties/notify/items').oneOf).toEqual(targets);
  });

  it('offers the options that fit a field', () => {
    const date = JSON.stringify(find(SCHEMA, 'definitions/leaf.date'));
    expect(date).toContain('"format"');
    expect(date).not.toContain('"split"');
    expect(JSON.stringify(find(SCHEMA, 'definitions/leaf.String_array'))).toContain('"split"');
    expect(JSON.stringify(find(SCHEMA, 'definitions/leaf.licenseType'))).toContain('"cloud_account"');
  });
});

describe('the JSON Schema of license-sync.yaml', () => {
  it('describes each connection', () => {
    const schema = configJsonSchema();
    for (const ref of refs(schema)) expect(find(schema, ref.replace('#/', '')), ref).toBeTypeOf('object');
    expect(Object.keys(find(schema, 'definitions/connection/properties'))).toEqual([
      'baseUrl',
      'platform',
      'appKey',
      'token',
      'requestsPerSecond',
      'maxInFlight',
      'idleReuse',
      'timestamps',
      'timezone',
      'allowInsecureHttp',
      'confirm',
      'retryCode500',
      'approval',
      'notify',
    ]);
  });

  it('describes the defaults of all jobs and of each operation, without the file that a job names itself', () => {
    const defaults = find(configJsonSchema(), 'properties/defaults');
    expect(Object.keys(find(defaults, 'properties')).slice(0, 5)).toEqual([
      'run',
      'safety',
      'batch',
      'source',
      'enterprise.bind',
    ]);
    expect(find(defaults, 'properties/asset.lock/properties/batch/properties/size')).toBeTypeOf('object');
    expect(find(defaults, 'properties/source/properties').file).toBeUndefined();
    expect(find(configJsonSchema(), 'properties/maps')).toMatchObject({ type: 'object' });
  });
});
