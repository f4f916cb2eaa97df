import { lookup } from 'node:dns/promises';
import { connect, isIP } from 'node:net';
import { message } from '../errors/message.js';
import { errorDetail } from '../util/error-detail.js';
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

/** Checks that the host's name resolves. */
export async function checkName({ host }: Address): Promise<DoctorFinding> {
  if (isIP(host)) return finding('name', 'ok', message('doctor.name_is_address', { host }));
  const began = performance.now();
  try {
    const found = await within(lookup(host, { all: true }));
    const addresses = found.map((it) => it.address).join(', ');
    const ms = Math.round(performance.now() - began);
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
  const began = performance.now();
  const trouble = await new Promise<string | undefined>((resolve) => {
    const socket = connect({ host, port });
    socket.setTimeout(STEP_MS, () => end(`${STEP_MS / 1000} s`));
    socket.once('connect', () => end(undefined));
    socket.once('error', (error) => end(errorDetail(error)));
    const end = (told: string | undefined): void => {
      socket.destroy();
      resolve(told);
    };
  });
  const params = { host, port, ms: Math.round(performance.now() - began) };
  if (trouble === undefined) return finding('port', 'ok', message('doctor.port', params));
  const detail = { host, port, detail: trouble };
  const proxied = env.HTTPS_PROXY || env.https_proxy || env.HTTP_PROXY || env.http_proxy;
  const code = /ECONNREFUSED/.test(trouble) ? 'doctor.port_refused' : 'doctor.port_unreachable';
  return finding('port', 'fault', proxied ? message('doctor.port_proxy', detail) : message(code, detail));
}
