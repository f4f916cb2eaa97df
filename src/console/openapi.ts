import { z } from 'zod';
import { VERSION } from '../util/own-package.js';
import { problemSchema } from './problem.js';
import { isSchema, type RawAnswer, type RawBody, type Route } from './route.js';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the routes, made of the schemas that check what is sent. */
export function openApiOf(routes: readonly Route[]): Json {
  const paths: Record<string, Json> = {};
  for (const it of routes) {
    paths[it.path] = { ...paths[it.path], [it.method]: operationOf(it) };
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

function operationOf(it: Route): Json {
  const { body } = it;
  return {
    operationId: `${it.method}${it.path.replaceAll(/[^a-z]+(\w)/gi, (_, letter: string) => letter.toUpperCase()).replaceAll(/\W/g, '')}`,
    summary: it.summary,
    ...(it.act === undefined ? {} : { 'x-act': it.act }),
    ...(it.access === 'open' ? { security: [] } : { security: [{ bearer: [] }, { session: [] }] }),
    parameters: [...parametersOf(it.params, 'path'), ...parametersOf(it.query, 'query')],
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
      [String(it.answer === undefined ? 204 : (it.status ?? 200))]: {
        description: it.summary,
        ...(it.answer === undefined
          ? {}
          : {
              content: isSchema(it.answer)
                ? { 'application/json': { schema: schemaOf(it.answer, 'output') } }
                : rawContent(it.answer),
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
  const { $schema: _, ...made } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' }) as Json;
  return made;
}
