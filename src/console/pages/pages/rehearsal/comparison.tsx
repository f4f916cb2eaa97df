import { useState } from 'preact/hooks';
import type { z } from 'zod';
import type { rehearsalDifferencesSchema } from '../../../routes/schemas.js';
import { ask } from '../../api/client.js';
import { useAct } from '../../api/use-act.js';
import { ProblemNotice } from '../../parts/notices.js';
import { messageColumn, rowColumn, saidOf } from '../../parts/row-columns.js';
import { StatusBadge } from '../../parts/status.js';
import { Table } from '../../parts/table.js';
import { say } from '../../words/language.js';
import { REHEARSAL } from '../../words/rehearsal.js';
import type { RowCameAnswer } from './rows.js';

type DifferenceAnswer = DifferencesAnswer['items'][number];

type DifferencesAnswer = z.infer<typeof rehearsalDifferencesSchema>;

/** So many differences can be shown; all are counted. */
const SHOWN = 200;
const AT_ONCE = 25;

interface Found {
  readonly first: readonly DifferenceAnswer[];
  readonly differing: number;
  readonly compared: number;
  readonly over: boolean;
}

/** Compares what was rehearsed with what really happened, part by part, once somebody asks for it. */
export function Comparison({ path }: { readonly path: string }) {
  const [found, setFound] = useState<Found>();
  const [shown, setShown] = useState(AT_ONCE);
  const { busy, problem, run } = useAct(async () => {
    let now: Found = { first: [], differing: 0, compared: 0, over: false };
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page: DifferencesAnswer = await ask(`${path}/differences`, { query: { after, limit: 500 } });
      after = page.next;
      now = {
        first: [...now.first, ...page.items].slice(0, SHOWN),
        differing: now.differing + page.items.length,
        compared: now.compared + page.compared,
        over: after === undefined,
      };
      setFound(now);
    }
  });
  return (
    <section class="card" aria-labelledby="compare" aria-busy={busy}>
      <h2 id="compare">{say(REHEARSAL.compare)}</h2>
      {!found?.over && (
        <p>
          <button type="button" disabled={busy} onClick={() => void run()}>
            {busy && <span class="spinner" aria-hidden="true" />}
            {say(REHEARSAL.compare)}
          </button>
        </p>
      )}
      {problem && <ProblemNotice problem={problem} />}
      {found && (
        <p role="status">
          {found.over
            ? say(REHEARSAL.compared, { count: found.compared, differing: found.differing })
            : say(REHEARSAL.comparing, { count: found.compared })}
          {found.differing > SHOWN && ` ${say(REHEARSAL.first_only, { count: SHOWN })}`}
        </p>
      )}
      {found && found.first.length > 0 && (
        <Table
          caption={say(REHEARSAL.compare)}
          rows={found.first.slice(0, shown)}
          keyOf={(it) => it.row}
          columns={[
            rowColumn(),
            { key: 'rehearsed', name: say(REHEARSAL.rehearsed), cell: (it) => <Came it={it.rehearsed} /> },
            { key: 'happened', name: say(REHEARSAL.happened), cell: (it) => <Came it={it.happened} /> },
            messageColumn(saidOfBoth),
          ]}
        />
      )}
      {found && found.first.length > shown && (
        <button type="button" class="plain" onClick={() => setShown(shown + AT_ONCE)}>
          {say(REHEARSAL.more)}
        </button>
      )}
    </section>
  );
}

function Came({ it }: { readonly it: RowCameAnswer | undefined }) {
  return it ? <StatusBadge status={it.status} /> : <span>{say(REHEARSAL.no_such_row)}</span>;
}

/** What really happened says more than what was rehearsed; and which results differ. */
function saidOfBoth({ happened, columns }: DifferenceAnswer) {
  return [happened && saidOf(happened), columns.join(', ')].filter(Boolean).join(' · ');
}
