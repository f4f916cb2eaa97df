import { z } from 'zod';
import { auditCsv, auditPage, checkAudit, policyWords } from '../../app/audit.js';
import {
  addPerson,
  confirmPerson,
  liftPolicies,
  listPeople,
  listPolicies,
  personData,
  policyData,
  removePerson,
  renewToken,
} from '../../app/people.js';
import { render } from '../../errors/message.js';
import { ROLES } from '../../model/console.js';
import { file, route } from '../route.js';
import { TYPES } from './downloads.js';
import { auditPageSchema, checkedSchema, personSchema, policySchema, tokenSchema } from './schemas.js';

const nameSchema = z.object({ name: z.string() });
const auditFilters = z.object({
  run: z.string().optional(),
  who: z.string().optional(),
  act: z.string().optional(),
  since: z.string().optional(),
  until: z.string().optional(),
});

export const PEOPLE_ROUTES = [
  route({
    method: 'get',
    path: '/people',
    summary: 'Whom the ledger knows, and what each may do.',
    answer: z.object({ items: z.array(personSchema) }),
  }).handle(async ({ context }) => {
    const found = await listPeople(context.app);
    return { items: 'none' in found ? [] : [...found.people] };
  }),
  route({
    method: 'post',
    path: '/people',
    summary: 'Adds a person; the API token is returned only once, in this response.',
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
  }),
  route({
    method: 'delete',
    path: '/people/{name}',
    summary: 'Removes a person; their audit entries stay.',
    act: 'people',
    params: nameSchema,
  }).handle(async ({ context, params }) => {
    await removePerson(context.app, params.name);
  }),
  route({
    method: 'post',
    path: '/people/{name}/token',
    summary: 'A new API token for a person, and new roles if given; the token before and the sessions end.',
    act: 'people',
    params: nameSchema,
    body: z.strictObject({
      expires: z.string().optional(),
      roles: z.array(z.enum(ROLES)).min(1).optional(),
    }),
    answer: tokenSchema,
  }).handle(async ({ context, params, body: { expires, roles } }) => {
    const { person, token } = await renewToken(context.app, params.name, { expires, role: roles });
    return { person: personData(person), token };
  }),
  route({
    method: 'post',
    path: '/people/{name}/confirm',
    summary:
      'Confirms a person to whom another admin gave access: the person may approve the plans of that admin within 7 days, too.',
    act: 'people',
    params: nameSchema,
    answer: z.object({ name: z.string(), by: z.string() }),
  }).handle(async ({ context, params }) => confirmPerson(context.app, params.name)),
  route({
    method: 'get',
    path: '/policies',
    summary: 'Hosts whose plans require approval according to the ledger, whatever the settings say.',
    answer: z.object({ items: z.array(policySchema) }),
  }).handle(async ({ context }) => {
    const found = await listPolicies(context.app);
    const policies = 'none' in found ? [] : found.policies;
    return {
      items: policies.map((it) => ({
        ...policyData(it),
        words: render(policyWords(it.policy), context.language),
      })),
    };
  }),
  route({
    method: 'delete',
    path: '/policies/{host}',
    summary:
      'Removes the policy of a host, until a plan for it is created under settings that require approval.',
    act: 'people',
    params: z.object({ host: z.string() }),
  }).handle(async ({ context, params }) => {
    await liftPolicies(context.app, params.host);
  }),
  route({
    method: 'get',
    path: '/audit',
    summary: 'What was done and by whom, the newest first.',
    query: auditFilters.extend({
      before: z.coerce.number().int().positive().optional(),
      limit: z.coerce.number().int().min(1).max(500).default(50),
    }),
    answer: auditPageSchema,
  }).handle(async ({ context, query }) => auditPage(context.app, query)),
  route({
    method: 'get',
    path: '/audit/csv',
    summary: 'All entries of the audit that match the filters, the oldest first.',
    query: auditFilters,
    answer: file(TYPES.csv),
  }).handle(async ({ context, query }) => {
    const headers = {
      'content-type': TYPES.csv,
      'content-disposition': 'attachment; filename="audit.csv"',
      'cache-control': 'no-store',
    };
    return new Response(auditCsv(context.app, query), { headers });
  }),
  route({
    method: 'get',
    path: '/audit/check',
    summary: 'Whether the lines are a chain without a gap, each as it was written.',
    answer: checkedSchema,
  }).handle(async ({ context }) => {
    const { sound, fault } = await checkAudit(context.app);
    if (!fault) return { sound };
    return { sound, fault: { n: fault.n, text: render(fault.text, context.language) } };
  }),
];
