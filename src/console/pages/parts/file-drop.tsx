import { useId, useRef, useState } from 'preact/hooks';
import { COMMON } from '../words/common.js';
import { say } from '../words/language.js';

interface FileDropProps {
  readonly label: string;
  /** For the browser's own dialog only: what a file is, is found out from what it holds. */
  readonly accept?: string;
  readonly file: { readonly name: string } | undefined;
  readonly choose: (file: File) => void;
  readonly disabled?: boolean;
  readonly hint?: string;
}

/** A file to choose or to drop. It is a plain file input with a large place around it, so it works by keyboard. */
export function FileDrop({ label, accept, file, choose, disabled = false, hint }: FileDropProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way beside the input inside */}
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
            // The same file, mended, can be chosen again.
            event.currentTarget.value = '';
            if (chosen) choose(chosen);
          }}
        />
        <p id={`${id}-hint`} class="hint">
          <strong>{file?.name ?? say(over ? COMMON.drop_here : COMMON.choose_file)}</strong>
          {hint && <span>{hint}</span>}
        </p>
      </div>
    </div>
  );
}
