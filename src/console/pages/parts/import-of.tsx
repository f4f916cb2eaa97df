import type { ImportLink } from '../api/runs.js';
import { COMMON } from '../words/common.js';
import { say } from '../words/language.js';

/** The spreadsheet of a plan or a run, as the link to the import that it was put in by. */
export function ImportOf({ of: { id, name } }: { readonly of: ImportLink }) {
  return <a href={`/imports/${encodeURIComponent(id)}`}>{name}</a>;
}

/** The way back to where invalid rows are mended. */
export function MendRows({ of: { id, name } }: { readonly of: ImportLink }) {
  return (
    <>
      <a class="button" href={`/imports/${encodeURIComponent(id)}?faulty=1`}>
        {say(COMMON.mend_rows)}
      </a>{' '}
      <span class="quiet">{say(COMMON.in_import, { name })}</span>
    </>
  );
}
