import { useState } from 'preact/hooks';
import { address, go, withQuery } from '../../router.js';
import { number, t } from '../../words/language.js';
import { FixDialog } from './fix-dialog.js';
import type { ImportController } from './import-controller.js';
import type { FaultGroup } from './import-replies.js';

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
