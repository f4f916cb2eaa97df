import { useState } from 'preact/hooks';
import { sendJson } from '../../api/client.js';
import { useAction } from '../../api/use-action.js';
import { announce, ProblemNotice } from '../../parts/notices.js';
import { SaveJob } from '../../parts/save-job.js';
import { hasRole } from '../../session.js';
import { t } from '../../words/language.js';
import type { ImportController } from './import-controller.js';
import type { ImportAnswer } from './import-replies.js';

interface CheckSettingsProps {
  readonly controller: ImportController;
  readonly info: ImportAnswer;
}

/** Settings of a check: whether it sends lookups, and saving an unsaved job as a file. */
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
      {isSaving && (
        <SaveJob
          file={info.job}
          path={`/imports/${encodeURIComponent(controller.id)}/job`}
          request={(name) => ({ name })}
          saved={() => controller.refresh()}
          close={() => setIsSaving(false)}
        />
      )}
    </section>
  );
}
