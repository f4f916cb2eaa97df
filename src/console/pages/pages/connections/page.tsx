import { useState } from 'preact/hooks';
import type { z } from 'zod';
import type { connectionSchema, findingsSchema } from '../../../routes/schemas.js';
import { sendJson } from '../../api/client.js';
import type { ListAnswer } from '../../api/replies.js';
import { useAction } from '../../api/use-action.js';
import { useResource } from '../../api/use-query.js';
import { Heading } from '../../parts/heading.js';
import { announce, Busy, EmptyState, Notice, ProblemNotice, QueryView } from '../../parts/notices.js';
import { Sign } from '../../parts/status.js';
import { Table } from '../../parts/table.js';
import { isTextCode, listText, operationText, t } from '../../words/language.js';

type ConnectionAnswer = z.infer<typeof connectionSchema>;

type StepState = 'ok' | 'warning' | 'fault' | 'skipped';

type FindingsAnswer = z.infer<typeof findingsSchema>;

/** The connections with their rules, and the findings of a check. */
export function Page() {
  const connections = useResource<ListAnswer<ConnectionAnswer>>('/connections');
  const [checked, setChecked] = useState<{ readonly name: string; readonly answer: FindingsAnswer }>();
  const check = useAction(async (name: string) => {
    announce(t('common.checking', { name }));
    setChecked(undefined);
    const answer = await sendJson<FindingsAnswer>('POST', `/connections/${encodeURIComponent(name)}/doctor`);
    setChecked({ name, answer });
    announce(t(answer.ok ? 'connection.usable' : 'connection.has_problems'));
  });
  return (
    <>
      <Heading name={t('common.connections')} />
      <p class="lead">{t('connection.about')}</p>
      <section class="card">
        <QueryView of={connections}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState title={t('connection.none')} />
            ) : (
              <Table
                caption={t('common.connections')}
                rows={items}
                keyOf={(it) => it.name}
                columns={[
                  {
                    key: 'name',
                    name: t('common.connection'),
                    heads: true,
                    cell: (it) => (
                      <>
                        {it.name} {it.sandbox && <span class="badge sandbox">{t('common.sandbox')}</span>}
                        {it.isDefault && <span class="under">{t('connection.is_default')}</span>}
                      </>
                    ),
                  },
                  { key: 'host', name: t('common.host'), cell: (it) => it.host ?? '–' },
                  {
                    key: 'rules',
                    name: t('connection.rules'),
                    wide: true,
                    cell: (it) => <Rules connection={it} />,
                  },
                  {
                    key: 'check',
                    name: t('common.check'),
                    cell: (it) => (
                      <button
                        type="button"
                        disabled={check.busy}
                        aria-label={t('connection.check_of', { name: it.name })}
                        onClick={() => void check.run(it.name)}
                      >
                        {t('common.check')}
                      </button>
                    ),
                  },
                ]}
              />
            )
          }
        </QueryView>
      </section>
      {check.busy && <Busy />}
      {check.problem && <ProblemNotice problem={check.problem} />}
      {checked && <Findings {...checked} />}
    </>
  );
}

function Rules({ connection }: { readonly connection: ConnectionAnswer }) {
  const { approval, confirm, requestsPerSecond, maxInFlight, problems } = connection;
  if (problems) {
    return (
      <div class="notice doubt">
        <p class="first">{t('connection.unusable')}</p>
        <ul>
          {problems.map((it) => (
            <li key={it}>{it}</li>
          ))}
        </ul>
      </div>
    );
  }
  const operations = approval?.operations && listText(approval.operations.map(operationText));
  const rules = [
    approval &&
      [
        operations === undefined ? t('connection.approval') : t('connection.approval_of', { operations }),
        approval.above === undefined ? '' : t('connection.approval_above', { count: approval.above }),
      ]
        .filter(Boolean)
        .join(', '),
    confirm === 'always' && t('connection.confirm'),
    requestsPerSecond !== undefined && t('connection.rate', { count: requestsPerSecond }),
    maxInFlight !== undefined && t('connection.in_flight', { count: maxInFlight }),
  ].filter((it): it is string => typeof it === 'string');
  return rules.length === 0 ? (
    <>–</>
  ) : (
    <ul class="plain">
      {rules.map((it) => (
        <li key={it}>{it}</li>
      ))}
    </ul>
  );
}

const SHAPES: Readonly<Record<StepState, string>> = { ok: '✓', warning: '!', fault: '✕', skipped: '–' };
const CLASSES: Readonly<Record<StepState, string>> = {
  ok: 's-succeeded',
  warning: 's-unknown',
  fault: 's-failed',
  skipped: 's-skipped',
};

function Findings({ name, answer }: { readonly name: string; readonly answer: FindingsAnswer }) {
  return (
    <section class="card" aria-labelledby="findings">
      <h2 id="findings">{t('connection.findings', { name })}</h2>
      <Notice tone={answer.ok ? 'good' : 'doubt'}>
        <p>{t(answer.ok ? 'connection.usable' : 'connection.has_problems')}</p>
      </Notice>
      <Table
        caption={t('connection.findings', { name })}
        rows={answer.steps}
        keyOf={(it) => `${it.step} ${it.code} ${it.message}`}
        columns={[
          { key: 'step', name: t('common.step'), heads: true, cell: (it) => stepName(it.step) },
          {
            key: 'state',
            name: t('common.state'),
            cell: (it) => (
              <span class={`badge ${CLASSES[it.state]}`}>
                <Sign of={SHAPES[it.state]} />
                {t(`connection.${it.state}`)}
              </span>
            ),
          },
          { key: 'finding', name: t('connection.finding'), wide: true, cell: (it) => it.message },
        ]}
      />
    </section>
  );
}

function stepName(step: string): string {
  const code = `connection.${step.replace(' ', '_')}`;
  return isTextCode(code) ? t(code) : step;
}
