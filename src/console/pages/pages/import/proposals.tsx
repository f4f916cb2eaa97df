import { useId, useMemo } from 'preact/hooks';
import { sendJson } from '../../api/client.js';
import { useQuery } from '../../api/use-query.js';
import type { CellEdit, GridColumn } from '../../grid/positions.js';
import { Table } from '../../parts/table.js';
import { number, t } from '../../words/language.js';
import type { ImportController } from './import-controller.js';
import type { ProposalsAnswer } from './import-replies.js';

/** Maximum number of listed values. */
const MAX_SHOWN = 200;

/** Maximum number of cells of one action, as the server accepts. */
export const MAX_FIXED = 20_000;

/** Cells with the same text and the same proposal, which get the same new text. */
export interface ValueGroup {
  readonly key: string;
  readonly before: string;
  readonly proposed: string | undefined;
  readonly cells: readonly { readonly row: number; readonly column: number }[];
}

function groupsOf({ cells }: ProposalsAnswer): readonly ValueGroup[] {
  const groups = new Map<string, ValueGroup & { readonly cells: { row: number; column: number }[] }>();
  for (const { row, column, before, text: proposed } of cells) {
    const key = JSON.stringify([before, proposed]);
    const group = groups.get(key) ?? { key, before, proposed, cells: [] };
    groups.set(key, group);
    group.cells.push({ row, column });
  }
  return [...groups.values()].sort((a, b) => b.cells.length - a.cells.length);
}

/** Requests proposed corrections. @param body undefined: none yet */
export function useProposals({ id }: ImportController, body: object | undefined) {
  const proposals = useQuery(body && `${id} ${JSON.stringify(body)}`, (signal) =>
    sendJson<ProposalsAnswer>('POST', `/imports/${encodeURIComponent(id)}/proposals`, body, { signal }),
  );
  const { value } = proposals;
  const groups = useMemo(() => (value ? groupsOf(value) : []), [value]);
  return { proposals, groups, left: value?.left ?? 0 };
}

/** The corrections of cells. @param textOf undefined: the cells stay as they are */
export function editsOf(
  groups: readonly ValueGroup[],
  textOf: (group: ValueGroup) => string | undefined,
): readonly CellEdit[] {
  return groups.flatMap((group) => {
    const text = textOf(group);
    return text === undefined || text === group.before
      ? []
      : group.cells.map((it) => ({ ...it, text, before: group.before }));
  });
}

/** The values, each with its cells and new text. */
export function Proposals({
  groups,
  columns,
  textOf,
  choose,
}: {
  readonly groups: readonly ValueGroup[];
  readonly columns: readonly GridColumn[];
  readonly textOf: (group: ValueGroup) => string;
  readonly choose: (key: string, text: string) => void;
}) {
  if (groups.length === 0) return undefined;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled must be reached by the keyboard
    <section class="proposal-table" aria-label={t('import.proposals')} tabIndex={0}>
      <Table
        caption={t('import.proposals')}
        rows={groups.slice(0, MAX_SHOWN)}
        keyOf={(it) => it.key}
        columns={[
          {
            key: 'before',
            name: t('import.now'),
            heads: true,
            cell: (it) => <del>{it.before === '' ? t('import.empty_text') : it.before}</del>,
          },
          {
            key: 'cells',
            name: t('import.cells'),
            cell: ({ cells }) => cellsText(columns, cells),
          },
          {
            key: 'after',
            name: t('import.becomes'),
            wide: true,
            cell: (it) => {
              const header = columns.find(({ column }) => column === it.cells[0]?.column);
              return (
                <NewText
                  label={t('import.new_text', {
                    text: it.before === '' ? t('import.empty_text') : it.before,
                  })}
                  isHidden
                  text={textOf(it)}
                  emptyText={it.proposed === '' ? t('import.empty_text') : undefined}
                  allowed={header?.allowed}
                  names={header?.names}
                  change={(text) => choose(it.key, text)}
                />
              );
            },
          },
        ]}
      />
      {groups.length > MAX_SHOWN && <p>{t('import.more', { count: groups.length - MAX_SHOWN })}</p>}
    </section>
  );
}

/** Addresses of the first cells, and the number of all. */
function cellsText(columns: readonly GridColumn[], cells: ValueGroup['cells']): string {
  const letter = (of: number): string => columns.find(({ column }) => column === of)?.letter ?? '';
  const shown = cells.slice(0, 3).map(({ row, column }) => `${letter(column)}${row}`);
  return `${number(cells.length)} (${shown.join(', ')}${cells.length > shown.length ? ' …' : ''})`;
}

/** A text for cells: one of the allowed ones, if the column is restricted to some. */
export function NewText({
  label,
  isHidden = false,
  text,
  emptyText = t('import.unchanged'),
  allowed,
  names = {},
  change,
}: {
  readonly label: string;
  readonly isHidden?: boolean;
  readonly text: string;
  /** What an empty field means. */
  readonly emptyText?: string | undefined;
  readonly allowed: readonly string[] | undefined;
  readonly names: Readonly<Record<string, string>> | undefined;
  readonly change: (text: string) => void;
}) {
  const id = useId();
  const options = allowed && [...new Set([...(text === '' ? [] : [text]), ...allowed])];
  const field = options ? (
    <select id={id} value={text} onChange={({ currentTarget }) => change(currentTarget.value)}>
      <option value="">{emptyText}</option>
      {options.map((it) => (
        <option key={it} value={it}>
          {names[it] ?? it}
        </option>
      ))}
    </select>
  ) : (
    <input
      id={id}
      type="text"
      autocomplete="off"
      value={text}
      placeholder={emptyText}
      onInput={({ currentTarget }) => change(currentTarget.value)}
    />
  );
  return (
    <div class="new-text">
      <label for={id} class={isHidden ? 'unseen' : undefined}>
        {label}
      </label>{' '}
      {field}
    </div>
  );
}
