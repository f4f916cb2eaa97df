import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname, networkInterfaces } from 'node:os';
import { createSecureContext } from 'node:tls';
import { message } from '../errors/message.js';
import { ProductError } from '../errors/product-error.js';
import type { ConsoleSettings } from '../model/console.js';
import { isLoopback } from '../util/loopback.js';
import { networkOf } from '../util/network.js';
import type { Reached } from './auth/origin.js';

/** A certificate with its key, as PEM. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** Whether others than the user of this machine may reach it: then nobody comes in by the printed address. */
export function isServer(host: string, { trustedProxy, url }: ConsoleSettings): boolean {
  const isPublic = url !== undefined && !isLoopback(new URL(url).hostname);
  return !isLoopback(host) || trustedProxy !== undefined || isPublic;
}

/** @throws ProductError usage where it would be served in the clear */
export function refuseInTheClear(host: string, { tls, trustedProxy }: ConsoleSettings): void {
  if (isLoopback(host) || tls || trustedProxy !== undefined) return;
  throw new ProductError('usage', message('console.needs_tls', { host }));
}

/** @throws ProductError usage for files that can't be read, or aren't what they should be */
export async function tlsFiles({ tls }: ConsoleSettings): Promise<TlsFiles | undefined> {
  if (!tls) return undefined;
  try {
    const [cert, key] = await Promise.all([readFile(tls.cert, 'utf8'), readFile(tls.key, 'utf8')]);
    createSecureContext({ cert, key });
    return { cert, key };
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new ProductError('usage', message('console.bad_certificate', { ...tls, reason }));
  }
}

/** By which names it may be reached. An address that is a number can't be rebound, so that all of this machine's may be. */
export function reachedAt(
  { host, port }: { readonly host: string; readonly port: number },
  settings: ConsoleSettings,
  files: TlsFiles | undefined,
): Reached {
  const { url, trustedProxy } = settings;
  const names = ['localhost', '127.0.0.1', '[::1]', bracketed(host).toLowerCase()];
  if (!isLoopback(host)) {
    names.push(hostname().toLowerCase());
    for (const list of Object.values(networkInterfaces()))
      names.push(...(list ?? []).map(({ address }) => bracketed(address)));
  }
  if (files) names.push(...namesOf(files.cert));
  const scheme = files || trustedProxy !== undefined ? 'https' : 'http';
  const usual = scheme === 'https' ? 443 : 80;
  const hosts = names.flatMap((name) => [`${name}:${port}`, ...(port === usual ? [name] : [])]);
  if (url !== undefined) hosts.push(new URL(url).host);
  return {
    scheme,
    hosts: new Set(hosts),
    ...(trustedProxy === undefined ? {} : { isProxy: isIn(trustedProxy) }),
  };
}

/** The address that is printed. */
export function addressOf(host: string, port: number, { url }: ConsoleSettings, scheme: string): string {
  if (url !== undefined) return url;
  const any = host === '0.0.0.0' || host === '::';
  return `${scheme}://${any ? hostname() : bracketed(host)}:${port}`;
}

function isIn(networks: true | readonly string[]): (address: string) => boolean {
  if (networks === true) return () => true;
  const list = networkOf(networks)!;
  return (address) => list.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}

/** The names that a certificate holds for. */
function namesOf(cert: string): readonly string[] {
  const { subjectAltName = '' } = new X509Certificate(cert);
  return [...subjectAltName.matchAll(/(?:DNS|IP Address):([^,\s]+)/g)]
    .map(([, name = '']) => bracketed(name.toLowerCase()))
    .filter((name) => !name.includes('*'));
}

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
