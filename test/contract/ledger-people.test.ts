import { expect, test } from 'vitest';
import type { NewPerson } from '../../src/ledger/contract/people.js';
import { checkChain } from '../../src/ledger/upkeep/check.js';
import { describeLedger } from '../support/ledgers.js';

const WANG: NewPerson = { name: 'wang', roles: ['maker', 'checker'], subject: 'sub-w', tokenSha256: 'aa' };
const LI: NewPerson = { name: '李', roles: ['admin'], tokenSha256: 'bb', tokenExpiresAt: 5000 };

describeLedger('people', (here) => {
  const people = () => here.ledger.people;
  const acts = async () => {
    const page = await here.ledger.audit.page({ limit: 100 });
    return [...page].reverse().map(({ who, act, detail }) => `${who} ${act} ${JSON.stringify(detail)}`);
  };

  test('are reported by name, token and subject, over a reopening', async () => {
    expect(await people().list()).toEqual([]);
    expect(await people().add(WANG, 'os:root')).toBeUndefined();
    expect(await people().add(LI, 'os:root')).toBeUndefined();
    await here.reopen();
    const wang = { name: 'wang', roles: ['maker', 'checker'], subject: 'sub-w', addedAt: expect.any(Number) };
    const li = { name: '李', roles: ['admin'], addedAt: expect.any(Number), tokenExpiresAt: 5000 };
    expect(await people().list()).toEqual([wang, li]);
    expect(await people().get('wang')).toEqual(wang);
    expect(await people().byToken('bb')).toEqual(li);
    expect(await people().bySubject('sub-w')).toEqual(wang);
    expect(await people().get('zhao')).toBeUndefined();
    expect(await people().byToken('cc')).toBeUndefined();
  });

  test('a name, and a subject, is one person; a removed one frees it', async () => {
    await people().add(WANG, 'x');
    expect(await people().add({ ...WANG, subject: 'other', tokenSha256: 'cc' }, 'x')).toBe('name_taken');
    expect(await people().add({ ...WANG, name: 'wang2', tokenSha256: 'cc' }, 'x')).toBe('subject_taken');
    expect(await people().remove('wang', 'x')).toBeUndefined();
    expect(await people().byToken('aa')).toBeUndefined();
    expect(await people().bySubject('sub-w')).toBeUndefined();
    expect(await people().remove('wang', 'x')).toBe('no_such_person');
    expect(await people().add({ ...WANG, tokenSha256: 'cc' }, 'x')).toBeUndefined();
    expect(await people().list()).toHaveLength(1);
  });

  test('a new token ends the one before, and its end with it', async () => {
    await people().add(LI, 'x');
    expect(await people().setToken('李', { sha256: 'cc' }, 'x')).toBeUndefined();
    expect(await people().byToken('bb')).toBeUndefined();
    expect(await people().byToken('cc')).not.toHaveProperty('tokenExpiresAt');
    await people().setToken('李', { sha256: 'dd', expiresAt: 9000 }, 'x');
    expect(await people().byToken('dd')).toMatchObject({ name: '李', tokenExpiresAt: 9000 });
    expect(await people().setToken('zhao', { sha256: 'ee' }, 'x')).toBe('no_such_person');
  });

  test('the last admin stays as long as others remain', async () => {
    await people().add(WANG, 'x');
    await people().add(LI, 'x');
    expect(await people().remove('李', 'x')).toBe('last_admin');
    await people().add({ name: 'zhao', roles: ['admin'], tokenSha256: 'cc' }, 'x');
    expect(await people().remove('李', 'x')).toBeUndefined();
    expect(await people().remove('zhao', 'x')).toBe('last_admin');
    await people().remove('wang', 'x');
    expect(await people().remove('zhao', 'x')).toBeUndefined();
  });

  test('roles change with the token, and the last admin keeps the role as long as others remain', async () => {
    await people().add(WANG, 'x');
    await people().add(LI, 'x');
    expect(await people().setToken('李', { sha256: 'cc', roles: ['viewer'] }, 'x')).toBe('last_admin');
    expect(await people().byToken('cc')).toBeUndefined();
    expect(
      await people().setToken('wang', { sha256: 'dd', roles: ['checker', 'admin'] }, 'x'),
    ).toBeUndefined();
    expect(await people().byToken('dd')).toMatchObject({ name: 'wang', roles: ['checker', 'admin'] });
    await people().setToken('wang', { sha256: 'ee' }, 'x');
    expect(await people().get('wang')).toMatchObject({ roles: ['checker', 'admin'] });
    expect(await people().setToken('李', { sha256: 'ff', roles: ['viewer'] }, 'x')).toBeUndefined();
    expect(await people().setToken('none', { sha256: 'gg', roles: ['viewer'] }, 'x')).toBe('no_such_person');
  });

  test('two admins who are removed at once are not both let go', async () => {
    const other = await here.another();
    await people().add(WANG, 'x');
    await people().add(LI, 'x');
    await people().add({ name: 'zhao', roles: ['admin'], tokenSha256: 'cc' }, 'x');
    const removed = await Promise.all([people().remove('李', 'x'), other.people.remove('zhao', 'x')]);
    expect([...removed].sort()).toEqual(['last_admin', undefined]);
  });

  test('each change is a line of the audit, a refused one is none', async () => {
    await people().add(WANG, 'os:root@vm');
    await people().add(WANG, 'os:root@vm');
    await people().setToken('wang', { sha256: 'cc', expiresAt: 0 }, 'boss');
    await people().setToken('zhao', { sha256: 'cc' }, 'boss');
    await people().remove('wang', 'boss');
    await people().remove('wang', 'boss');
    expect(await acts()).toEqual([
      'os:root@vm people_add {"name":"wang","roles":["maker","checker"],"subject":"sub-w"}',
      'boss people_token {"expires":"1970-01-01T00:00:00.000Z","name":"wang"}',
      'boss people_remove {"name":"wang"}',
    ]);
    expect(await checkChain(here.ledger.audit)).toEqual({ sound: 3 });
  });
});
