import { useId } from 'preact/hooks';
import { Table } from '../../parts/table.js';
import { IMPORT } from '../../words/import.js';
import { say } from '../../words/language.js';

/** A job that was made from a spreadsheet's headers. */
export interface GuessAnswer {
  /** A name for the job file. */
  readonly file: string;
  readonly yaml: string;
  readonly operation: string;
  readonly steps?: readonly { readonly name: string; readonly operation: string }[];
  readonly notes: readonly string[];
  readonly columns: readonly {
    readonly sheet: string;
    readonly header: string;
    readonly field: string;
    readonly sure: 'sure' | 'likely' | 'unsure';
  }[];
  /** Required fields without a column. */
  readonly lacking: readonly string[];
  readonly unused: readonly string[];
}

/** What was guessed, what only a person can answer, and the job file, in which the answers are written. */
export function GuessedJob({
  guess,
  yaml,
  change,
}: {
  readonly guess: GuessAnswer;
  readonly yaml: string;
  readonly change: (yaml: string) => void;
}) {
  const id = useId();
  const { operation, steps, notes, columns, lacking, unused } = guess;
  const operations = steps?.map((it) => it.operation).join(', ') ?? operation;
  const asked = columns.filter((it) => it.sure !== 'sure');
  return (
    <section class="guessed" aria-labelledby={`${id}-name`}>
      <h2 id={`${id}-name`}>{say(IMPORT.guessed, { operation: operations })}</h2>
      {asked.length + notes.length + lacking.length > 0 && (
        <div class="notice doubt">
          <p class="first">{say(IMPORT.questions)}</p>
          <ul>
            {lacking.length > 0 && <li>{say(IMPORT.lacking, { fields: lacking.join(', ') })}</li>}
            {asked.map((it) => (
              <li key={`${it.sheet} ${it.header} ${it.field}`}>
                {say(IMPORT.is_it, { header: it.header, field: it.field })}
              </li>
            ))}
            {notes.map((it) => (
              <li key={it}>{it}</li>
            ))}
          </ul>
        </div>
      )}
      <Table
        caption={say(IMPORT.guessed_columns)}
        rows={columns}
        keyOf={(it) => `${it.sheet} ${it.header} ${it.field}`}
        columns={[
          { key: 'column', name: say(IMPORT.column), heads: true, cell: (it) => it.header },
          { key: 'field', name: say(IMPORT.field), wide: true, cell: (it) => <code>{it.field}</code> },
        ]}
      />
      {unused.length > 0 && <p class="quiet">{say(IMPORT.unused, { columns: unused.join(', ') })}</p>}
      <details>
        <summary>{say(IMPORT.guessed_file)}</summary>
        <div class="field">
          <label for={`${id}-yaml`}>{say(IMPORT.guessed_yaml, { file: guess.file })}</label>
          <textarea
            id={`${id}-yaml`}
            class="code"
            rows={18}
            spellcheck={false}
            value={yaml}
            onInput={(event) => change(event.currentTarget.value)}
          />
        </div>
      </details>
    </section>
  );
}
