import { z } from 'zod';
import { auditPage, checkAudit } from '../../app/people/audit.js';
import { render } from '../../errors/message.js';
import { route } from '../route.js';
import { auditLineSchema, checkedSchema } from './schemas.js';

const list = route({
  method: 'get',
  path: '/audit',
  summary: 'What was done and by whom, the newest first.',
  query: z.object({
    run: z.string().optional(),
    who: z.string().optional(),
    since: z.string().optional(),
    before: z.coerce.number().int().positive().optional(),
    limit: z.coerce.number().int().min(1).max(500).default(50),
  }),
  answer: z.object({ items: z.array(auditLineSchema), next: z.int().optional() }),
}).handle(async ({ context, query }) => auditPage(context.app, query));

const check = route({
  method: 'get',
  path: '/audit/check',
  summary: 'Whether the lines are a chain without a gap, each as it was written.',
  answer: checkedSchema,
}).handle(async ({ context }) => {
  const { sound, fault } = await checkAudit(context.app);
  if (!fault) return { sound };
  return { sound, fault: { n: fault.n, text: render(fault.text, context.language) } };
});

export const AUDIT_ROUTES = [list, check];
