import type { ComponentChildren, ComponentProps } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly hint?: string;
  /** Validation error, read out with the field. */
  readonly fault?: string | undefined;
  readonly type?: 'text' | 'search' | 'password' | 'date' | 'number';
  /** Multi-line. */
  readonly long?: boolean;
  readonly required?: boolean;
  readonly first?: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly numeric?: boolean;
  readonly autocomplete?: 'off' | 'on' | 'current-password';
  readonly suggestions?: readonly string[];
}

/** An input field with a label above and a hint below. */
export function Field(props: FieldProps) {
  const { label, value, change, hint, fault, type = 'text', long, required, first, suggestions } = props;
  const id = useId();
  const described = [hint && `${id}-hint`, fault && `${id}-error`].filter(Boolean).join(' ') || undefined;
  const common = {
    id,
    value,
    required,
    autofocus: first,
    'aria-describedby': described,
    'aria-invalid': fault ? true : undefined,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
      change(event.currentTarget.value),
  } as const;
  // The types require a literal for each kind of input.
  const input = {
    ...common,
    type,
    min: props.min,
    max: props.max,
    inputMode: props.numeric ? 'numeric' : undefined,
    autocomplete: props.autocomplete ?? 'off',
    list: suggestions && suggestions.length > 0 ? `${id}-list` : undefined,
  } as ComponentProps<'input'>;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {long ? <textarea {...common} rows={3} /> : <input {...input} />}
      {suggestions && suggestions.length > 0 && (
        <datalist id={`${id}-list`}>
          {suggestions.map((it) => (
            <option key={it} value={it} />
          ))}
        </datalist>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault && (
        <p class="error" id={`${id}-error`}>
          {fault}
        </p>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
  readonly options: readonly { readonly value: string; readonly name: string }[];
  readonly children?: ComponentChildren;
}

/** A select field. */
export function Choice({ label, value, change, options, children }: ChoiceProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => change(event.currentTarget.value)}>
        {options.map((it) => (
          <option key={it.value} value={it.value}>
            {it.name}
          </option>
        ))}
      </select>
      {children}
    </div>
  );
}
