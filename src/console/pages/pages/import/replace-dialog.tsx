import { useState } from 'preact/hooks';
import type { GridColumn } from '../../grid/positions.js';
import { ConfirmDialog } from '../../parts/dialog.js';
import { Choice, Field } from '../../parts/field.js';
import { Busy, ProblemNotice } from '../../parts/notices.js';
import { t } from '../../words/language.js';
import type { ImportController } from './import-controller.js';
import { editsOf, MAX_FIXED, Proposals, useProposals, type ValueGroup } from './proposals.js';

/** Replaces a text in cells, after a look at all values that change. It is one action, which `Undo` reverts. */
export function ReplaceDialog({
  controller,
  columns,
  close,
}: {
  readonly controller: ImportController;
  readonly columns: readonly GridColumn[];
  readonly close: () => void;
}) {
  const [find, setFind] = useState('');
  const [replace, setReplace] = useState('');
  const [column, setColumn] = useState('');
  const [isWhole, setIsWhole] = useState(false);
  const [searched, setSearched] = useState<object>();
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const { proposals, groups, left } = useProposals(controller, searched);
  const query = { find, replace, ...(column === '' ? {} : { column: Number(column) }), isWhole };
  const isCurrent = JSON.stringify(query) === JSON.stringify(searched);
  const textOf = ({ key, proposed }: ValueGroup): string => chosen[key] ?? proposed ?? '';
  // A field that the user cleared leaves its cells unchanged; a text that was replaced by nothing empties them.
  const edits = editsOf(isCurrent ? groups : [], (group) =>
    chosen[group.key] === '' && group.proposed !== '' ? undefined : textOf(group),
  );
  return (
    <ConfirmDialog
      title={t('import.find_and_replace')}
      confirmLabel={
        edits.length === 0 ? t('import.replace') : t('import.replace_cells', { count: edits.length })
      }
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
      <div class="replace-fields">
        <Field label={t('import.find_text')} value={find} change={setFind} first />
        <Field label={t('import.replace_with')} value={replace} change={setReplace} />
        <Choice
          label={t('import.in_column')}
          value={column}
          change={setColumn}
          options={[
            { value: '', name: t('import.all_columns') },
            ...columns.map((it) => ({ value: String(it.column), name: `${it.letter} · ${it.text}` })),
          ]}
        />
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={isWhole}
          onChange={({ currentTarget }) => setIsWhole(currentTarget.checked)}
        />
        {t('import.whole_cell')}
      </label>
      <div class="actions">
        <button
          type="button"
          disabled={find === '' || proposals.busy}
          onClick={() => {
            setChosen({});
            setSearched(query);
          }}
        >
          {t('import.find')}
        </button>
      </div>
      {proposals.problem && <ProblemNotice problem={proposals.problem} again={proposals.again} />}
      {proposals.busy && <Busy />}
      {isCurrent && !proposals.busy && proposals.value && groups.length === 0 && (
        <p role="status">{t('import.nothing_found')}</p>
      )}
      {isCurrent && left > 0 && <p>{t('import.not_searched', { count: left })}</p>}
      {isCurrent && (
        <Proposals
          groups={groups}
          columns={columns}
          textOf={textOf}
          choose={(key, text) => setChosen((before) => ({ ...before, [key]: text }))}
        />
      )}
    </ConfirmDialog>
  );
}
