import type { z } from 'zod';
import type { templateSchema } from '../../../routes/schemas.js';
import { apiAddress } from '../../api/client.js';
import type { ListAnswer } from '../../api/replies.js';
import { useResource } from '../../api/use-query.js';
import { Heading } from '../../parts/heading.js';
import { QueryView } from '../../parts/notices.js';
import { Table } from '../../parts/table.js';
import { language, operationText, type TextCode, t } from '../../words/language.js';

type TemplateAnswer = z.infer<typeof templateSchema>;

/** The fill-in workbooks of all operations, in the language of the page. */
export function Page() {
  const templates = useResource<ListAnswer<TemplateAnswer>>('/templates');
  return (
    <>
      <Heading name={t('common.templates')} />
      <p class="lead">{t('template.about')}</p>
      <section class="card">
        <QueryView of={templates}>
          {({ items }) => (
            <Table
              caption={t('common.templates')}
              rows={items}
              keyOf={(it) => it.operation}
              columns={[
                {
                  key: 'operation',
                  name: t('common.operation'),
                  heads: true,
                  wide: true,
                  cell: (it) => (
                    <>
                      <code>{operationText(it.operation)}</code>
                      <span class="under">{it.purpose}</span>
                    </>
                  ),
                },
                {
                  key: 'empty',
                  name: t('template.empty_one'),
                  cell: (it) => <Workbook of={it.operation} what={'template.empty_one'} />,
                },
                {
                  key: 'filled',
                  name: t('template.with_examples'),
                  cell: (it) => (
                    <Workbook of={it.operation} what={'template.with_examples'} variant="filled" />
                  ),
                },
                {
                  key: 'nested',
                  name: t('template.several_sheets'),
                  cell: (it) =>
                    it.nested ? (
                      <Workbook of={it.operation} what={'template.several_sheets'} variant="nested" />
                    ) : (
                      '–'
                    ),
                },
              ]}
            />
          )}
        </QueryView>
      </section>
    </>
  );
}

function Workbook({
  of,
  what,
  variant,
}: {
  readonly of: string;
  readonly what: TextCode;
  readonly variant?: 'filled' | 'nested';
}) {
  const query = new URLSearchParams({ lang: language.value, ...(variant ? { [variant]: 'true' } : {}) });
  return (
    <a
      href={`${apiAddress(`/templates/${of}.xlsx`)}?${query}`}
      download
      aria-label={t('template.of', { what: t(what), operation: operationText(of) })}
    >
      {t(what)}
    </a>
  );
}
