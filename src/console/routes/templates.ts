import { z } from 'zod';
import { templateFile, templatesData } from '../../app/template.js';
import { file, route } from '../route.js';
import { templateSchema } from './schemas.js';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const list = route({
  method: 'get',
  path: '/templates',
  summary: 'Workbooks to fill in, one for each operation.',
  answer: z.object({
    items: z.array(templateSchema),
  }),
}).handle(async ({ context }) => ({ items: templatesData(context.language) }));

const download = route({
  method: 'get',
  path: '/templates/{operation}',
  summary: 'A workbook to fill in. `filled`: with example rows; `nested`: several sheets.',
  params: z.object({ operation: z.string() }),
  query: z.object({
    filled: z.enum(['true', 'false']).optional(),
    nested: z.enum(['true', 'false']).optional(),
    lang: z.enum(['en', 'zh']).optional(),
  }),
  answer: file(XLSX),
}).handle(async ({ context, params, query }) => {
  const name = params.operation.replace(/\.xlsx$/, '');
  const wish = { filled: query.filled === 'true', nested: query.nested === 'true' };
  const language = query.lang ?? context.language;
  const made = await templateFile({ ...context.app, language }, name, wish);
  return new Response(made.content as Uint8Array<ArrayBuffer>, {
    headers: { 'content-type': XLSX, 'content-disposition': `attachment; filename="${made.name}"` },
  });
});

export const TEMPLATE_ROUTES = [list, download];
