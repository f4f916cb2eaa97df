import { useState } from 'preact/hooks';
import { ConfirmDialog } from '../../parts/dialog.js';
import { Busy, ProblemNotice } from '../../parts/notices.js';
import { t } from '../../words/language.js';
import type { ImportController } from './import-controller.js';
import type { FaultGroup } from './import-replies.js';
import { editsOf, MAX_FIXED, NewText, Proposals, useProposals, type ValueGroup } from './proposals.js';

/**
 * The values of the cells of one kind of error, each with the text that replaces it: a proposal, or the user's choice.
 * All cells are corrected in one action.
 */
export function FixDialog({
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
  const { proposals, groups, left } = useProposals(controller, { kind: kind.kind, how });
  const header = controller.columns.value?.headers.find((it) => it.column === kind.column);
  const textOf = ({ key, proposed = '' }: ValueGroup): string => chosen[key] ?? proposed;
  const choose = (key: string, text: string): void => setChosen((before) => ({ ...before, [key]: text }));
  const edits = editsOf(groups, (group) => textOf(group) || undefined);
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
      <Proposals
        groups={groups}
        textOf={textOf}
        columns={controller.columns.value?.headers ?? []}
        choose={choose}
      />
    </ConfirmDialog>
  );
}
