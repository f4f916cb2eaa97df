import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { ProblemDocument } from '../api/problem.js';
import { COMMON } from '../words/common.js';
import { say } from '../words/language.js';
import { ProblemNotice } from './notices.js';

interface DialogProps {
  /** Its heading and accessible name. */
  readonly title: string;
  /** Called by Escape and `Cancel`. */
  readonly close: () => void;
  /** An act that is under way can't be left: what became of it would not be seen. */
  readonly busy?: boolean;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
}

/**
 * A modal dialog; it is there as long as it is drawn. The browser keeps the focus inside and gives it back afterwards. It
 * begins at the field to fill in first, else at the heading: not at a field or button where the Enter that opened the
 * dialog, held or pressed twice, would be its yes as well.
 */
export function Dialog({ title, close, busy = false, wide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const name = useId();
  useEffect(() => {
    const opener = document.activeElement;
    const shown = dialog.current;
    shown?.showModal();
    if (!document.activeElement?.matches('[autofocus]')) heading.current?.focus();
    return () => {
      shown?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={wide ? 'wide' : undefined}
      aria-labelledby={name}
      onKeyDown={(event) => {
        // Still the key that opened it: whoever holds Enter at a button has not read what is asked.
        if (event.key === 'Enter' && event.repeat) event.preventDefault();
      }}
      onCancel={(event) => {
        event.preventDefault();
        if (!busy) close();
      }}
    >
      <h2 id={name} ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </dialog>
  );
}

interface ActDialogProps extends Omit<DialogProps, 'busy'> {
  /** The button that carries the act out. */
  readonly yes: string;
  readonly tone?: 'danger';
  readonly busy: boolean;
  /** Whether all that is wanted was filled in. */
  readonly ready?: boolean;
  readonly problem?: ProblemDocument | undefined;
  /** What is said while it is under way. */
  readonly working?: string;
  readonly carry: () => void;
}

/** A dialog that asks before an act. `yes` works once: it is off from the click until the answer. */
export function ActDialog({
  yes,
  tone,
  busy,
  ready = true,
  problem,
  working,
  carry,
  children,
  ...dialog
}: ActDialogProps) {
  return (
    <Dialog {...dialog} busy={busy}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready && !busy) carry();
        }}
      >
        {children}
        {problem && <ProblemNotice problem={problem} />}
        <div class="acts end">
          <button type="button" onClick={dialog.close} disabled={busy}>
            {say(COMMON.cancel)}
          </button>
          <button
            type="submit"
            class={tone === 'danger' ? 'primary danger' : 'primary'}
            disabled={busy || !ready}
          >
            {busy && <span class="spinner" aria-hidden="true" />}
            {yes}
          </button>
        </div>
        <p class="unseen" role="status">
          {busy ? (working ?? say(COMMON.working)) : ''}
        </p>
      </form>
    </Dialog>
  );
}
