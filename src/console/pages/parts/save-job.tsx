import { useState } from 'preact/hooks';
import { sendJson } from '../api/client.js';
import { useAction } from '../api/use-action.js';
import { t } from '../words/language.js';
import { ConfirmDialog } from './dialog.js';
import { Field } from './field.js';
import { announce } from './notices.js';

interface SaveJobProps {
  /** Proposed name; a folder and an ending are ignored. */
  readonly file: string;
  /** The endpoint that saves the job, and its request with the name. */
  readonly path: string;
  readonly request: (name: string) => object;
  /** After it was saved. @param file its path, `jobs/orders.yaml` */
  readonly saved: (file: string) => unknown;
  readonly close: () => void;
}

/** Asks for the name of a job file and saves it. */
export function SaveJob({ file: proposed, path, request, saved, close }: SaveJobProps) {
  const [name, setName] = useState((proposed.split('/').at(-1) ?? '').replace(/\.ya?ml$/i, ''));
  const save = useAction(async () => {
    const { file } = await sendJson<{ readonly file: string }>('POST', path, request(name.trim()));
    announce(t('import.job_saved', { file }));
    close();
    await saved(file);
  });
  return (
    <ConfirmDialog
      title={t('import.save_job')}
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
