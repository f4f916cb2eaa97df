import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../src/console/routes/index.js';
import { startConsole, type TestConsole } from '../support/console.js';

type Json = Record<string, unknown>;
type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly { name: string; in: string; required: boolean; schema: Json }[];
  readonly requestBody?: { content: Record<string, { schema?: Json }> };
  readonly responses: Record<string, { description: string; content?: Record<string, { schema?: Json }> }>;
};

let fixture: TestConsole;
let document: {
  openapi: string;
  info: Json;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Json };
};

beforeAll(async () => {
  fixture = await startConsole();
  document = (await (await fixture.ask('/api/v1/openapi.json')).json()) as typeof document;
});
afterAll(() => fixture.close());

const operations = (): readonly Operation[] =>
  Object.values(document.paths).flatMap((it) => Object.values(it));

describe('the OpenAPI document', () => {
  it('is of version 3.1, and names every endpoint, and no other', () => {
    expect(document.openapi).toMatch(/^3\.1\.\d+$/);
    expect(document.info).toMatchObject({ title: 'license-sync', version: expect.any(String) });
    const named = Object.entries(document.paths).flatMap(([path, it]) =>
      Object.keys(it).map((method) => `${method} ${path}`),
    );
    expect(named.sort()).toEqual(ROUTES.map(({ method, path }) => `${method} ${path}`).sort());
    expect(ROUTES.length).toBe(new Set(ROUTES.map(({ method, path }) => `${method} ${path}`)).size);
  });

  it('keeps the rules of OpenAPI: operations by one name each, every part of a path a required parameter', () => {
    const ids = operations().map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [path, methods] of Object.entries(document.paths)) {
      expect(path).toMatch(/^\/[^?#]*[^/]$/);
      const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
      for (const [method, { parameters, summary, responses }] of Object.entries(methods)) {
        expect(['get', 'post', 'delete']).toContain(method);
        expect(summary).toMatch(/\.$/);
        const inPath = parameters.filter((it) => it.in === 'path');
        expect(inPath.map(({ name }) => name).sort()).toEqual(parts);
        expect(inPath.every(({ required }) => required)).toBe(true);
        const named = parameters.map((it) => `${it.in} ${it.name}`);
        expect(new Set(named).size).toBe(named.length);
        expect(Object.keys(responses)).toContain('default');
        for (const [status, { description }] of Object.entries(responses)) {
          expect(status).toMatch(/^(2\d\d|default)$/);
          expect(description).not.toBe('');
        }
      }
    }
  });

  it('describes by schemas that are valid (JSON Schema 2020-12)', () => {
    const schemas = [
      ...Object.values(document.components.schemas),
      ...operations().flatMap(({ parameters, requestBody, responses }) => [
        ...parameters.map(({ schema }) => schema),
        ...Object.values(requestBody?.content ?? {}).map(({ schema }) => schema),
        ...Object.values(responses).flatMap(({ content }) =>
          Object.values(content ?? {}).map(({ schema }) => schema),
        ),
      ]),
    ].filter((it) => it !== undefined);
    // A package of the tests' packages: it is there wherever they are.
    const require = createRequire(import.meta.url);
    const { default: Ajv2020 } = require('ajv/dist/2020.js') as {
      default: new (
        options: Json,
      ) => { compile(schema: unknown): unknown; addFormat(name: string, it: true): void };
    };
    const ajv = new Ajv2020({ strict: false });
    for (const format of ['date-time', 'date', 'uuid', 'uri']) ajv.addFormat(format, true);
    const isReference = (it: unknown): boolean => JSON.stringify(it).includes('#/components/');
    for (const schema of schemas) if (!isReference(schema)) expect(() => ajv.compile(schema)).not.toThrow();
    expect(schemas.length).toBeGreaterThan(operations().length / 2);
  });

  it('holds no data, so that it is open', () => {
    expect(JSON.stringify(document)).not.toContain(fixture.folder);
  });
});
