import { useId, useState } from 'preact/hooks';
import { Choice } from '../../parts/field.js';
import { listText, t } from '../../words/language.js';
import { type FieldChoice, type FieldEntry, filling, type Matched, type MatchedAnswer } from './matches.js';

const CONSTANT = '\u0000constant';

interface Choosing {
  readonly choose: (...chosen: readonly FieldChoice[]) => void;
}

interface ColumnFieldProps extends Matched, Choosing {
  readonly column: MatchedAnswer['columns'][number];
}

/** The field of a column, with its options: how dates are written, and the meanings of words. */
export function ColumnField({ column: { header, column }, choose, ...matched }: ColumnFieldProps) {
  const { view, matches } = matched;
  const filled = view.fields.filter((it) => filling(matched, it).column === column);
  const [first, ...others] = filled;
  const change = (chosen: string): void => {
    const isConstant = chosen === CONSTANT;
    const before = first ? [{ field: first.field, ...(isConstant ? { value: '' } : {}) }] : [];
    choose(...before, ...(chosen === '' || isConstant ? [] : [{ field: chosen, column: header }]));
  };
  return (
    <>
      <Choice
        label={t('import.field_for', { header })}
        value={first?.field ?? ''}
        change={change}
        options={[
          { value: '', name: t('import.no_field') },
          ...(first ? [{ value: CONSTANT, name: t('import.constant_for', { field: first.field }) }] : []),
          ...view.fields
            .filter((it) => !it.sheet)
            .map(({ field, meaning, isRequired }) => ({
              value: field,
              name: `${field}${isRequired ? ' *' : ''} · ${meaning}`,
            })),
        ]}
      >
        {others.length > 0 && (
          <p class="hint">{t('import.also_fills', { fields: listText(others.map((it) => it.field)) })}</p>
        )}
        {first?.sure && first.sure !== 'sure' && !matches.fields[first.field] && (
          <p class="error">{t('import.is_it', { header, field: first.field })}</p>
        )}
      </Choice>
      {filled.map((it) => (
        <Options
          key={it.field}
          entry={it}
          header={header}
          match={matches.fields[it.field]}
          change={(options) => choose({ field: it.field, column: header, ...options })}
        />
      ))}
    </>
  );
}

interface OptionsProps {
  readonly entry: FieldEntry;
  readonly header: string;
  readonly match: FieldChoice | undefined;
  readonly change: (options: Pick<FieldChoice, 'format' | 'end' | 'values'>) => void;
}

function Options({
  entry: { field, isDate, format, end, open = [], allowed },
  header,
  match,
  change,
}: OptionsProps) {
  const of = `${header} (${field})`;
  const words = allowed ? [...new Set([...open, ...Object.keys(match?.values ?? {})])] : [];
  return (
    <>
      {isDate && (
        <>
          <Answer
            label={t('import.format_of', { of })}
            value={match?.format ?? format ?? ''}
            change={(text) => change({ format: text })}
          />
          <label class="check">
            <input
              type="checkbox"
              checked={match?.end ?? end ?? false}
              onChange={(event) => change({ end: event.currentTarget.checked })}
            />
            {t('import.end_of_day', { of })}
          </label>
        </>
      )}
      {words.map((text) => (
        <Answer
          key={text}
          label={t('import.meaning_of', { text, header })}
          value={match?.values?.[text] ?? ''}
          change={(value) => change({ values: { ...match?.values, [text]: value } })}
          allowed={allowed}
        />
      ))}
    </>
  );
}

export function ConstantField({
  entry: { field, allowed },
  value,
  choose,
}: Choosing & { readonly entry: FieldEntry; readonly value: string }) {
  const change = (text: string): void => choose({ field, value: text });
  const label = t('import.constant_for', { field });
  return <Answer label={label} value={value} change={change} allowed={allowed} />;
}

interface AnswerProps {
  readonly label: string;
  readonly value: string;
  readonly change: (text: string) => void;
  readonly allowed?: FieldEntry['allowed'];
}

/** One of the allowed values, or a text that counts when it is complete: the console matches after each change. */
function Answer({ label, value, change, allowed }: AnswerProps) {
  const id = useId();
  // Kept here until then, because the page is rendered again when the console replies.
  const [text, setText] = useState<string>();
  if (allowed) {
    const options = [{ value: '', name: t('import.choose_value') }, ...allowed];
    return <Choice label={label} value={value} change={change} options={options} />;
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        value={text ?? value}
        autocomplete="off"
        onInput={(event) => setText(event.currentTarget.value)}
        onChange={(event) => {
          setText(undefined);
          change(event.currentTarget.value);
        }}
      />
    </div>
  );
}
