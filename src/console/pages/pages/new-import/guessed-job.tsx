import { useId } from 'preact/hooks';
import type { z } from 'zod';
import type { guessSchema } from '../../../routes/schemas.js';
import { Table } from '../../parts/table.js';
import { listText, operationText, t } from '../../words/language.js';

/** A job guessed from a spreadsheet's headers. */
export type GuessAnswer = z.infer<typeof guessSchema>;

/** The guessed job, the questions that the user has to answer, and the job file. */
export function GuessedJob({ guess }: { readonly guess: GuessAnswer }) {
  const id = useId();
  const { operation, steps, questions, columns, lacking, unused } = guess;
  const operations = steps ? listText(steps) : operation;
  const uncertain = columns.filter((it) => it.sure !== 'sure');
  return (
    <section class="guessed" aria-labelledby={`${id}-name`}>
      <h2 id={`${id}-name`}>{t('import.guessed', { operation: operationText(operations) })}</h2>
      {uncertain.length + questions.length + lacking.length > 0 && (
        <div class="notice doubt">
          <p class="first">{t('import.questions')}</p>
          <ul>
            {lacking.length > 0 && <li>{t('import.missing_fields', { fields: listText(lacking) })}</li>}
            {uncertain.map((it) => (
              <li key={`${it.sheet} ${it.header} ${it.field}`}>
                {t('import.is_it', { header: it.header, field: it.field })}
              </li>
            ))}
            {questions.map((it) => (
              <li key={it}>{it}</li>
            ))}
          </ul>
        </div>
      )}
      <Table
        caption={t('import.guessed_columns')}
        rows={columns}
        keyOf={(it) => `${it.sheet} ${it.header} ${it.field}`}
        columns={[
          { key: 'column', name: t('import.column'), heads: true, cell: (it) => it.header },
          { key: 'field', name: t('common.field'), wide: true, cell: (it) => <code>{it.field}</code> },
        ]}
      />
      {unused.length > 0 && <p class="quiet">{t('import.unused', { columns: listText(unused) })}</p>}
      <details>
        <summary>{t('import.guessed_file')}</summary>
        <pre>{guess.yaml}</pre>
      </details>
    </section>
  );
}
