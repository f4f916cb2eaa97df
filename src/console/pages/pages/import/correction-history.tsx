import { useState } from 'preact/hooks';
import { ask } from '../../api/client.js';
import { useAsked } from '../../api/use-asked.js';
import { Asked } from '../../parts/notices.js';
import { Table } from '../../parts/table.js';
import { Time } from '../../parts/time.js';
import { IMPORT } from '../../words/import.js';
import { say } from '../../words/language.js';
import type { KeptCorrection } from './import-data.js';
import type { ImportDesk } from './import-desk.js';

/** Who corrected which cell, and when; asked for when it is unfolded. */
export function CorrectionHistory({ desk }: { readonly desk: ImportDesk }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="card history" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{say(IMPORT.history)}</summary>
      {open && <Lines desk={desk} />}
    </details>
  );
}

function Lines({ desk }: { readonly desk: ImportDesk }) {
  const asked = useAsked(`${desk.id} ${desk.history.value}`, (signal) =>
    ask<{ items: readonly KeptCorrection[] }>(`/imports/${encodeURIComponent(desk.id)}/corrections`, {
      signal,
    }),
  );
  const headers = desk.columns.value?.headers ?? [];
  const shown = (text: string) => (text === '' ? <span class="quiet">{say(IMPORT.emptied)}</span> : text);
  const table = (items: readonly KeptCorrection[]) => (
    <Table
      caption={say(IMPORT.history)}
      rows={items}
      keyOf={(it) => it.n}
      columns={[
        { key: 'at', name: say(IMPORT.when), cell: (it) => <Time at={it.at} /> },
        { key: 'who', name: say(IMPORT.who), cell: (it) => it.who },
        {
          key: 'cell',
          name: say(IMPORT.cell),
          heads: true,
          cell: (it) => `${headers.find(({ column }) => column === it.column)?.letter ?? ''}${it.row}`,
        },
        { key: 'before', name: say(IMPORT.before), cell: (it) => shown(it.before) },
        {
          key: 'after',
          name: say(IMPORT.after),
          wide: true,
          cell: (it) => (
            <>
              {it.undone ? <del>{shown(it.text)}</del> : shown(it.text)}
              {it.undone && <span class="quiet"> {say(IMPORT.undone_by, { who: it.undone.by })}</span>}
            </>
          ),
        },
      ]}
    />
  );
  return (
    <Asked of={asked}>
      {({ items }) => (items.length === 0 ? <p class="quiet">{say(IMPORT.no_history)}</p> : table(items))}
    </Asked>
  );
}
