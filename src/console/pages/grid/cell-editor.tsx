import { createPortal } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../words/language.js';
import type { CellEditing, GridModel } from './grid-model.js';
import type { GridRow } from './positions.js';

/** Maximum number of listed options; typing filters them. */
const MAX_OPTIONS = 200;

const LIST_HEIGHT = 240;

/**
 * The field of the edited cell. It is a combobox if the cell has allowed texts or a proposed text. Enter and Tab
 * accept the text or the chosen option; Escape cancels.
 */
export function CellEditor({
  editing,
  model,
  row,
  nearest,
  listContainer,
}: {
  readonly editing: CellEditing;
  readonly model: GridModel;
  readonly row: GridRow | undefined;
  readonly nearest: (row: number, column: number) => Promise<string | undefined>;
  /** Container of the option list outside the grid, which would clip it. */
  readonly listContainer: { readonly current: HTMLElement | null };
}) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(editing.text);
  const [chosen, setChosen] = useState<number>();
  const [near, setNear] = useState<string>();
  const header = model.columns[editing.place.column - 1];
  const options = optionsFor(text, editing.text, header?.allowed ?? [], near, header?.names);
  const listId = `options-${editing.place.row}-${editing.place.column}`;
  const done = useRef(false);

  useLayoutEffect(() => {
    const input = field.current;
    if (!input) return;
    input.focus({ preventScroll: true });
    if (editing.selected) input.select();
    else input.setSelectionRange(input.value.length, input.value.length);
  }, [editing]);

  useEffect(() => {
    if (!row || !header || editing.text === '') return;
    let mounted = true;
    nearest(row.row, header.column).then(
      (proposal) => mounted && setNear(proposal === editing.text ? undefined : proposal),
      () => undefined,
    );
    return () => {
      mounted = false;
    };
  }, [editing, row, header, nearest]);

  const take = (value: string, move = 0, byBlur = false): void => {
    // Removing the field causes a blur event, after the text was accepted or editing was cancelled.
    if (done.current) return;
    done.current = true;
    // A blur leaves the keyboard where the user pointed.
    model.takesFocus = !byBlur;
    model.take(value, move);
  };
  const press = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.isComposing) return;
    const option = chosen === undefined ? undefined : options[chosen];
    if (event.key === 'Enter') take(option ?? text);
    else if (event.key === 'Tab') take(option ?? text, event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') {
      done.current = true;
      model.takesFocus = true;
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
        aria-label={t('grid.cell_of', { header: header?.text ?? '', row: String(row?.row ?? '') })}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setChosen(undefined);
        }}
        onKeyDown={press}
        // The dialog to sign in can open at any time: then the text stays in the field.
        onBlur={() => {
          if (!document.querySelector('dialog:modal')) take(text, 0, true);
        }}
        {...(header?.allowed !== undefined || near !== undefined ? list : {})}
      />
      {listContainer.current && options.length > 0
        ? createPortal(
            <OptionList
              id={listId}
              options={options}
              chosen={chosen}
              near={near}
              names={header?.names ?? {}}
              field={field}
              model={model}
              take={take}
            />,
            listContainer.current,
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
  names,
  field,
  model,
  take,
}: {
  readonly id: string;
  readonly options: readonly string[];
  readonly chosen: number | undefined;
  readonly near: string | undefined;
  readonly names: Readonly<Record<string, string>>;
  readonly field: { readonly current: HTMLElement | null };
  readonly model: GridModel;
  readonly take: (text: string) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  // Follows its cell.
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
    <div id={id} ref={box} role="listbox" class="sheet-options" aria-label={t('grid.allowed')}>
      {options.map((option, index) => (
        <div
          key={option}
          id={`${id}-${index}`}
          role="option"
          class="sheet-option"
          aria-selected={index === chosen}
          // Keeps the focus in the field until the option is accepted.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(option)}
        >
          {names[option] ?? option}
          {option === near ? (
            <span class="sheet-near" aria-hidden="true">
              {t('grid.nearest')}
            </span>
          ) : undefined}
        </div>
      ))}
    </div>
  );
}

/** The proposal first, then options whose value or name contains the typed text; all options if there is no match. */
export function optionsFor(
  text: string,
  before: string,
  allowed: readonly string[],
  near: string | undefined,
  names: Readonly<Record<string, string>> = {},
): readonly string[] {
  const typed = text.trim().toLowerCase();
  const matching =
    text === before || typed === ''
      ? allowed
      : allowed.filter((it) => (names[it] ?? it).toLowerCase().includes(typed));
  const shown = matching.length === 0 ? allowed : matching;
  const first = near !== undefined && (text === before || near.toLowerCase().includes(typed)) ? [near] : [];
  return [...new Set([...first, ...shown])].slice(0, MAX_OPTIONS);
}
