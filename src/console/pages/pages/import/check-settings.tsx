import { useState } from 'preact/hooks';
import { act } from '../../api/client.js';
import { useAct } from '../../api/use-act.js';
import { ActDialog } from '../../parts/dialog.js';
import { Field } from '../../parts/field.js';
import { announce } from '../../parts/live.js';
import { ProblemNotice } from '../../parts/notices.js';
import { hasRole } from '../../session.js';
import { IMPORT } from '../../words/import.js';
import { say } from '../../words/language.js';
import type { ImportAnswer } from './import-data.js';
import type { ImportDesk } from './import-desk.js';

interface CheckSettingsProps {
  readonly desk: ImportDesk;
  readonly info: ImportAnswer;
}

/** What a maker decides of a check: whether look-ups are asked, and whether a guessed job becomes a file. */
export function CheckSettings({ desk, info }: CheckSettingsProps) {
  const [saves, setSaves] = useState(false);
  // What was chosen shows at once; what the console says of it follows.
  const [chosen, setChosen] = useState<boolean>();
  const asked = useAct(async (lookups: boolean) => {
    setChosen(lookups);
    try {
      await act('POST', `/imports/${encodeURIComponent(desk.id)}/check`, { lookups });
      announce(say(IMPORT.checking_again));
      await desk.look();
    } finally {
      setChosen(undefined);
    }
  });
  if (!hasRole('maker') || !(info.hasLookups || info.guessed)) return undefined;
  return (
    <section class="check-settings" aria-label={say(IMPORT.settings)}>
      {info.hasLookups && (
        <div>
          <label class="check">
            <input
              type="checkbox"
              checked={chosen ?? info.lookups === 'asked'}
              disabled={asked.busy || info.state === 'checking' || info.checkingAgain === true}
              aria-describedby="lookups-hint"
              onChange={(event) => void asked.run(event.currentTarget.checked)}
            />
            {say(IMPORT.ask_lookups)}
          </label>
          <p class="hint" id="lookups-hint">
            {say(IMPORT.lookups_hint)}
          </p>
        </div>
      )}
      {info.guessed && (
        <div>
          <button type="button" onClick={() => setSaves(true)}>
            {say(IMPORT.save_job)}
          </button>
          <p class="hint">{say(IMPORT.save_job_hint)}</p>
        </div>
      )}
      {asked.problem && <ProblemNotice problem={asked.problem} />}
      {saves && <SaveJob desk={desk} info={info} close={() => setSaves(false)} />}
    </section>
  );
}

function SaveJob({ desk, info, close }: CheckSettingsProps & { readonly close: () => void }) {
  const [name, setName] = useState(
    info.job
      .split('/')
      .at(-1)
      ?.replace(/\.ya?ml$/i, '') ?? '',
  );
  const save = useAct(async () => {
    const path = `/imports/${encodeURIComponent(desk.id)}/job`;
    const { file } = await act<{ readonly file: string }>('POST', path, { name: name.trim() });
    announce(say(IMPORT.job_saved, { file }));
    close();
    await desk.look();
  });
  return (
    <ActDialog
      title={say(IMPORT.save_job_title)}
      yes={say(IMPORT.save_job_yes)}
      busy={save.busy}
      ready={name.trim() !== ''}
      problem={save.problem}
      carry={() => void save.run()}
      close={close}
    >
      <Field
        label={say(IMPORT.job_name)}
        value={name}
        change={setName}
        hint={say(IMPORT.job_name_hint)}
        required
        first
      />
    </ActDialog>
  );
}
