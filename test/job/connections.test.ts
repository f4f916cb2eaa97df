// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of job files.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ProductError } from '../../src/errors/product-error.js';
import { loadConnections, resolveConnection } from '../../src/job/connections.js';
import { type Problem, ProblemsError, renderProblems } from '../../src/job/problem.js';
import { policiesOf } from '../../src/model/connection.js';
import { accessOf } from '../../src/util/ledger-address.js';
import { brief, folderWith } from './fixture.js';

const HEAD = 'version: 1\nconnections:\n';
const GOOD = '  production:\n    baseUrl: https://license.example.com/\n    token: { env: LICENSE_TOKEN }\n';

async function loadFrom(config: string | undefined, env: NodeJS.ProcessEnv = {}) {
  const folder = await folderWith(
    config === undefined ? { 'jobs/.keep': '' } : { 'license-sync.yaml': config },
  );
  return { folder, connections: await loadConnections('jobs/x.yaml', { env, cwd: folder }) };
}

async function problemsOf(config: string, env: NodeJS.ProcessEnv = {}): Promise<readonly Problem[]> {
  try {
    await loadFrom(config, env);
  } catch (error) {
    if (error instanceof ProblemsError) return error.problems;
    throw error;
  }
  throw new Error('the file was taken without a problem');
}

