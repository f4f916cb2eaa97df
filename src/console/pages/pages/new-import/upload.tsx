import type { z } from 'zod';
import type { uploadSchema } from '../../../routes/schemas.js';
import { apiAddress } from '../../api/client.js';
import { noAnswer, type ProblemDocument, RequestProblem } from '../../api/problem.js';
import { askSession } from '../../session.js';
import { language } from '../../words/language.js';

/** An uploaded file. */
export type UploadAnswer = z.infer<typeof uploadSchema>;

/**
 * Uploads a file. It uses XMLHttpRequest, because fetch does not report progress.
 * @throws RequestProblem
 */
export function sendFile(
  file: File,
  progress: (sent: number, total: number) => void,
  signal: AbortSignal,
): Promise<UploadAnswer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', apiAddress('/uploads'));
    request.setRequestHeader('accept-language', language.value);
    request.setRequestHeader('x-words', 'page');
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.setRequestHeader('x-file-name', encodeURIComponent(file.name));
    request.upload.onprogress = ({ loaded, total }) => progress(loaded, total);
    request.onerror = () => reject(noAnswer());
    request.onabort = () => reject(new DOMException('', 'AbortError'));
    request.onload = () => {
      // The session has ended: the frame shows the sign-in form.
      if (request.status === 401) void askSession();
      const body = readJson(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(body as UploadAnswer);
      else if (body !== undefined && typeof body === 'object' && body !== null && 'title' in body) {
        reject(new RequestProblem({ ...(body as ProblemDocument), status: request.status }));
      } else reject(noAnswer());
    };
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
