import { useState } from 'preact/hooks';
import type { z } from 'zod';
import type { auditLineSchema, checkedSchema } from '../../../routes/schemas.js';
import { ask } from '../../api/client.js';
import { useAct } from '../../api/use-act.js';
import { useAsked } from '../../api/use-asked.js';
import { Field } from '../../parts/field.js';
import { Heading } from '../../parts/heading.js';
import { announce } from '../../parts/live.js';
import { Asked, EmptyState, Notice, ProblemNotice } from '../../parts/notices.js';
import { changeFilter, listFilters, Pager } from '../../parts/pager.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { AUDIT } from '../../words/audit.js';
import { COMMON } from '../../words/common.js';
import { say } from '../../words/language.js';

type AuditLineAnswer = z.infer<typeof auditLineSchema>;

type CheckedAnswer = z.infer<typeof checkedSchema>;

const FILTERS = ['run', 'who', 'since'] as const;
const ON_PAGE = 50;

/** `Audit`: who did what, the newest first, and whether the lines are still as they were written. */
export function Page() {
  const { typed, filters, filtered, before } = listFilters(FILTERS);
  const lines = useAsked(JSON.stringify([filters, before]), (signal) =>
    ask<{ readonly items: readonly AuditLineAnswer[]; readonly next?: number }>('/audit', {
      query: { ...filters, before, limit: ON_PAGE },
      signal,
    }),
  );
  const [checked, setChecked] = useState<CheckedAnswer>();
  const check = useAct(async () => {
    const answer = await ask<CheckedAnswer>('/audit/check');
    setChecked(answer);
    announce(checkedText(answer));
  });
  return (
    <>
      <Heading name={say(COMMON.audit)}>
        <button type="button" disabled={check.busy} onClick={() => void check.run()}>
          {say(check.busy ? AUDIT.checking : AUDIT.check)}
        </button>
      </Heading>
      <p class="lead">{say(AUDIT.about)}</p>
      {check.problem && <ProblemNotice problem={check.problem} />}
      {checked && (
        <Notice tone={checked.fault ? 'doubt' : 'good'}>
          <p class="first">{checkedText(checked)}</p>
          {checked.fault && <p>{checked.fault.text}</p>}
        </Notice>
      )}
      <search class="filters" aria-label={say(COMMON.filter)}>
        <Field label={say(AUDIT.who)} type="search" value={typed.who ?? ''} change={changeFilter('who')} />
        <Field label={say(AUDIT.run)} type="search" value={typed.run ?? ''} change={changeFilter('run')} />
        <Field
          label={say(AUDIT.since)}
          type="date"
          value={typed.since ?? ''}
          change={changeFilter('since')}
        />
        {filtered && (
          <a class="button" href="/audit">
            {say(AUDIT.clear)}
          </a>
        )}
      </search>
      <section class="card" aria-busy={lines.busy}>
        <Asked of={lines}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState title={say(filtered ? AUDIT.no_match : AUDIT.empty)} />
            ) : (
              <Lines lines={items} />
            )
          }
        </Asked>
      </section>
      {lines.value && <Pager by="before" next={lines.value.next} />}
    </>
  );
}

function Lines({ lines }: { readonly lines: readonly AuditLineAnswer[] }) {
  return (
    <Table
      caption={say(COMMON.audit)}
      rows={lines}
      keyOf={(it) => it.n}
      columns={[
        { key: 'n', name: '#', numeric: true, cell: (it) => it.n },
        { key: 'at', name: say(AUDIT.at), cell: (it) => <Time at={it.at} /> },
        { key: 'who', name: say(AUDIT.who), heads: true, cell: (it) => it.who },
        {
          key: 'act',
          name: say(AUDIT.act),
          cell: (it) => (it.act === 'denied' ? <Denied act={it.words.act} /> : it.words.act),
        },
        {
          key: 'run',
          name: say(AUDIT.run),
          cell: (it) =>
            it.run === null ? (
              '–'
            ) : (
              <a class="run" href={`/runs/${encodeURIComponent(it.run)}`}>
                {it.run}
              </a>
            ),
        },
        { key: 'detail', name: say(AUDIT.detail), wide: true, cell: (it) => it.words.detail },
      ]}
    />
  );
}

function Denied({ act }: { readonly act: string }) {
  return (
    <span class="badge s-failed">
      <span class="sign" aria-hidden="true">
        ✕
      </span>
      {act}
    </span>
  );
}

function checkedText({ sound, fault }: CheckedAnswer): string {
  return fault ? say(AUDIT.broken, { n: fault.n, count: sound }) : say(AUDIT.sound, { count: sound });
}
