import { useId } from 'preact/hooks';
import type { z } from 'zod';
import type { guessSchema } from '../../../routes/schemas.js';
import { Table } from '../../parts/table.js';
import { IMPORT } from '../../words/import.js';
import { say } from '../../words/language.js';

/** A job that was made from a spreadsheet's headers. */
export type GuessAnswer = z.infer<typeof guessSchema>;

/** What was guessed, what only a person can answer, and the job file that comes of it. */
export function GuessedJob({ guess }: { readonly guess: GuessAnswer }) {
  const id = useId();
  const { operation, steps, questions, columns, lacking, unused } = guess;
  const operations = steps?.join(', ') ?? operation;
  const asked = columns.filter((it) => it.sure !== 'sure');
  return (
    <section class="guessed" aria-labelledby={`${id}-name`}>
      <h2 id={`${id}-name`}>{say(IMPORT.guessed, { operation: operations })}</h2>
      {asked.length + questions.length + lacking.length > 0 && (
        <div class="notice doubt">
          <p class="first">{say(IMPORT.questions)}</p>
          <ul>
            {lacking.length > 0 && <li>{say(IMPORT.lacking, { fields: lacking.join(', ') })}</li>}
            {asked.map((it) => (
              <li key={`${it.sheet} ${it.header} ${it.field}`}>
                {say(IMPORT.is_it, { header: it.header, field: it.field })}
              </li>
            ))}
            {questions.map((it) => (
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
        <pre>{guess.yaml}</pre>
      </details>
    </section>
  );
}
