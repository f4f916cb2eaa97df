import { useState } from 'preact/hooks';
import type { z } from 'zod';
import type { connectionSchema, findingsSchema } from '../../../routes/schemas.js';
import { act, ask } from '../../api/client.js';
import { useAct } from '../../api/use-act.js';
import { useAsked } from '../../api/use-asked.js';
import { Heading } from '../../parts/heading.js';
import { announce } from '../../parts/live.js';
import { Asked, Busy, EmptyState, Notice, ProblemNotice } from '../../parts/notices.js';
import { Table } from '../../parts/table.js';
import { COMMON } from '../../words/common.js';
import { CONNECTIONS } from '../../words/connections.js';
import { say } from '../../words/language.js';

type ConnectionAnswer = z.infer<typeof connectionSchema>;

type StepState = 'ok' | 'warning' | 'fault' | 'skipped';

type FindingsAnswer = z.infer<typeof findingsSchema>;

/** `Connections`: where requests go and by which rules, and what is found when one is checked. */
export function Page() {
  const connections = useAsked('connections', (signal) =>
    ask<{ readonly items: readonly ConnectionAnswer[] }>('/connections', { signal }),
  );
  const [found, setFound] = useState<{ readonly name: string; readonly answer: FindingsAnswer }>();
  const check = useAct(async (name: string) => {
    announce(say(CONNECTIONS.checking, { name }));
    setFound(undefined);
    const answer = await act<FindingsAnswer>('POST', `/connections/${encodeURIComponent(name)}/doctor`);
    setFound({ name, answer });
    announce(say(answer.ok ? CONNECTIONS.well : CONNECTIONS.not_well));
  });
  return (
    <>
      <Heading name={say(COMMON.connections)} />
      <p class="lead">{say(CONNECTIONS.about)}</p>
      <section class="card">
        <Asked of={connections}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState title={say(CONNECTIONS.none)} />
            ) : (
              <Table
                caption={say(COMMON.connections)}
                rows={items}
                keyOf={(it) => it.name}
                columns={[
                  {
                    key: 'name',
                    name: say(CONNECTIONS.connection),
                    heads: true,
                    cell: (it) => (
                      <>
                        {it.name} {it.sandbox && <span class="badge sandbox">{say(COMMON.sandbox)}</span>}
                        {it.isDefault && <span class="under">{say(CONNECTIONS.is_default)}</span>}
                      </>
                    ),
                  },
                  { key: 'host', name: say(CONNECTIONS.host), cell: (it) => it.host ?? '–' },
                  {
                    key: 'rules',
                    name: say(CONNECTIONS.rules),
                    wide: true,
                    cell: (it) => <Rules connection={it} />,
                  },
                  {
                    key: 'check',
                    name: say(CONNECTIONS.check),
                    cell: (it) => (
                      <button
                        type="button"
                        disabled={check.busy}
                        aria-label={say(CONNECTIONS.check_of, { name: it.name })}
                        onClick={() => void check.run(it.name)}
                      >
                        {say(CONNECTIONS.check)}
                      </button>
                    ),
                  },
                ]}
              />
            )
          }
        </Asked>
      </section>
      {check.busy && <Busy />}
      {check.problem && <ProblemNotice problem={check.problem} />}
      {found && <Findings {...found} />}
    </>
  );
}

function Rules({ connection }: { readonly connection: ConnectionAnswer }) {
  const { approval, confirm, requestsPerSecond, maxInFlight, problems } = connection;
  if (problems) {
    return (
      <div class="notice doubt">
        <p class="first">{say(CONNECTIONS.unusable)}</p>
        <ul>
          {problems.map((it) => (
            <li key={it}>{it}</li>
          ))}
        </ul>
      </div>
    );
  }
  const operations = approval?.operations?.join(', ');
  const rules = [
    approval &&
      [
        operations === undefined ? say(CONNECTIONS.approval) : say(CONNECTIONS.approval_of, { operations }),
        approval.above === undefined ? '' : say(CONNECTIONS.approval_above, { count: approval.above }),
      ]
        .filter(Boolean)
        .join(', '),
    confirm === 'always' && say(CONNECTIONS.confirm),
    requestsPerSecond !== undefined && say(CONNECTIONS.rate, { count: requestsPerSecond }),
    maxInFlight !== undefined && say(CONNECTIONS.in_flight, { count: maxInFlight }),
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
      <h2 id="findings">{say(CONNECTIONS.findings, { name })}</h2>
      <Notice tone={answer.ok ? 'good' : 'doubt'}>
        <p>{say(answer.ok ? CONNECTIONS.well : CONNECTIONS.not_well)}</p>
      </Notice>
      <Table
        caption={say(CONNECTIONS.findings, { name })}
        rows={answer.steps}
        keyOf={(it) => `${it.step} ${it.code} ${it.message}`}
        columns={[
          { key: 'step', name: say(CONNECTIONS.step), heads: true, cell: (it) => stepName(it.step) },
          {
            key: 'state',
            name: say(CONNECTIONS.state),
            cell: (it) => (
              <span class={`badge ${CLASSES[it.state]}`}>
                <span class="sign" aria-hidden="true">
                  {SHAPES[it.state]}
                </span>
                {say(CONNECTIONS[it.state])}
              </span>
            ),
          },
          { key: 'finding', name: say(CONNECTIONS.finding), wide: true, cell: (it) => it.message },
        ]}
      />
    </section>
  );
}

function stepName(step: string): string {
  const key = step.replace(' ', '_');
  return key in CONNECTIONS ? say(CONNECTIONS[key as keyof typeof CONNECTIONS]) : step;
}
