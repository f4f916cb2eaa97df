import { useId } from 'preact/hooks';
import { Choice } from '../../parts/field.js';
import { Table } from '../../parts/table.js';
import { listText, operationText, t, timeText } from '../../words/language.js';
import { ColumnField, ConstantField } from './column-field.js';
import {
  type FieldChoice,
  type FieldEntry,
  filling,
  type Matched,
  type Matches,
  openQuestions,
} from './matches.js';

interface ColumnsProps extends Matched {
  /** Changes the latest matches, which may be newer than `matches`. */
  readonly change: (update: (matches: Matches) => Matches) => void;
  /** Starts from the job without the user's last match. */
  readonly forget: () => void;
}

/** The columns of the file, each with the field that it fills, and the fields that no column fills. */
export function Columns({ change, forget, ...matched }: ColumnsProps) {
  const { view, matches } = matched;
  const id = useId();
  const { remembered, yaml, questions, fields, missing } = view;
  const open = openQuestions(matched);
  const choose = (...chosen: readonly FieldChoice[]): void =>
    change(({ fields: before, renames }) => {
      const merged = chosen.map((it) => {
        // Options are added to those of the same column.
        const isSame = it.column !== undefined && before[it.field]?.column === it.column;
        return [it.field, isSame ? { ...before[it.field], ...it } : it] as const;
      });
      return { renames, fields: { ...before, ...Object.fromEntries(merged) } };
    });
  // Answered questions stay in their place: a button must not move while it is clicked.
  const asked = fields.filter((it) => open.includes(it) || matches.fields[it.field]?.value !== undefined);
  const names = [...new Set([...missing, ...Object.keys(matches.renames)])];
  const constants = fields.filter((it) => !asked.includes(it) && filling(matched, it).value !== undefined);
  const others = fields.filter((it) => it.isOther && !matches.fields[it.field]).map((it) => it.field);
  const sheets = [...new Set(fields.flatMap((it) => it.sheet ?? []))];
  const headers = [
    { value: '', name: t('import.choose_column') },
    ...view.columns.map((it) => ({ value: it.header, name: `${it.letter} · ${it.header}` })),
  ];
  const constantOf = (it: FieldEntry) => (
    <ConstantField key={it.field} entry={it} value={filling(matched, it).value ?? ''} choose={choose} />
  );
  const operation = view.steps.length > 0 ? listText(view.steps) : operationText(view.operation);
  return (
    <section class="columns" aria-labelledby={`${id}-name`}>
      <h2 id={`${id}-name`}>{t('import.columns')}</h2>
      {yaml && <p>{t('import.guessed', { operation })}</p>}
      {remembered && (
        <div class="notice">
          <p>{t('import.remembered', { name: remembered.name, at: timeText(remembered.at) })}</p>
          <button type="button" onClick={forget}>
            {t('import.forget')}
          </button>
        </div>
      )}
      {questions.length > 0 && (
        <div class="notice doubt">
          <p class="first">{t('import.questions')}</p>
          <ul>
            {questions.map((it) => (
              <li key={it}>{it}</li>
            ))}
          </ul>
        </div>
      )}
      {asked.length + names.length > 0 && (
        <div class={open.length > 0 ? 'notice doubt asked' : 'notice asked'}>
          <p class="first">{t(open.length > 0 ? 'import.asked' : 'import.answered')}</p>
          {names.map((name) => (
            <Choice
              key={name}
              label={t('import.column_for', { name })}
              value={matches.renames[name] ?? ''}
              change={(header) => change((it) => ({ ...it, renames: { ...it.renames, [name]: header } }))}
              options={headers}
            />
          ))}
          {asked.map((it) => (
            <div key={it.field} class="question">
              <p>
                <code>{it.field}</code> · {it.meaning}
                {it.lacks && it.lacks !== it.field && <> · {t('import.lacks', { column: it.lacks })}</>}
              </p>
              <Choice
                label={t('import.column_for', { name: it.field })}
                value=""
                change={(column) => choose({ field: it.field, column })}
                options={headers}
              />
              {constantOf(it)}
            </div>
          ))}
        </div>
      )}
      <Table
        caption={t('import.columns_of', { sheet: view.sheet })}
        rows={view.columns}
        keyOf={(it) => it.column}
        columns={[
          {
            key: 'column',
            name: t('import.column'),
            heads: true,
            cell: (it) => `${it.letter} · ${it.header}`,
          },
          {
            key: 'samples',
            name: t('import.samples'),
            cell: (it) => (
              <span class={it.isRepeated ? 'error' : 'sample'}>
                {it.isRepeated ? t('import.repeated') : it.samples.join(' · ')}
              </span>
            ),
          },
          {
            key: 'field',
            name: t('common.field'),
            wide: true,
            cell: (it) => <ColumnField {...matched} column={it} choose={choose} />,
          },
        ]}
      />
      {constants.length > 0 && (
        <details>
          <summary>{t('import.constants', { count: constants.length })}</summary>
          {constants.map(constantOf)}
        </details>
      )}
      {others.length > 0 && <p class="hint">{t('import.other_fields', { fields: listText(others) })}</p>}
      {sheets.length > 0 && <p class="hint">{t('import.other_sheets', { sheets: listText(sheets) })}</p>}
      {yaml && (
        <details>
          <summary>{t('import.guessed_file')}</summary>
          <pre>{yaml}</pre>
        </details>
      )}
    </section>
  );
}
