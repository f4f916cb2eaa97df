import { lookup } from 'node:dns/promises';
import { connect, isIP } from 'node:net';
import { type PeerCertificate, connect as tlsConnect } from 'node:tls';
import { type Message, message } from '../errors/message.js';
import type { Clock } from '../util/clock.js';
import { errorDetail } from '../util/error-detail.js';
import { isLoopback } from '../util/loopback.js';
import { zonedText } from '../util/zoned-time.js';
import { type DoctorFinding, finding } from './step.js';

export const STEP_MS = 10_000;

/** Host and port of a connection's address. */
export interface Address {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
}

export function targetOf(baseUrl: string): Address {
  const url = new URL(baseUrl);
  const secure = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { host, port: url.port === '' ? (secure ? 443 : 80) : Number(url.port), secure };
}

export async function checkName({ host }: Address): Promise<DoctorFinding> {
  if (isIP(host)) return finding('name', 'ok', message('doctor.name_is_address', { host }));
  const startedAt = performance.now();
  try {
    const found = await within(lookup(host, { all: true }));
    const addresses = found.map((it) => it.address).join(', ');
    const ms = Math.round(performance.now() - startedAt);
    return finding('name', 'ok', message('doctor.name', { host, addresses, ms }));
  } catch (error) {
    return finding('name', 'fault', message('doctor.name_unknown', { host, detail: errorDetail(error) }));
  }
}

async function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${STEP_MS / 1000} s`)), STEP_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Checks that the port accepts connections: one is opened and closed, nothing is sent. */
export async function checkPort({ host, port }: Address, env: NodeJS.ProcessEnv): Promise<DoctorFinding> {
  const startedAt = performance.now();
  const failure = await new Promise<string | undefined>((resolve) => {
    const socket = connect({ host, port });
    socket.setTimeout(STEP_MS, () => end(`${STEP_MS / 1000} s`));
    socket.once('connect', () => end(undefined));
    socket.once('error', (error) => end(errorDetail(error)));
    const end = (failure: string | undefined): void => {
      socket.destroy();
      resolve(failure);
    };
  });
  const params = { host, port, ms: Math.round(performance.now() - startedAt) };
  if (failure === undefined) return finding('port', 'ok', message('doctor.port', params));
  const detail = { host, port, detail: failure };
  const proxied = env.HTTPS_PROXY || env.https_proxy || env.HTTP_PROXY || env.http_proxy;
  const code = /ECONNREFUSED/.test(failure) ? 'doctor.port_refused' : 'doctor.port_unreachable';
  return finding('port', 'fault', proxied ? message('doctor.port_proxy', detail) : message(code, detail));
}

const DAY_MS = 86_400_000;
const WARN_DAYS = 14;

type Handshake =
  | {
      readonly kind: 'done';
      readonly certificate: PeerCertificate;
      readonly protocol: string;
      /** Node's error code if it refuses the certificate. */
      readonly refusal?: string;
    }
  | { readonly kind: 'failed'; readonly detail: string };

/** Checks the platform's certificate and its remaining validity. Dates are shown in the connection's time zone. */
export async function checkCertificate(
  target: Address,
  env: NodeJS.ProcessEnv,
  clock: Clock,
  timezone: string,
): Promise<DoctorFinding> {
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    return finding('certificate', 'fault', message('platform.tls_unverified'));
  }
  const { host } = target;
  if (!target.secure) {
    const isLocal = isLoopback(host);
    const text = message(isLocal ? 'doctor.http_local' : 'doctor.http_open', { host });
    return finding('certificate', isLocal ? 'ok' : 'warning', text);
  }
  const tls = await handshake(target);
  if (tls.kind === 'failed') {
    return finding('certificate', 'fault', message('doctor.tls_failed', { host, detail: tls.detail }));
  }
  const from = Date.parse(tls.certificate.valid_from);
  const until = Date.parse(tls.certificate.valid_to);
  const dates = { host, from: dateText(from, timezone), until: dateText(until, timezone) };
  if (tls.refusal !== undefined) {
    return finding('certificate', 'fault', refused(tls.refusal, dates, tls.certificate));
  }
  const days = Math.floor((until - clock.now()) / DAY_MS);
  if (days < WARN_DAYS) {
    return finding('certificate', 'warning', message('doctor.certificate_ends', { ...dates, days }));
  }
  const issuer = firstOf(tls.certificate.issuer?.O ?? tls.certificate.issuer?.CN);
  return finding(
    'certificate',
    'ok',
    message('doctor.certificate', { ...dates, issuer, protocol: tls.protocol }),
  );
}

/** A TLS handshake that accepts any certificate, so that its dates can be shown. No request and no token is sent. */
function handshake({ host, port }: Address): Promise<Handshake> {
  return new Promise((resolve) => {
    const name = isIP(host) ? {} : { servername: host };
    const socket = tlsConnect({ host, port, ...name, rejectUnauthorized: false, timeout: STEP_MS });
    const end = (result: Handshake): void => {
      socket.destroy();
      resolve(result);
    };
    socket.once('timeout', () => end({ kind: 'failed', detail: `${STEP_MS / 1000} s` }));
    socket.once('error', (error) => end({ kind: 'failed', detail: errorDetail(error) }));
    socket.once('secureConnect', () => {
      const certificate = socket.getPeerCertificate();
      const protocol = socket.getProtocol() ?? '';
      // Declared as an Error, but it is the code as a string.
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
      const names = certificate.subjectaltname ?? firstOf(certificate.subject?.CN);
      return message('doctor.certificate_other_name', { host: dates.host, names });
    }
    default:
      return message('doctor.certificate_untrusted', { host: dates.host, detail: code });
  }
}

function dateText(time: number, timezone: string): string {
  return Number.isNaN(time) ? '-' : zonedText(time, timezone);
}

function firstOf(text: string | string[] | undefined): string {
  return (Array.isArray(text) ? text[0] : text) ?? '-';
}
