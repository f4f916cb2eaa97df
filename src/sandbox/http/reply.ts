import type { Json } from '../../model/json.js';
import type { Endpoint } from '../../model/operation.js';

/** A reply before it is written. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Json;
  /** What `stats` counts it under when it refuses: an HTTP status, or a code. */
  readonly refused?: string;
}

type Service = Endpoint['service'];

/** Parameter validation failure of either service (§7.1, §7.2). */
export function invalid(service: Service, detail: string): Reply {
  if (service === 'activity') {
    return { status: 200, body: { resultCode: '1001', resultMessage: detail }, refused: '1001' };
  }
  return {
    status: 200,
    body: { code: '13004', message: detail, cause: 'ParameterValidation' },
    refused: '13004',
  };
}

/** A business exception with HTTP 299. */
export function business(code: string, detail: string, cause: string): Reply {
  return { status: 299, body: { code, message: detail, cause }, refused: code };
}

/** A refusal below the interface's own codes: by HTTP status alone. */
export function httpRefusal(status: number, detail: string, headers?: Record<string, string>): Reply {
  return {
    status,
    ...(headers && { headers }),
    body: { code: String(status), message: detail, cause: 'Http' },
    refused: String(status),
  };
}

/** Success: the order service's envelope (§4.1), or the activity result as it is (§4.9). */
export function success(endpoint: Endpoint, data: Json): Reply {
  if (endpoint.service === 'activity') return { status: 200, body: data };
  const envelope = { code: 0, message: 'success' };
  return { status: 200, body: endpoint.reply.kind === 'none' ? envelope : { ...envelope, data } };
}
