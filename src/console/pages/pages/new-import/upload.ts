import type { z } from 'zod';
import type { uploadSchema } from '../../../routes/schemas.js';
import { apiAddress } from '../../api/client.js';
import { noAnswer, type ProblemDocument, RequestProblem } from '../../api/problem.js';
import { askSession } from '../../session.js';
import { language } from '../../words/language.js';

/** A file that the console has taken in. */
export type UploadAnswer = z.infer<typeof uploadSchema>;

/**
 * Sends a file as it is; XMLHttpRequest, because fetch tells nothing of how far it is.
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
      // Nobody is signed in any more: the frame asks for it.
      if (request.status === 401) void askSession();
      const said = readJson(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(said as UploadAnswer);
      else if (said !== undefined && typeof said === 'object' && said !== null && 'title' in said) {
        reject(new RequestProblem({ ...(said as ProblemDocument), status: request.status }));
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
