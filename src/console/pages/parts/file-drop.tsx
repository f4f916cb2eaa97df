import { useId, useRef, useState } from 'preact/hooks';
import { t } from '../words/language.js';

interface FileDropProps {
  readonly label: string;
  /** Only for the browser's file dialog; the server detects the type by the content. */
  readonly accept?: string;
  readonly file: { readonly name: string } | undefined;
  readonly choose: (file: File) => void;
  readonly disabled?: boolean;
  readonly hint?: string;
}

/** A file to choose or drop: a file input with a large drop zone, so that it works with the keyboard. */
export function FileDrop({ label, accept, file, choose, disabled = false, hint }: FileDropProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way next to the input inside */}
      <div
        class={over ? 'drop over' : 'drop'}
        onDragOver={(event) => {
          event.preventDefault();
          if (!disabled) setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          const dropped = event.dataTransfer?.files[0];
          if (dropped && !disabled) choose(dropped);
        }}
      >
        <input
          ref={input}
          id={id}
          type="file"
          accept={accept}
          disabled={disabled}
          aria-describedby={`${id}-hint`}
          onChange={(event) => {
            const chosen = event.currentTarget.files?.[0];
            // Allows choosing the same file again after it was corrected.
            event.currentTarget.value = '';
            if (chosen) choose(chosen);
          }}
        />
        <p id={`${id}-hint`} class="hint">
          <strong>{file?.name ?? t(over ? 'common.drop_here' : 'common.choose_file')}</strong>
          {hint && <span>{hint}</span>}
        </p>
      </div>
    </div>
  );
}
