import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, checkServerIdentity } from 'node:tls';
import { message } from '../../errors/message.js';
import { ProductError } from '../../errors/product-error.js';
import type { PostgresAddress } from '../../util/ledger-address.js';

/** TLS settings to try for a session, in this order. */
export type TlsTrials = readonly (ConnectionOptions | false)[];

/**
 * As in PostgreSQL's clients: up to `require` the certificate isn't checked (unless a root is named), `verify-ca` requires a
 * trusted certificate, `verify-full` one for this host.
 * @throws ProductError usage when a file can't be read
 */
export function tlsTrials(address: PostgresAddress): TlsTrials {
  const { sslMode, host } = address;
  // A local socket has no TLS.
  if (sslMode === 'disable' || host.startsWith('/')) return [false];
  const roots = rootsOf(address);
  const files = {
    ...(roots === undefined ? {} : { ca: roots }),
    ...(address.sslCert === undefined ? {} : { cert: fileOf(address.sslCert, 'sslcert') }),
    ...(address.sslKey === undefined ? {} : { key: fileOf(address.sslKey, 'sslkey') }),
  };
  if (sslMode === 'verify-full') {
    // Set here, because the client would compare an IP address with `localhost`.
    return [{ ...files, checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate) }];
  }
  const trusted = { ...files, checkServerIdentity: () => undefined };
  if (sslMode === 'verify-ca') return [trusted];
  const any = roots === undefined ? { ...files, rejectUnauthorized: false } : trusted;
  if (sslMode === 'require') return [any];
  return sslMode === 'prefer' ? [any, false] : [false, any];
}

/** The trusted certificates; undefined: those of the system or Node. */
function rootsOf({ sslRootCert, sslMode }: PostgresAddress): string | undefined {
  if (sslRootCert === 'system') return undefined;
  if (sslRootCert !== undefined) return fileOf(sslRootCert, 'sslrootcert');
  if (sslMode !== 'verify-ca' && sslMode !== 'verify-full') return undefined;
  try {
    return readFileSync(join(homedir(), '.postgresql', 'root.crt'), 'utf8');
  } catch {
    return undefined;
  }
}

function fileOf(file: string, parameter: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ProductError('usage', message('ledger.no_certificate_file', { file, parameter, reason }), {
      cause: error,
    });
  }
}
