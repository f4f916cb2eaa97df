import { useEffect, useRef, useState } from 'preact/hooks';
import type { z } from 'zod';
import type { uploadSchema } from '../../../routes/schemas.js';
import { apiAddress, pageHeaders, withSession } from '../../api/client.js';
import { noAnswer, type ProblemDocument, problemFrom, problemOf } from '../../api/problem.js';
import { announce, ProblemNotice } from '../../parts/notices.js';
import { Sign } from '../../parts/status.js';
import { number, t } from '../../words/language.js';

/** An uploaded file. */
type UploadAnswer = z.infer<typeof uploadSchema>;

/**
 * Uploads a file. It uses XMLHttpRequest, because fetch does not report progress.
 * @throws RequestProblem
 */
function sendFile(
  file: File,
  progress: (sent: number, total: number) => void,
  signal: AbortSignal,
): Promise<UploadAnswer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', apiAddress('/uploads'));
    for (const [name, value] of pageHeaders()) request.setRequestHeader(name, value);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.setRequestHeader('x-file-name', encodeURIComponent(file.name));
    request.upload.onprogress = ({ loaded, total }) => progress(loaded, total);
    request.onerror = () => reject(noAnswer());
    request.onabort = () => reject(new DOMException('', 'AbortError'));
    request.onload = () => {
      const response = new Response(request.responseText, { status: request.status });
      if (response.ok) resolve(response.json() as Promise<UploadAnswer>);
      else void problemOf(response).then(reject);
    };
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}

interface Upload {
  readonly file: File | undefined;
  readonly sent: number;
  readonly total: number;
  readonly answer: UploadAnswer | undefined;
  readonly problem: ProblemDocument | undefined;
  readonly start: (file: File) => void;
  readonly cancel: () => void;
}

/** The upload of one file. A newer file cancels it, and so does leaving the page. */
export function useUpload(): Upload {
  const [file, setFile] = useState<File>();
  const [sent, setSent] = useState(0);
  const [answer, setAnswer] = useState<UploadAnswer>();
  const [problem, setProblem] = useState<ProblemDocument>();
  const uploading = useRef<AbortController>(undefined);
  useEffect(() => () => uploading.current?.abort(), []);
  const start = (next: File): void => {
    uploading.current?.abort();
    const controller = new AbortController();
    uploading.current = controller;
    setFile(next);
    setSent(0);
    setAnswer(undefined);
    setProblem(undefined);
    const { signal } = controller;
    withSession(() => sendFile(next, (done) => signal.aborted || setSent(done), signal)).then(
      (uploaded) => {
        if (controller.signal.aborted) return;
        setAnswer(uploaded);
        announce(t('import.uploaded', { name: uploaded.name, size: sizeText(uploaded.size) }));
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setProblem(problemFrom(error));
      },
    );
  };
  const cancel = (): void => {
    uploading.current?.abort();
    setFile(undefined);
  };
  return { file, sent, total: file?.size ?? 0, answer, problem, start, cancel };
}

export function UploadState({ upload }: { readonly upload: Upload }) {
  const { file, answer, problem } = upload;
  if (problem) {
    // Without a response the upload may be repeated; a rejected file would be rejected again.
    const retry = file && problem.status === 0 ? { again: () => upload.start(file) } : {};
    return <ProblemNotice problem={problem} {...retry} />;
  }
  if (answer) {
    return (
      <p class="uploaded">
        <Sign of="✓" /> {t('import.uploaded', { name: answer.name, size: sizeText(answer.size) })}
      </p>
    );
  }
  if (!file) return undefined;
  const label = t('import.uploading', { name: file.name });
  return (
    <div class="uploading">
      <p>{label}</p>
      <progress aria-label={label} max={Math.max(1, upload.total)} value={upload.sent} />
      <button type="button" onClick={upload.cancel}>
        {t('import.stop_upload')}
      </button>
    </div>
  );
}

function sizeText(bytes: number): string {
  const [value, unit] =
    bytes < 1_000_000 ? [Math.max(1, bytes / 1000), 'kilobyte'] : [bytes / 1_000_000, 'megabyte'];
  return number(value, {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: value < 10 ? 1 : 0,
  });
}
