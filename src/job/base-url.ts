import { isLoopback } from '../util/loopback.js';
import { type Problem, problemAt } from './problem.js';
import type { Place } from './yaml/text.js';

type CheckedUrl =
  | { readonly value: string; readonly problem?: undefined }
  | { readonly value?: undefined; readonly problem: Problem };

/** The address of a platform, without a slash at its end. No value is repeated in the problem: it may hold a secret. */
export function checkUrl(text: string, allowInsecure: boolean, place: Place): CheckedUrl {
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    return { problem: problemAt(place, 'job.bad_url', {}) };
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return { problem: problemAt(place, 'job.bad_url', {}) };
  if (url.username || url.password) return { problem: problemAt(place, 'job.url_credentials', {}) };
  if (/[?#]/.test(text)) return { problem: problemAt(place, 'job.url_query', {}) };
  if (url.protocol === 'http:' && !allowInsecure && !isLoopback(url.hostname))
    return { problem: problemAt(place, 'job.insecure_http', { host: url.hostname }) };
  return { value: url.origin + url.pathname.replace(/\/+$/, '') };
}
