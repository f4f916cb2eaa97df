import { describe, expect, it } from 'vitest';
import { configJsonSchema, jobJsonSchema } from '../../src/job/json-schema.js';
import { OPERATIONS } from './fixture.js';

type Node = { readonly [key: string]: unknown };

const SCHEMA = jobJsonSchema(OPERATIONS);

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
    expect(SCHEMA.required).toEqual(['version', 'name', 'source', 'operation']);
    expect(JSON.stringify(jobJsonSchema(OPERATIONS))).toBe(JSON.stringify(SCHEMA));
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
    const cases = SCHEMA.allOf as readonly Node[];
    expect(cases.map((one) => find(one, 'if/properties/operation/const'))).toEqual(
      OPERATIONS.map((one) => one.name),
    );
    expect(find(SCHEMA, 'definitions/map.asset.lock')).toMatchObject({
      required: ['assetNums', 'operatorIdentity'],
      additionalProperties: false,
    });
    const order = find(SCHEMA, 'definitions/map.order.new_buy');
    expect(find(order, 'then').required).toEqual(['channelCode', 'orderList']);
    expect(Object.keys(find(order, 'else/properties'))).toEqual(
      expect.arrayContaining(['each', 'channelCode', 'customerName', 'assets']),
    );
    expect(find(order, 'else/properties/customerName').description).toBe(
      'Meaning of customerName (String, §2.3)',
    );
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
      'appKey',
      'token',
      'requestsPerSecond',
      'timestamps',
      'timezone',
      'allowInsecureHttp',
      'confirm',
      'retryCode500',
    ]);
  });
});
