import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runJob } from '../../src/api/index.js';
import { licenseSyncAlone } from '../support/command.js';
import { FakePlatform, ordersDone } from '../support/fake-platform.js';
import { orderJob, orderRows } from '../support/orders.js';

let folder: string;
let platform: FakePlatform;
const at = (name: string): string => path.join(folder, name);

const env = {
  SIGNING_KEY: 'the-key-of-the-signature',
  SAME_KEY: 'the-key-of-the-signature',
  HOOK_PART: 'T0000/B0000',
  HOOK_WHOLE: 'http://127.0.0.1:9/services/T0000/B0000',
  HEADER_VALUE: 'k3y-of-the-header',
  CONNECTION_KEY: 'the-key-of-the-connection',
  HARMLESS: 'stays as it is',
};

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'license-sync-child-env-'));
  platform = await new FakePlatform((seen) =>
    'orderList' in seen.body ? ordersDone(seen) : { body: { code: 0, message: 'ok', data: [] } },
  ).start();
  await writeFile(at('token.sh'), '#!/bin/sh\nenv > token-env.txt\necho s3cret-token-0123456789\n');
  await writeFile(at('tell.sh'), '#!/bin/sh\nenv > tell-env.txt\n');
  for (const name of ['token.sh', 'tell.sh']) await chmod(at(name), 0o700);
  await writeFile(at('orders.csv'), orderRows(1));
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the settings file, not of this one.
  const hook = 'http://127.0.0.1:9/services/${HOOK_PART}';
  await writeFile(
    at('license-sync.yaml'),
    `version: 1
connections:
  p:
    baseUrl: ${platform.url}
    appKey: app
    token: { command: ["${at('token.sh')}"] }
    notify:
      - on: always
        webhook: { url: "http://127.0.0.1:9/", secret: { env: CONNECTION_KEY }, retries: 0 }
`,
  );
  await writeFile(
    at('job.yaml'),
    orderJob({
      extra: `connection: p
notify:
  - on: always
    command: ["${at('tell.sh')}"]
  - on: always
    webhook: { url: "${hook}", secret: { env: SIGNING_KEY }, headers: { X-Auth: "\${HEADER_VALUE}" }, retries: 0 }
`,
    }),
  );
});

afterEach(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

async function expectClean(name: string): Promise<void> {
  const text = await readFile(at(name), 'utf8');
  expect(text).toContain('HARMLESS=stays as it is');
  for (const [variable, value] of Object.entries(env)) {
    if (variable === 'HARMLESS') continue;
    expect(text).not.toContain(`${variable}=`);
    expect(text).not.toContain(value);
  }
}

describe('programs that are started', () => {
  it('get nothing that webhooks are addressed or signed with', async () => {
    const end = await licenseSyncAlone(['run', 'job.yaml'], { cwd: folder, env });
    expect(end.code).toBe(0);
    await expectClean('token-env.txt');
    await expectClean('tell-env.txt');
    await rm(at('token-env.txt'));
    await licenseSyncAlone(['doctor', 'job.yaml'], { cwd: folder, env });
    await expectClean('token-env.txt');
  });

  it('by the library neither', async () => {
    const before = process.cwd();
    process.chdir(folder);
    try {
      await runJob('job.yaml', { cwd: folder, env: { ...process.env, ...env } });
    } finally {
      process.chdir(before);
    }
    await expectClean('token-env.txt');
  });
});
