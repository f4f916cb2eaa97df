import { Table } from '../../parts/table.js';
import { IMPORT } from '../../words/import.js';
import { say } from '../../words/language.js';

/** A job that was made from a spreadsheet's headers. */
export interface GuessAnswer {
  readonly yaml: string;
  readonly operation?: string;
  readonly steps?: readonly string[];
  readonly questions: readonly string[];
  readonly columns?: readonly {
    readonly column?: string;
    readonly header: string;
    readonly field?: string;
  }[];
  readonly lacking?: readonly string[];
  readonly unused?: readonly string[];
}

/** What was guessed, and what only a person can answer. */
export function GuessedJob({ guess }: { readonly guess: GuessAnswer }) {
  const { yaml, operation, steps, questions, columns = [], lacking = [], unused = [] } = guess;
  return (
    <section class="guessed" aria-label={say(IMPORT.guessed, { operation: '' })}>
      <h2>{say(IMPORT.guessed, { operation: steps?.join(', ') ?? operation ?? '' })}</h2>
      {questions.length > 0 && (
        <div class="notice doubt">
          <p class="first">{say(IMPORT.questions)}</p>
          <ul>
            {questions.map((it) => (
              <li key={it}>{it}</li>
            ))}
          </ul>
        </div>
      )}
      {lacking.length > 0 && <p>{say(IMPORT.lacking, { fields: lacking.join(', ') })}</p>}
      {unused.length > 0 && <p class="quiet">{say(IMPORT.unused, { columns: unused.join(', ') })}</p>}
      {columns.length > 0 && (
        <Table
          caption={say(IMPORT.guessed_columns)}
          rows={columns}
          keyOf={(it) => `${it.column ?? ''}${it.header}`}
          columns={[
            { key: 'column', name: say(IMPORT.column), heads: true, cell: (it) => it.header },
            { key: 'field', name: say(IMPORT.field), wide: true, cell: (it) => it.field ?? '' },
          ]}
        />
      )}
      <details>
        <summary>{say(IMPORT.guessed_file)}</summary>
        <pre>{yaml}</pre>
      </details>
    </section>
  );
}
