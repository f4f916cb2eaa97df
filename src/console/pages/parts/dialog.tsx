import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { ProblemDocument } from '../api/problem.js';
import { t } from '../words/language.js';
import { ProblemNotice } from './notices.js';

interface DialogProps {
  /** Heading and accessible name. */
  readonly title: string;
  /** Called by Escape and `Cancel`. */
  readonly close: () => void;
  /** While an action is running the dialog cannot be closed, so that its outcome is shown. */
  readonly busy?: boolean;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
}

/**
 * A modal dialog, open while it is rendered. The browser keeps the focus inside and restores it afterwards. The
 * initial focus is on the first field with `autofocus`, otherwise on the heading: if it were on a button, the Enter
 * that opened the dialog, held or pressed twice, could also confirm it.
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
        // A key that is still held since it opened the dialog must not confirm it.
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

interface ConfirmDialogProps extends Omit<DialogProps, 'busy'> {
  /** Label of the confirm button. */
  readonly confirmLabel: string;
  readonly tone?: 'danger';
  readonly action: {
    readonly busy: boolean;
    readonly problem?: ProblemDocument | undefined;
    readonly run: () => unknown;
  };
  /** Whether all required fields are filled in. */
  readonly ready?: boolean;
  /** Status text while the action is running. */
  readonly working?: string;
}

/** A dialog that confirms an action. The confirm button is disabled while the action is running. */
export function ConfirmDialog({
  confirmLabel,
  tone,
  action: { busy, problem, run },
  ready = true,
  working,
  children,
  ...dialog
}: ConfirmDialogProps) {
  return (
    <Dialog {...dialog} busy={busy}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          if (ready && !busy) run();
        }}
      >
        {children}
        {problem && <ProblemNotice problem={problem} />}
        <div class="actions end">
          <button type="button" onClick={dialog.close} disabled={busy}>
            {t('common.cancel')}
          </button>
          <button
            type="submit"
            class={tone === 'danger' ? 'primary danger' : 'primary'}
            disabled={busy || !ready}
          >
            {busy && <span class="spinner" aria-hidden="true" />}
            {confirmLabel}
          </button>
        </div>
        <p class="unseen" role="status">
          {busy ? (working ?? t('common.working')) : ''}
        </p>
      </form>
    </Dialog>
  );
}
