import type { Endpoint } from '../../model/operation.js';
import { business, httpRefusal, invalid, type Reply } from '../http/reply.js';
import { redirect } from './alter.js';
import { FAULT_KINDS, type FaultKind } from './kinds.js';

/** Business code 500, "the caller should retry" (§7.1); the activity service's nearest is 1002. */
export function retryLater(endpoint: Endpoint): Reply {
  const detail = 'network error, please retry';
  if (endpoint.service === 'activity') {
    return { status: 200, body: { resultCode: '1002', resultMessage: detail }, refused: '1002' };
  }
  return { status: 200, body: { code: '500', message: detail, cause: 'Network' }, refused: '500' };
}

/** The reply of a fault that strikes before anything is done; undefined for other kinds and for a bare reset. */
export function earlyReply(kind: FaultKind, endpoint: Endpoint): Reply | undefined {
  if (FAULT_KINDS[kind].when !== 'before') return undefined;
  switch (kind) {
    case 'code-500':
      return retryLater(endpoint);
    case 'code-13004':
      return invalid(endpoint.service, 'refused by an injected fault');
    case 'http-299':
      return business('20999', 'business exception by an injected fault', 'InjectedFault');
    case 'status-302':
    case 'status-307':
      return redirect(Number(kind.slice('status-'.length)));
    case 'status-429':
      return httpRefusal(429, 'too many requests', { 'retry-after': '1' });
    case 'reset-before':
      return undefined;
    default:
      return httpRefusal(Number(kind.slice('status-'.length)), 'injected fault');
  }
}
