import { z } from 'zod';
import { VERSION } from '../util/own-package.js';
import { problemSchema } from './problem.js';
import { isSchema, type RawAnswer, type RawBody, type Route } from './route.js';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the routes, generated from the schemas that validate requests. */
export function openApiOf(routes: readonly Route[]): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'license-sync',
      version: VERSION,
      description: 'What the console calls; open to API tokens of `license-sync people` as well.',
    },
    servers: [{ url: '/api/v1' }],
    paths,
    components: {
      schemas: { Problem: schemaOf(problemSchema, 'output') },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API token of `license-sync people`.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'license-sync',
          description: 'Of a signed-in browser.',
        },
      },
    },
  };
}

function operationOf(route: Route): Json {
  const { body } = route;
  return {
    operationId: `${route.method}${route.path.replaceAll(/[^a-z]+(\w)/gi, (_, letter: string) => letter.toUpperCase()).replaceAll(/\W/g, '')}`,
    summary: route.summary,
    ...(route.act === undefined ? {} : { 'x-act': route.act }),
    ...(route.access === 'open' ? { security: [] } : { security: [{ bearer: [] }, { session: [] }] }),
    parameters: [...parametersOf(route.params, 'path'), ...parametersOf(route.query, 'query')],
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: !(isSchema(body) && body.safeParse(undefined).success),
            content: isSchema(body)
              ? { 'application/json': { schema: schemaOf(body, 'input') } }
              : rawContent(body),
          },
        }),
    responses: {
      [String(route.answer === undefined ? 204 : (route.status ?? 200))]: {
        description: route.summary,
        ...(route.answer === undefined
          ? {}
          : {
              content: isSchema(route.answer)
                ? { 'application/json': { schema: schemaOf(route.answer, 'output') } }
                : rawContent(route.answer),
            }),
      },
      default: {
        description: 'A problem (RFC 9457), with the codes and texts of the command line.',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}

function rawContent({ raw }: RawAnswer | RawBody): Json {
  return Object.fromEntries(raw.map((type) => [type, {}]));
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): readonly Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }));
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' }) as Json;
  return jsonSchema;
}
