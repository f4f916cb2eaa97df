import { useId, useMemo, useState } from 'preact/hooks';
import { sendJson } from '../../api/client.js';
import { useQuery } from '../../api/use-query.js';
import { ConfirmDialog } from '../../parts/dialog.js';
import { Busy, ProblemNotice } from '../../parts/notices.js';
import { Table } from '../../parts/table.js';
import { address, go, withQuery } from '../../router.js';
import { number, t } from '../../words/language.js';
import type { ImportController } from './import-controller.js';
import type { FaultGroup, ProposalsAnswer } from './import-replies.js';

/** Maximum number of listed values. */
const MAX_SHOWN = 200;

/** Maximum number of cells of one action, as the server accepts. */
const MAX_FIXED = 20_000;

/** Number of kinds listed unfolded. */
const FIRST_KINDS = 6;

/** Errors by kind, each with a filter for the grid and a fix for all its cells. */
export function FaultList({
  controller,
  faults,
  canEdit,
}: {
  readonly controller: ImportController;
  readonly faults: readonly FaultGroup[];
  readonly canEdit: boolean;
}) {
  const [fixing, setFixing] = useState<FaultGroup>();
  const shownKind = address.value.query.get('kind');
  const [showAll, setShowAll] = useState(false);
  const listed = showAll ? faults : faults.slice(0, FIRST_KINDS);
  return (
    <section class="card" aria-label={t('import.errors')}>
      <h2>{t('import.errors')}</h2>
      <ul class="error-kinds">
        {listed.map((it) => (
          <li key={it.kind}>
            <span class="n">{number(it.count)}</span>
            <span class="error-text">{it.text}</span>
            <span class="actions">
              {!it.outside && it.column !== undefined && (
                <button
                  type="button"
                  aria-label={t('import.go_to_named', { fault: it.text })}
                  onClick={() => void controller.goTo(it)}
                >
                  {t('import.go_to')}
                </button>
              )}
              <button
                type="button"
                aria-pressed={shownKind === it.kind}
                aria-label={t('import.show_kind_named', { fault: it.text })}
                onClick={() =>
                  go(withQuery({ kind: shownKind === it.kind ? undefined : it.kind, invalid: undefined }), {
                    replace: true,
                  })
                }
              >
                {t('import.show_kind')}
              </button>
              {canEdit && it.outside && <span class="quiet">{t('import.fix_in_file')}</span>}
              {canEdit && !it.outside && it.column !== undefined && (
                <button
                  type="button"
                  aria-label={t('import.fix_kind_named', { fault: it.text })}
                  onClick={() => setFixing(it)}
                >
                  {t('import.fix_kind')}
                </button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {faults.length > listed.length && (
        <button type="button" class="plain" onClick={() => setShowAll(true)}>
          {t('import.more', { count: faults.length - listed.length })}
        </button>
      )}
      {fixing && <FixDialog controller={controller} kind={fixing} close={() => setFixing(undefined)} />}
    </section>
  );
}

/** Cells with the same text and the same proposal, which get the same new text. */
interface ValueGroup {
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

/**
 * The values of the cells of one kind of error, each with the text that replaces it: a proposal, or the user's choice.
 * All cells are corrected in one action.
 */
function FixDialog({
  controller,
  kind,
  close,
}: {
  readonly controller: ImportController;
  readonly kind: FaultGroup;
  readonly close: () => void;
}) {
  const [how, setHow] = useState<'nearest' | 'above'>('nearest');
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const proposals = useQuery(`${controller.id} ${kind.kind} ${how}`, (signal) =>
    sendJson<ProposalsAnswer>(
      'POST',
      `/imports/${encodeURIComponent(controller.id)}/proposals`,
      { kind: kind.kind, how },
      { signal },
    ),
  );
  const { left = 0 } = proposals.value ?? {};
  const groups = useMemo(() => (proposals.value ? groupsOf(proposals.value) : []), [proposals.value]);
  const header = controller.columns.value?.headers.find((it) => it.column === kind.column);
  const textOf = ({ key, proposed = '' }: ValueGroup): string => chosen[key] ?? proposed;
  const choose = (key: string, text: string): void => setChosen((before) => ({ ...before, [key]: text }));
  const edits = groups.flatMap((group) => {
    const text = textOf(group);
    return text === '' || text === group.before
      ? []
      : group.cells.map((it) => ({ ...it, text, before: group.before }));
  });
  const hasEmpty = how === 'above' || groups.some(({ before }) => before.trim() === '');
  return (
    <ConfirmDialog
      title={t('import.fix_title')}
      confirmLabel={edits.length === 0 ? t('import.fix') : t('import.fix_cells', { count: edits.length })}
      close={close}
      action={{
        busy: proposals.busy,
        run: () => {
          controller.edit(edits);
          close();
        },
      }}
      ready={edits.length > 0 && edits.length <= MAX_FIXED}
      wide
    >
      <p>{kind.text}</p>
      {proposals.problem && <ProblemNotice problem={proposals.problem} again={proposals.again} />}
      {hasEmpty && (
        <label class="check">
          <input
            type="checkbox"
            checked={how === 'above'}
            onChange={({ currentTarget }) => setHow(currentTarget.checked ? 'above' : 'nearest')}
          />
          {t('import.fill_from_above')}
        </label>
      )}
      {proposals.busy && <Busy />}
      {left > 0 && <p>{t('import.not_examined', { count: left })}</p>}
      {groups.length > 1 && (
        <NewText
          label={t('import.set_all')}
          text=""
          allowed={header?.allowed}
          names={header?.names}
          change={(text) => setChosen(Object.fromEntries(groups.map(({ key }) => [key, text])))}
        />
      )}
      {groups.length > 0 && (
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
                cell: ({ cells }) => cellsText(header?.letter ?? '', cells),
              },
              {
                key: 'after',
                name: t('import.becomes'),
                wide: true,
                cell: (it) => (
                  <NewText
                    label={t('import.new_text', {
                      text: it.before === '' ? t('import.empty_text') : it.before,
                    })}
                    isHidden
                    text={textOf(it)}
                    allowed={header?.allowed}
                    names={header?.names}
                    change={(text) => choose(it.key, text)}
                  />
                ),
              },
            ]}
          />
          {groups.length > MAX_SHOWN && <p>{t('import.more', { count: groups.length - MAX_SHOWN })}</p>}
        </section>
      )}
    </ConfirmDialog>
  );
}

/** Addresses of the first cells, and the number of all. */
function cellsText(letter: string, cells: ValueGroup['cells']): string {
  const shown = cells.slice(0, 3).map(({ row }) => `${letter}${row}`);
  return `${number(cells.length)} (${shown.join(', ')}${cells.length > shown.length ? ' …' : ''})`;
}

/** A text for cells: one of the allowed ones, if the column is restricted to some. */
function NewText({
  label,
  isHidden = false,
  text,
  allowed,
  names = {},
  change,
}: {
  readonly label: string;
  readonly isHidden?: boolean;
  readonly text: string;
  readonly allowed: readonly string[] | undefined;
  readonly names: Readonly<Record<string, string>> | undefined;
  readonly change: (text: string) => void;
}) {
  const id = useId();
  const options = allowed && [...new Set([...(text === '' ? [] : [text]), ...allowed])];
  const field = options ? (
    <select id={id} value={text} onChange={({ currentTarget }) => change(currentTarget.value)}>
      <option value="">{t('import.unchanged')}</option>
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
      placeholder={t('import.unchanged')}
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
