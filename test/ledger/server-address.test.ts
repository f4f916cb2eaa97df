import { describe, expect, it } from 'vitest';
import { accessOf, ledgerPlace, parsePostgresUrl, stateFolderOf } from '../../src/util/ledger-address.js';

describe('the URL of a ledger on a server', () => {
  it.each([
    [
      'postgres://sync@db.example.com:5433/licences',
      { host: 'db.example.com', port: 5433, user: 'sync', database: 'licences' },
    ],
    ['POSTGRESQL://sync@db/licences', { host: 'db', port: 5432, user: 'sync' }],
    ['postgres://a%40b:p%2Fw@[::1]/d%20b', { host: '::1', user: 'a@b', password: 'p/w', database: 'd b' }],
    [
      'postgres:///d?host=/var/run/postgresql&user=u',
      { host: '/var/run/postgresql', user: 'u', database: 'd', sslMode: 'prefer' },
    ],
    ['postgres://u@h/d?schema=two', { schema: 'two' }],
    ['postgres://u@h/d', { schema: 'license_sync', sslMode: 'verify-full' }],
    ['postgres://u@localhost/d', { sslMode: 'prefer' }],
    [
      'postgres://u@127.0.0.1/d?sslmode=verify-ca&sslrootcert=/ca.pem',
      { sslMode: 'verify-ca', sslRootCert: '/ca.pem' },
    ],
    ['postgres://u@h/d?sslmode=require&application_name=x', { sslMode: 'require' }],
  ])('%s', (url, parts) => {
    expect(parsePostgresUrl(url)).toMatchObject(parts);
  });

  it('takes user and database from the environment where it has none', () => {
    const env = { PGUSER: 'wang', PGDATABASE: 'ledger' };
    expect(parsePostgresUrl('postgres://db', env)).toMatchObject({ user: 'wang', database: 'ledger' });
    expect(parsePostgresUrl('postgres://li@db', {})).toMatchObject({ user: 'li', database: 'li' });
  });

  it.each([
    ['postgres://', 'ledger.url_form'],
    ['postgres://u%ZZ@h/d', 'ledger.url_form'],
    ['postgres://u:s3cret@h1,h2/d', 'ledger.url_hosts'],
    ['postgres://u:s3cret@h:70000/d', 'ledger.url_port'],
    ['postgres://u:s3cret@h/d?sslmode=maybe', 'ledger.url_sslmode'],
    ['postgres://u:s3cret@h/d?ssl=true', 'ledger.url_parameter'],
    ['postgres://u:s3cret@h/d?schema=Drop Table', 'ledger.url_schema'],
    ['postgres://u:s3cret@h/d?schema=pg_x', 'ledger.url_schema'],
  ])('%s is refused, and nothing of a password is repeated', (url, code) => {
    const naming = () => ledgerPlace(url, '/folder');
    expect(naming).toThrow(
      expect.objectContaining({ kind: 'usage', detail: expect.objectContaining({ code }) }),
    );
    expect(naming).not.toThrow(/s3cret/);
  });

  it('names a place without its password, which is remembered', () => {
    const place = ledgerPlace('postgres://u:s3cretword@h:5432/d?sslmode=verify-full', '/folder');
    expect(place).toBe('postgres://u@h:5432/d');
    expect(accessOf(place).password).toEqual({ kind: 'given', password: 's3cretword' });
    expect(ledgerPlace('postgres://u@h/d', '/folder')).toBe(place);
    expect(accessOf(place).password).toEqual({ kind: 'given', password: 's3cretword' });
    expect(stateFolderOf(place)).toBe('/folder/.license-sync');
    expect(ledgerPlace(place, '/folder')).toBe(place);
  });

  it('keeps what leads elsewhere: schema, mode, certificate, socket', () => {
    for (const url of [
      'postgres://u@h:5432/d?schema=two&sslmode=require',
      'postgres://u@127.0.0.1:5432/d?sslmode=verify-full&sslrootcert=%2Fca.pem',
      'postgres://u@:5432/d?host=%2Fvar%2Frun',
      'postgres://u%40x@[::1]:5432/d%2Fb',
    ])
      expect(ledgerPlace(url, '/')).toBe(url);
  });
});
