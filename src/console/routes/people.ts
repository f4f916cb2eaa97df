import { z } from 'zod';
import { addPerson, listPeople, personData, removePerson, renewToken } from '../../app/people/people.js';
import { ROLES } from '../../model/person.js';
import { route } from '../route.js';
import { personSchema, tokenSchema } from './schemas.js';

const nameSchema = z.object({ name: z.string() });

const list = route({
  method: 'get',
  path: '/people',
  summary: 'Whom the ledger knows, and what each may do.',
  answer: z.object({ items: z.array(personSchema) }),
}).handle(async ({ context }) => {
  const found = await listPeople(context.app);
  return { items: 'none' in found ? [] : found.people.map(personData) };
});

const add = route({
  method: 'post',
  path: '/people',
  summary: 'Adds a person; the API token is told in this answer and never again.',
  act: 'people',
  body: z.strictObject({
    name: z.string(),
    roles: z.array(z.enum(ROLES)).min(1),
    subject: z.string().optional(),
    expires: z.string().optional(),
  }),
  answer: tokenSchema,
  status: 201,
}).handle(async ({ context, body: { name, roles, ...more } }) => {
  const { person, token } = await addPerson(context.app, name, { role: roles, ...more });
  return { person: personData(person), token };
});

const remove = route({
  method: 'delete',
  path: '/people/{name}',
  summary: 'Removes a person; what they did stays told.',
  act: 'people',
  params: nameSchema,
}).handle(async ({ context, params }) => {
  await removePerson(context.app, params.name);
  return undefined;
});

const renew = route({
  method: 'post',
  path: '/people/{name}/token',
  summary: 'A new API token for a person; the one before ends.',
  act: 'people',
  params: nameSchema,
  body: z.strictObject({ expires: z.string().optional() }),
  answer: tokenSchema,
}).handle(async ({ context, params, body }) => {
  const { person, token } = await renewToken(context.app, params.name, body);
  return { person: personData(person), token };
});

export const PEOPLE_ROUTES = [list, add, remove, renew];
