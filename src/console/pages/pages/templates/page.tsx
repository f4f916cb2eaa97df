import type { z } from 'zod';
import type { templateSchema } from '../../../routes/schemas.js';
import { apiAddress, ask } from '../../api/client.js';
import { useAsked } from '../../api/use-asked.js';
import { Heading } from '../../parts/heading.js';
import { Asked } from '../../parts/notices.js';
import { Table } from '../../parts/table.js';
import { COMMON } from '../../words/common.js';
import { language, type PageWord, say } from '../../words/language.js';
import { TEMPLATES } from '../../words/templates.js';

type TemplateAnswer = z.infer<typeof templateSchema>;

/** `Templates`: a workbook to fill in for each operation, in the language of the page. */
export function Page() {
  const templates = useAsked('templates', (signal) =>
    ask<{ readonly items: readonly TemplateAnswer[] }>('/templates', { signal }),
  );
  return (
    <>
      <Heading name={say(COMMON.templates)} />
      <p class="lead">{say(TEMPLATES.about)}</p>
      <section class="card">
        <Asked of={templates}>
          {({ items }) => (
            <Table
              caption={say(COMMON.templates)}
              rows={items}
              keyOf={(it) => it.operation}
              columns={[
                {
                  key: 'operation',
                  name: say(TEMPLATES.operation),
                  heads: true,
                  wide: true,
                  cell: (it) => (
                    <>
                      <code>{it.operation}</code>
                      <span class="under">{it.purpose}</span>
                    </>
                  ),
                },
                {
                  key: 'empty',
                  name: say(TEMPLATES.empty_one),
                  cell: (it) => <Workbook of={it.operation} what={TEMPLATES.empty_one} />,
                },
                {
                  key: 'filled',
                  name: say(TEMPLATES.with_examples),
                  cell: (it) => <Workbook of={it.operation} what={TEMPLATES.with_examples} wish="filled" />,
                },
                {
                  key: 'nested',
                  name: say(TEMPLATES.several_sheets),
                  cell: (it) =>
                    it.nested ? (
                      <Workbook of={it.operation} what={TEMPLATES.several_sheets} wish="nested" />
                    ) : (
                      '–'
                    ),
                },
              ]}
            />
          )}
        </Asked>
      </section>
    </>
  );
}

function Workbook({
  of,
  what,
  wish,
}: {
  readonly of: string;
  readonly what: PageWord;
  readonly wish?: 'filled' | 'nested';
}) {
  const query = new URLSearchParams({ lang: language.value, ...(wish ? { [wish]: 'true' } : {}) });
  return (
    <a
      href={`${apiAddress(`/templates/${of}.xlsx`)}?${query}`}
      download
      aria-label={say(TEMPLATES.of, { what: say(what), operation: of })}
    >
      .xlsx
    </a>
  );
}
