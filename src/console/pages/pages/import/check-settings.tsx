import { useState } from 'preact/hooks';
import { sendJson } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { ConfirmDialog } from '../../parts/dialog.js';
import { Field } from '../../parts/field.js';
import { announce, ProblemNotice } from '../../parts/notices.js';
import { hasRole } from '../../session.js';
import { t } from '../../words/language.js';
import type { ImportController } from './import-controller.js';
import type { ImportAnswer } from './import-replies.js';

interface CheckSettingsProps {
  readonly controller: ImportController;
  readonly info: ImportAnswer;
}

/** Settings of a check: whether it sends lookups, and saving a guessed job as a file. */
export function CheckSettings({ controller, info }: CheckSettingsProps) {
  const [isSaving, setIsSaving] = useState(false);
  // The choice is shown at once, before the console confirms it.
  const [chosen, setChosen] = useState<boolean>();
  const updateLookups = useAction(async (lookups: boolean) => {
    setChosen(lookups);
    try {
      await sendJson('POST', `/imports/${encodeURIComponent(controller.id)}/check`, { lookups });
      announce(t('import.checking_again'));
      await controller.refresh();
    } finally {
      setChosen(undefined);
    }
  });
  if (!hasRole('maker') || !(info.hasLookups || info.guessed)) return undefined;
  return (
    <section class="check-settings" aria-label={t('import.settings')}>
      {info.hasLookups && (
        <div>
          <label class="check">
            <input
              type="checkbox"
              checked={chosen ?? info.lookups === 'asked'}
              disabled={updateLookups.busy || info.state === 'checking' || info.checkingAgain === true}
              aria-describedby="lookups-hint"
              onChange={(event) => void updateLookups.run(event.currentTarget.checked)}
            />
            {t('import.ask_lookups')}
          </label>
          <p class="hint" id="lookups-hint">
            {t('import.lookups_hint')}
          </p>
        </div>
      )}
      {info.guessed && (
        <div>
          <button type="button" onClick={() => setIsSaving(true)}>
            {t('import.save_job')}
          </button>
          <p class="hint">{t('import.save_job_hint')}</p>
        </div>
      )}
      {updateLookups.problem && <ProblemNotice problem={updateLookups.problem} />}
      {isSaving && <SaveJob controller={controller} info={info} close={() => setIsSaving(false)} />}
    </section>
  );
}

function SaveJob({ controller, info, close }: CheckSettingsProps & { readonly close: () => void }) {
  const [name, setName] = useState(
    info.job
      .split('/')
      .at(-1)
      ?.replace(/\.ya?ml$/i, '') ?? '',
  );
  const save = useAction(async () => {
    const path = `/imports/${encodeURIComponent(controller.id)}/job`;
    const { file } = await sendJson<{ readonly file: string }>('POST', path, { name: name.trim() });
    announce(t('import.job_saved', { file }));
    close();
    await controller.refresh();
  });
  return (
    <ConfirmDialog
      title={t('import.save_job_title')}
      confirmLabel={t('import.save')}
      action={save}
      ready={name.trim() !== ''}
      close={close}
    >
      <Field
        label={t('import.job_name')}
        value={name}
        change={setName}
        hint={t('import.job_name_hint')}
        required
        first
      />
    </ConfirmDialog>
  );
}
