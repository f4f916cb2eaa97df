import { createPortal } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { say } from '../words/language.js';
import type { GridRow } from './grid-data.js';
import type { CellEditing, GridModel } from './grid-model.js';
import { GRID_WORDS } from './words.js';

/** Options that are shown at once; typing narrows them. */
const MOST_OPTIONS = 200;

const LIST_HEIGHT = 240;

/**
 * The field in a cell that is edited: a combobox where the cell takes certain texts, or a nearest one is known. Enter and
 * Tab take the text, or the option that was moved to; Escape leaves the cell as it was; so does nothing else.
 */
export function CellEditor({
  editing,
  model,
  row,
  nearest,
  place,
}: {
  readonly editing: CellEditing;
  readonly model: GridModel;
  readonly row: GridRow | undefined;
  readonly nearest: (row: number, column: number) => Promise<string | undefined>;
  /** Where the list of options is put: not within the grid, whose edges would cut it off. */
  readonly place: { readonly current: HTMLElement | null };
}) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(editing.text);
  const [chosen, setChosen] = useState<number>();
  const [near, setNear] = useState<string>();
  const header = model.columns[editing.place.column - 1];
  const options = optionsFor(text, editing.text, header?.allowed ?? [], near);
  const listId = `options-${editing.place.row}-${editing.place.column}`;
  const taken = useRef(false);

  useLayoutEffect(() => {
    const input = field.current;
    if (!input) return;
    input.focus({ preventScroll: true });
    if (editing.selected) input.select();
    else input.setSelectionRange(input.value.length, input.value.length);
  }, [editing]);

  useEffect(() => {
    if (!row || !header || editing.text === '') return;
    let there = true;
    nearest(row.row, header.column).then(
      (found) => there && setNear(found === editing.text ? undefined : found),
      () => undefined,
    );
    return () => {
      there = false;
    };
  }, [editing, row, header, nearest]);

  const take = (value: string, move = 0): void => {
    // The field loses the focus when it goes: what it held has been taken, or left, by then.
    if (taken.current) return;
    taken.current = true;
    model.take(value, move);
  };
  const press = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.isComposing) return;
    const option = chosen === undefined ? undefined : options[chosen];
    if (event.key === 'Enter') take(option ?? text);
    else if (event.key === 'Tab') take(option ?? text, event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') {
      taken.current = true;
      model.leave();
    } else if (options.length > 0 && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      const by = event.key === 'ArrowDown' ? 1 : -1;
      setChosen(((chosen ?? (by > 0 ? -1 : 0)) + by + options.length) % options.length);
    } else return;
    event.preventDefault();
  };
  const list = {
    role: 'combobox' as const,
    'aria-expanded': options.length > 0,
    'aria-controls': listId,
    'aria-autocomplete': 'list' as const,
    'aria-activedescendant': chosen === undefined ? undefined : `${listId}-${chosen}`,
  };
  return (
    <>
      <input
        ref={field}
        class="sheet-field"
        type="text"
        autocomplete="off"
        spellcheck={false}
        value={text}
        aria-label={say(GRID_WORDS.cell_of, { header: header?.text ?? '', row: String(row?.row ?? '') })}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setChosen(undefined);
        }}
        onKeyDown={press}
        onBlur={() => take(text)}
        {...(header?.allowed !== undefined || near !== undefined ? list : {})}
      />
      {place.current && options.length > 0
        ? createPortal(
            <OptionList
              id={listId}
              options={options}
              chosen={chosen}
              near={near}
              field={field}
              model={model}
              take={take}
            />,
            place.current,
          )
        : undefined}
    </>
  );
}

function OptionList({
  id,
  options,
  chosen,
  near,
  field,
  model,
  take,
}: {
  readonly id: string;
  readonly options: readonly string[];
  readonly chosen: number | undefined;
  readonly near: string | undefined;
  readonly field: { readonly current: HTMLElement | null };
  readonly model: GridModel;
  readonly take: (text: string) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  // Goes along with its cell.
  const moved = `${model.offset.value}:${model.left.value}:${options.length}`;
  useLayoutEffect(() => {
    const cell = field.current?.getBoundingClientRect();
    if (!box.current || !cell) return;
    const { style } = box.current;
    const below = cell.bottom + LIST_HEIGHT <= innerHeight || cell.top < LIST_HEIGHT;
    style.left = `${Math.max(4, Math.min(cell.left, innerWidth - box.current.offsetWidth - 4))}px`;
    style.minWidth = `${Math.min(cell.width, innerWidth - 8)}px`;
    style.top = below ? `${cell.bottom + 2}px` : 'auto';
    style.bottom = below ? 'auto' : `${innerHeight - cell.top + 2}px`;
  }, [moved, field]);
  useLayoutEffect(() => {
    if (chosen !== undefined) box.current?.children[chosen]?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  return (
    <div id={id} ref={box} role="listbox" class="sheet-options" aria-label={say(GRID_WORDS.allowed)}>
      {options.map((option, index) => (
        <div
          key={option}
          id={`${id}-${index}`}
          role="option"
          class="sheet-option"
          aria-selected={index === chosen}
          // The field keeps the focus, and so its text, until the option is taken.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(option)}
        >
          {option}
          {option === near ? (
            <span class="sheet-near" aria-hidden="true">
              {say(GRID_WORDS.nearest)}
            </span>
          ) : undefined}
        </div>
      ))}
    </div>
  );
}

/** The nearest first; then those that hold what was typed, or all while nothing, or nothing that fits, was. */
export function optionsFor(
  text: string,
  before: string,
  allowed: readonly string[],
  near: string | undefined,
): readonly string[] {
  const typed = text.trim().toLowerCase();
  const fitting =
    text === before || typed === '' ? allowed : allowed.filter((it) => it.toLowerCase().includes(typed));
  const shown = fitting.length === 0 ? allowed : fitting;
  const first = near !== undefined && (text === before || near.toLowerCase().includes(typed)) ? [near] : [];
  return [...new Set([...first, ...shown])].slice(0, MOST_OPTIONS);
}
