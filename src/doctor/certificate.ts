import { isIP } from 'node:net';
import { connect, type PeerCertificate } from 'node:tls';
import { type Message, message } from '../errors/message.js';
import type { Clock } from '../util/clock.js';
import { errorDetail } from '../util/error-detail.js';
import { isLoopback } from '../util/loopback.js';
import { type Address, STEP_MS } from './address.js';
import { type DoctorFinding, finding } from './step.js';

const DAY_MS = 86_400_000;
const WARN_DAYS = 14;

type Handshake =
  | {
      readonly kind: 'done';
      readonly certificate: PeerCertificate;
      readonly protocol: string;
      /** The code with which Node's own check refuses it. */
      readonly refusal?: string;
    }
  | { readonly kind: 'failed'; readonly detail: string };

/** Checks the platform's certificate, and for how long it is still valid. */
export async function checkCertificate(
  target: Address,
  env: NodeJS.ProcessEnv,
  clock: Clock,
): Promise<DoctorFinding> {
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    return finding('certificate', 'fault', message('platform.tls_unverified'));
  }
  const { host } = target;
  if (!target.secure) {
    const local = isLoopback(host);
    const say = message(local ? 'doctor.http_local' : 'doctor.http_open', { host });
    return finding('certificate', local ? 'ok' : 'warning', say);
  }
  const met = await handshake(target);
  if (met.kind === 'failed') {
    return finding('certificate', 'fault', message('doctor.tls_failed', { host, detail: met.detail }));
  }
  const from = Date.parse(met.certificate.valid_from);
  const until = Date.parse(met.certificate.valid_to);
  const dates = { host, from: day(from), until: day(until) };
  if (met.refusal !== undefined) {
    return finding('certificate', 'fault', refused(met.refusal, dates, met.certificate));
  }
  const days = Math.floor((until - clock.now()) / DAY_MS);
  if (days < WARN_DAYS) {
    return finding('certificate', 'warning', message('doctor.certificate_ends', { ...dates, days }));
  }
  const issuer = one(met.certificate.issuer?.O ?? met.certificate.issuer?.CN);
  return finding(
    'certificate',
    'ok',
    message('doctor.certificate', { ...dates, issuer, protocol: met.protocol }),
  );
}

/**
 * A TLS handshake that accepts any certificate, so that its dates can be shown. No request and no token is sent over
 * it.
 */
function handshake({ host, port }: Address): Promise<Handshake> {
  return new Promise((resolve) => {
    const name = isIP(host) ? {} : { servername: host };
    const socket = connect({ host, port, ...name, rejectUnauthorized: false, timeout: STEP_MS });
    const end = (it: Handshake): void => {
      socket.destroy();
      resolve(it);
    };
    socket.once('timeout', () => end({ kind: 'failed', detail: `${STEP_MS / 1000} s` }));
    socket.once('error', (error) => end({ kind: 'failed', detail: errorDetail(error) }));
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerCertificate();
      const protocol = socket.getProtocol() ?? '';
      // Declared as an Error; it is the code, as text.
      const refusal = socket.authorized ? {} : { refusal: String(socket.authorizationError) };
      end({ kind: 'done', certificate, protocol, ...refusal });
    });
  });
}

function refused(
  code: string,
  dates: { readonly host: string; readonly from: string; readonly until: string },
  certificate: PeerCertificate,
): Message {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return message('doctor.certificate_expired', dates);
    case 'CERT_NOT_YET_VALID':
      return message('doctor.certificate_early', dates);
    case 'ERR_TLS_CERT_ALTNAME_INVALID': {
      const names = certificate.subjectaltname ?? one(certificate.subject?.CN);
      return message('doctor.certificate_other_name', { host: dates.host, names });
    }
    default:
      return message('doctor.certificate_untrusted', { host: dates.host, detail: code });
  }
}

function day(time: number): string {
  return Number.isNaN(time) ? '-' : new Date(time).toISOString().slice(0, 10);
}

function one(text: string | string[] | undefined): string {
  return (Array.isArray(text) ? text[0] : text) ?? '-';
}
