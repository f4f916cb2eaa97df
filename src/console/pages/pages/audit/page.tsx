import { useState } from 'preact/hooks';
import type { z } from 'zod';
import type { auditLineSchema, auditPageSchema, checkedSchema } from '../../../routes/schemas.js';
import { apiAddress, getJson } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { useResource } from '../../api/use-query.js';
import { Choice, Field } from '../../parts/field.js';
import { Heading } from '../../parts/heading.js';
import { changeFilter, listFilters, Pager } from '../../parts/links.js';
import { announce, EmptyState, Notice, ProblemNotice, QueryView } from '../../parts/notices.js';
import { Sign } from '../../parts/status.js';
import { Table, Time } from '../../parts/table.js';
import { t } from '../../words/language.js';

type AuditLineAnswer = z.infer<typeof auditLineSchema>;

type CheckedAnswer = z.infer<typeof checkedSchema>;

const FILTERS = ['run', 'who', 'act', 'since', 'until'] as const;
const PAGE_ROWS = 50;

/** The audit, newest first, with a check of its integrity. */
export function Page() {
  const { typed, filters, filtered, before } = listFilters(FILTERS);
  const lines = useResource<z.infer<typeof auditPageSchema>>('/audit', {
    query: { ...filters, before, limit: PAGE_ROWS },
  });
  const [checked, setChecked] = useState<CheckedAnswer>();
  const check = useAction(async () => {
    const answer = await getJson<CheckedAnswer>('/audit/check');
    setChecked(answer);
    announce(checkedText(answer));
  });
  const set = Object.entries(filters).filter(([, value]) => value !== '');
  return (
    <>
      <Heading name={t('common.audit')}>
        <a class="button" href={apiAddress(`/audit/csv?${new URLSearchParams(set)}`)} download>
          {t('audit.export')}
        </a>
        <button type="button" disabled={check.busy} onClick={() => void check.run()}>
          {t(check.busy ? 'audit.checking' : 'audit.check')}
        </button>
      </Heading>
      <p class="lead">{t('audit.about')}</p>
      {check.problem && <ProblemNotice problem={check.problem} />}
      {checked && (
        <Notice tone={checked.fault ? 'doubt' : 'good'}>
          <p class="first">{checkedText(checked)}</p>
          {checked.fault && <p>{checked.fault.text}</p>}
        </Notice>
      )}
      <search class="filters" aria-label={t('common.filter')}>
        <Field
          label={t('common.person')}
          type="search"
          value={typed.who ?? ''}
          change={changeFilter('who')}
        />
        <Field label={t('kind.run')} type="search" value={typed.run ?? ''} change={changeFilter('run')} />
        <Choice
          label={t('audit.act')}
          value={typed.act ?? ''}
          change={changeFilter('act')}
          options={[
            { value: '', name: t('audit.every_act') },
            ...(lines.value?.acts ?? []).map((it) => ({ value: it.act, name: it.name })),
          ]}
        />
        <Field
          label={t('audit.since')}
          type="date"
          value={typed.since ?? ''}
          change={changeFilter('since')}
        />
        <Field
          label={t('audit.until')}
          type="date"
          value={typed.until ?? ''}
          change={changeFilter('until')}
        />
        {filtered && (
          <a class="button" href="/audit">
            {t('common.clear_filters')}
          </a>
        )}
      </search>
      <section class="card" aria-busy={lines.busy}>
        <QueryView of={lines}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState title={t(filtered ? 'audit.no_match' : 'audit.empty')} />
            ) : (
              <Lines lines={items} />
            )
          }
        </QueryView>
      </section>
      {lines.value && <Pager by="before" next={lines.value.next} />}
    </>
  );
}

function Lines({ lines }: { readonly lines: readonly AuditLineAnswer[] }) {
  return (
    <Table
      caption={t('common.audit')}
      rows={lines}
      keyOf={(it) => it.n}
      columns={[
        { key: 'n', name: '#', numeric: true, cell: (it) => it.n },
        { key: 'at', name: t('audit.at'), cell: (it) => <Time at={it.at} seconds /> },
        { key: 'who', name: t('common.person'), heads: true, cell: (it) => it.who },
        {
          key: 'act',
          name: t('audit.act'),
          cell: (it) => (it.act === 'denied' ? <Denied act={it.words.act} /> : it.words.act),
        },
        {
          key: 'run',
          name: t('kind.run'),
          cell: (it) =>
            it.run === null ? (
              '–'
            ) : (
              <a class="run" href={`/runs/${encodeURIComponent(it.run)}`}>
                {it.run}
              </a>
            ),
        },
        { key: 'detail', name: t('audit.detail'), wide: true, cell: (it) => it.words.detail },
      ]}
    />
  );
}

function Denied({ act }: { readonly act: string }) {
  return (
    <span class="badge s-failed">
      <Sign of="✕" />
      {act}
    </span>
  );
}

function checkedText({ sound, fault }: CheckedAnswer): string {
  return fault ? t('audit.broken', { n: fault.n, count: sound }) : t('audit.consistent', { count: sound });
}