function refusal(run: () => unknown): ProductError {
  try {
    run();
  } catch (error) {
    if (error instanceof ProductError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('what one connection requires approvals for', () => {
  it('holds over every other one to the same host, whatever it is called and however that is written', async () => {
    const one = (name: string, url: string, more = '') =>
      `  ${name}: { baseUrl: "${url}", token: { env: T }${more} }\n`;
    const { connections } = await loadFrom(
      HEAD +
        one('office', 'https://x.example/api', ', approval: { above: 100 }') +
        one('mine', 'https://X.example.:443/other') +
        one('strict', 'https://x.example', ', approval: required') +
        one('port', 'https://x.example:8443') +
        one('here', 'http://127.0.0.1:99', ', approval: required') +
        one('there', 'http://localhost:99'),
      { LICENSE_SYNC_BASE_URL: 'https://x.example/v1' },
    );
    const wanted = [...connections.connections].map(([name, it]) => [name, policiesOf(it)]);
    expect(Object.fromEntries(wanted)).toEqual({
      sandbox: [],
      env: [{ above: 100 }, {}],
      office: [{ above: 100 }, {}],
      mine: [{ above: 100 }, {}],
      strict: [{}, { above: 100 }],
      port: [],
      here: [{}],
      there: [{}],
    });
  });
});

describe('license-sync.yaml is checked as a whole', () => {
  it('is found upwards from the job file, and its paths are from its own folder', async () => {
    const folder = await folderWith({
      'a/license-sync.yaml': `${HEAD}  p:\n    baseUrl: https://x.example/api/\n    token: { file: secrets/token }\n`,
      'a/b/c/job.yaml': '',
    });
    const found = await loadConnections('a/b/c/job.yaml', { env: {}, cwd: folder });
    expect(found.configFile).toBe(join(folder, 'a/license-sync.yaml'));
    expect(found.ledger.place).toBe(join(folder, 'a/.license-sync/ledger.db'));
    expect(found.connections.get('p')).toEqual({
      name: 'p',
      sandbox: false,
      baseUrl: 'https://x.example/api',
      token: { kind: 'file', path: join(folder, 'a/secrets/token') },
      timestamps: 'milliseconds',
      timezone: 'Asia/Shanghai',
      allowInsecureHttp: false,
      confirm: 'default',
      retryCode500: 'retry',
    });
  });

  it('keeps what it says', async () => {
    const { connections } = await loadFrom(
      `version: 1
defaultConnection: production
ledger: state/ledger.db
connections:
  production:
    baseUrl: http://10.0.0.1:8080
    appKey: \${LICENSE_APP_KEY}
    token: { command: [vault, read, -field=token, license] }
    requestsPerSecond: 50
    timestamps: seconds
    timezone: UTC
    allowInsecureHttp: true
    confirm: always
    retryCode500: repeatable
  __proto__:
    baseUrl: https://x.example
    token: { env: T }
`,
      { LICENSE_APP_KEY: '0123' },
    );
    expect(connections.ledger.place).toMatch(/\/state\/ledger\.db$/);
    expect(resolveConnection(connections, {})).toEqual({
      name: 'production',
      sandbox: false,
      baseUrl: 'http://10.0.0.1:8080',
      appKey: '0123',
      token: { kind: 'command', argv: ['vault', 'read', '-field=token', 'license'] },
      requestsPerSecond: 50,
      timestamps: 'seconds',
      timezone: 'UTC',
      allowInsecureHttp: true,
      confirm: 'always',
      retryCode500: 'repeatable',
    });
    expect(connections.connections.get('__proto__')).toMatchObject({ name: '__proto__' });
  });

  it('may place the sandbox elsewhere', async () => {
    const { connections } = await loadFrom(
      `${HEAD}  sandbox:\n    baseUrl: http://127.0.0.1:4010\n    timestamps: seconds\n`,
    );
    expect(connections.connections.get('sandbox')).toMatchObject({
      sandbox: true,
      baseUrl: 'http://127.0.0.1:4010',
      appKey: 'sandbox',
      token: { kind: 'sandbox' },
      timestamps: 'seconds',
    });
  });

  it.each([
    ['a token in the file', 'token: s3cret-token', '5:12 job.token_inlined'],
    ['a token from a variable in the file', 'token: ${T}', '5:12 job.token_inlined'],
    ['no token', 'timezone: UTC', '3:3 job.missing_token'],
    ['two ways to a token', 'token: { env: A, file: b }', '5:12 job.token_ways'],
    ['no way to a token', 'token: {}', '5:12 job.token_ways'],
    ['an unknown way', 'token: { evn: A }', '5:14 job.unknown_key'],
    ['a variable that is none', 'token: { env: $A }', '5:19 job.bad_variable_name'],
    ['a command that is no list', 'token: { command: prog }', '5:23 job.expected_list'],
    ['an empty command', 'token: { command: [] }', '5:23 job.empty_command'],
    ['an unknown unit', 'token: { env: A }\n    timestamps: milisecond', '6:17 job.unknown_value'],
    ['an unknown zone', 'token: { env: A }\n    timezone: Asia/Shanghia', '6:15 job.unknown_timezone'],
    ['no rate', 'token: { env: A }\n    requestsPerSecond: 0', '6:24 job.not_above'],
  ])('refuses %s', async (_, line, problem) => {
    const problems = await problemsOf(`${HEAD}  p:\n    baseUrl: https://x.example\n    ${line}\n`, {
      T: 's3cret-token',
    });
    expect(brief(problems)).toEqual([problem]);
    expect(renderProblems(problems)).not.toContain('s3cret');
  });

  it.each([
    ['license.example.com', 'job.bad_url'],
    ['ftp://x.example', 'job.bad_url'],
    ['https://user:s3cret@x.example', 'job.url_credentials'],
    ['https://x.example/?key=s3cret', 'job.url_query'],
    ['"https://x.example/#s3cret"', 'job.url_query'],
    ['http://license.example.com', 'job.insecure_http'],
    ['http://127.0.0.1.example.com', 'job.insecure_http'],
  ])('refuses the address %s', async (url, code) => {
    const problems = await problemsOf(`${HEAD}  p:\n    token: { env: T }\n    baseUrl: ${url}\n`);
    expect(brief(problems)).toEqual([`5:14 ${code}`]);
    expect(renderProblems(problems)).not.toContain('s3cret');
  });

  it.each(['http://localhost:1', 'http://127.8.0.1', 'http://[::1]:9', 'http://a.localhost'])(
    'takes %s, which is loopback',
    async (url) => {
      const { connections } = await loadFrom(`${HEAD}  p: { token: { env: T }, baseUrl: "${url}" }\n`);
      expect(connections.connections.get('p')?.baseUrl).toBe(url);
    },
  );

  it('reports everything at once, and shows no line that may hold a secret', async () => {
    const problems = await problemsOf(
      `version: 1\ndefaultConnection: prod\nlegder: x\n${GOOD.replace('  production', 'connections:\n  production')}    tokn: s3cret\n  other: 5\n`,
    );
    expect(brief(problems)).toEqual([
      '2:20 job.unknown_default_far',
      '3:1 job.unknown_key',
      '8:5 job.unknown_key',
      '9:10 job.expected_mapping',
    ]);
    expect(renderProblems(problems)).not.toContain('s3cret');
    expect(problems.every((one) => one.excerpt === undefined)).toBe(true);
  });

  it('reports a missing variable only when its connection is required', async () => {
    const config = `${HEAD}${GOOD}    appKey: \${LICENSE_APP_KEY}\n  other: { baseUrl: "https://o.example", token: { env: T } }\n`;
    const { connections } = await loadFrom(config);
    expect(resolveConnection(connections, { job: 'sandbox' }).sandbox).toBe(true);
    expect(resolveConnection(connections, { job: 'other' }).name).toBe('other');
    const refused = refusal(() => resolveConnection(connections, { flag: 'production' }));
    expect(refused).toBeInstanceOf(ProblemsError);
    expect(brief((refused as ProblemsError).problems)).toEqual(['6:13 job.missing_variable']);
    expect(brief(await problemsOf('version: 1\nledger: ${NOWHERE}\n'))).toEqual(['2:9 job.missing_variable']);
  });

  it('refuses a ledger of another kind', async () => {
    expect(brief(await problemsOf('version: 1\nledger: mysql://x:s3cret@y/z\n'))).toEqual([
      '2:9 job.bad_ledger',
    ]);
    const loading = loadFrom(undefined, { LICENSE_SYNC_LEDGER: 'mysql://x' });
    await expect(loading).rejects.toMatchObject({
      kind: 'usage',
      detail: { code: 'ledger.bad_address' },
    });
  });
});

describe('a ledger on a server', () => {
  const settings = (ledger: string): string => `version: 1\nledger: ${ledger}\n`;

  it.each([
    ['postgres://sync@db:5433/licences', {}, 'postgres://sync@db:5433/licences'],
    ['postgres://sync:${PW}@db/licences', { PW: 'wortgeheim' }, 'postgres://sync@db:5432/licences'],
    ['{ url: postgres://sync@db/l, schema: team_a }', {}, 'postgres://sync@db:5432/l?schema=team_a'],
    ['{ url: postgres://sync@db/l, password: { env: LEDGER_PASSWORD } }', {}, 'postgres://sync@db:5432/l'],
  ])('%s', async (ledger, env, place) => {
    const { connections } = await loadFrom(settings(ledger), env);
    expect(connections.ledger.place).toBe(place);
  });

  it('says where its password is found, files from the folder of the settings', async () => {
    const { folder, connections } = await loadFrom(
      settings('{ url: postgres://filed@db/l, password: { file: secrets/pw } }'),
    );
    const password = { kind: 'file', path: join(folder, 'secrets/pw') };
    expect(accessOf(connections.ledger.place)).toMatchObject({ password, folder });
    const moved = await loadFrom(settings('x.db'), { LICENSE_SYNC_LEDGER: 'postgres://moved:w0rtwort@db/l' });
    expect(moved.connections.ledger.place).toBe('postgres://moved@db:5432/l');
    expect(accessOf(moved.connections.ledger.place).password).toEqual({
      kind: 'given',
      password: 'w0rtwort',
    });
  });

  it.each([
    ['postgres://sync:s3cret@db/l?sslmode=none', 'job.bad_ledger_url', 2, 9],
    ['mysql://sync:s3cret@db/l', 'job.bad_ledger', 2, 9],
    ['{ url: mysql://sync:s3cret@db/l }', 'job.ledger_url', 2, 16],
    ['{ url: postgres://sync@db/l, password: s3cret }', 'job.password_inlined', 2, 48],
    ['{ url: postgres://sync@db/l, password: { env: A, file: b } }', 'job.password_ways', 2, 48],
    ['{ url: postgres://sync@db/l, schema: Team-A }', 'job.ledger_schema', 2, 46],
    ['{ url: postgres://sync@db/l, shema: a }', 'job.unknown_key', 2, 38],
    ['{ schema: a }', 'job.missing_key', 2, 9],
    ['[a]', 'job.expected_text', 2, 9],
    ['""', 'job.empty_text', 2, 9],
  ])('%s is refused at its place, and nothing of it is repeated', async (ledger, code, line, column) => {
    const loading = loadFrom(settings(ledger));
    await expect(loading).rejects.toMatchObject({ kind: 'usage', problems: [{ code, line, column }] });
    await expect(loading).rejects.not.toThrow(/s3cret/);
  });
});

describe('without license-sync.yaml the environment gives a connection', () => {
  it('there is the sandbox, and the ledger is in the current folder', async () => {
    const { folder, connections } = await loadFrom(undefined);
    expect(connections.configFile).toBeUndefined();
    expect(connections.ledger.place).toBe(join(folder, '.license-sync/ledger.db'));
    expect([...connections.connections.keys()]).toEqual(['sandbox']);
  });

  it('the environment gives a connection and moves the ledger', async () => {
    const { folder, connections } = await loadFrom(undefined, {
      LICENSE_SYNC_BASE_URL: 'https://x.example/',
      LICENSE_SYNC_TOKEN: 's3cret',
      LICENSE_SYNC_APP_KEY: 'app',
      LICENSE_SYNC_LEDGER: 'elsewhere/l.db',
    });
    expect(connections.ledger.place).toBe(join(folder, 'elsewhere/l.db'));
    expect(resolveConnection(connections, {})).toMatchObject({
      name: 'env',
      sandbox: false,
      baseUrl: 'https://x.example',
      appKey: 'app',
      token: { kind: 'env', name: 'LICENSE_SYNC_TOKEN' },
    });
    expect(JSON.stringify([...connections.connections])).not.toContain('s3cret');
  });

  it('a wrong address of the environment is reported when it is required', async () => {
    const { connections } = await loadFrom(undefined, { LICENSE_SYNC_BASE_URL: 'http://x.example' });
    expect(resolveConnection(connections, { flag: 'sandbox' }).name).toBe('sandbox');
    const refused = refusal(() => resolveConnection(connections, {}));
    expect(refused.detail).toMatchObject({
      code: 'job.insecure_http',
      params: { where: 'LICENSE_SYNC_BASE_URL:1:1 job.insecure_http' },
    });
  });
});

describe('a job runs on the connection that is named first', () => {
  it('follows flag, job, default, environment', async () => {
    const { connections } = await loadFrom(
      `version: 1\ndefaultConnection: a\nconnections:\n  a: &c { baseUrl: "https://a.example", token: { env: T } }\n  b: *c\n  c: *c\n`,
      { LICENSE_SYNC_BASE_URL: 'https://x.example' },
    );
    const choose = (wanted: { flag?: string; job?: string }) => resolveConnection(connections, wanted).name;
    expect(choose({ flag: 'c', job: 'b' })).toBe('c');
    expect(choose({ job: 'b' })).toBe('b');
    expect(choose({})).toBe('a');
    expect(choose({ flag: 'env' })).toBe('env');
  });

  it('is never the sandbox in silence', async () => {
    const { connections } = await loadFrom(undefined);
    expect(refusal(() => resolveConnection(connections, {}))).toMatchObject({
      kind: 'usage',
      detail: { code: 'job.no_connection', params: { known: 'sandbox' } },
    });
  });

  it('names the nearest', async () => {
    const { connections } = await loadFrom(HEAD + GOOD);
    expect(refusal(() => resolveConnection(connections, { flag: 'prodution' })).detail).toMatchObject({
      code: 'job.unknown_connection',
      params: { name: 'prodution', near: 'production', known: 'sandbox, production' },
    });
    expect(refusal(() => resolveConnection(connections, { job: 'xyz' })).detail.code).toBe(
      'job.unknown_connection_far',
    );
  });
});
