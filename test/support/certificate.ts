import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface Certificate {
  /** PEM. */
  readonly cert: string;
  readonly key: string;
}

/** A certificate that signs itself, for a host name or an IPv4 address, valid between two moments. */
export function selfSigned(host: string, from: Date, until: Date): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid('2a8648ce3d040302'));
  const name = sequence(set(sequence(oid('550403'), tagged(0x0c, Buffer.from('license-sync tests')))));
  const address = /^\d+(\.\d+){3}$/.test(host) ? Buffer.from(host.split('.').map(Number)) : undefined;
  const names = sequence(address ? tagged(0x87, address) : tagged(0x82, Buffer.from(host)));
  const extensions = sequence(
    sequence(oid('551d11'), tagged(0x04, names)),
    sequence(oid('551d13'), tagged(0x04, sequence(tagged(0x01, Buffer.from([0xff]))))),
  );
  const content = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    sequence(time(from), time(until)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, extensions),
  );
  const signature = sign('sha256', content, { key: privateKey, dsaEncoding: 'der' });
  const whole = sequence(content, algorithm, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts));
const set = (...parts: Buffer[]): Buffer => tagged(0x31, Buffer.concat(parts));
const integer = (bytes: Buffer): Buffer => tagged(0x02, bytes);
const oid = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, 'hex'));

/** GeneralizedTime, to the second. */
function time(at: Date): Buffer {
  const digits = at.toISOString().replace(/[-:T]/g, '').slice(0, 14);
  return tagged(0x18, Buffer.from(`${digits}Z`));
}
