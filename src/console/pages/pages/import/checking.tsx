import { useAction } from '../../api/use-action.js';
import { useResource } from '../../api/use-query.js';
import { ProblemNotice, Progress } from '../../parts/notices.js';
import { Counts } from '../../parts/status.js';
import { messageColumn, rowColumn, Table } from '../../parts/table.js';
import { hasRole } from '../../session.js';
import { t } from '../../words/language.js';
import type { ImportController } from './import-controller.js';
import type { FirstRow, FirstRowsAnswer, ImportAnswer } from './import-replies.js';

/** The progress of the check, with the first rows of the file. */
export function Checking({
  controller,
  info,
}: {
  readonly controller: ImportController;
  readonly info: ImportAnswer;
}) {
  return (
    <section class="card" aria-busy="true">
      <h2>{t('common.checking', { name: info.name })}</h2>
      <Progress
        done={info.progress?.done ?? 0}
        total={info.progress?.total ?? 0}
        label={t('common.checking', { name: info.name })}
      />
      <Counts counts={info.counts} />
      <CancelCheck controller={controller} />
      <FirstRows id={controller.id} />
    </section>
  );
}

/** The first rows, shown while the whole file is checked. A file that cannot be read is reported by the check. */
function FirstRows({ id }: { readonly id: string }) {
  const { value } = useResource<FirstRowsAnswer>(`/imports/${encodeURIComponent(id)}/first-rows`);
  if (!value || value.items.length === 0) return undefined;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled must be reached by the keyboard
    <section class="proposal-table" aria-label={t('import.first_rows')} tabIndex={0}>
      <Table
        caption={t('import.first_rows')}
        shown
        rows={value.items}
        keyOf={(it) => it.row}
        columns={[
          rowColumn(),
          ...value.headers.map((name, index) => ({
            key: String(index),
            name,
            cell: (it: FirstRow) => it.cells[index],
          })),
          messageColumn<FirstRow>((it) => it.faults.map(({ text }) => text).join(' · ')),
        ]}
      />
    </section>
  );
}

/** Cancels a check that takes too long. It is not started again automatically. */
export function CancelCheck({ controller }: { readonly controller: ImportController }) {
  const cancel = useAction(() => controller.cancelCheck());
  if (!hasRole('maker')) return undefined;
  return (
    <>
      <button type="button" disabled={cancel.busy} onClick={() => void cancel.run()}>
        {t('import.cancel_check')}
      </button>
      {cancel.problem && <ProblemNotice problem={cancel.problem} />}
    </>
  );
}
