import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConnections } from '../../src/job/connections.js';
import { type Problem, ProblemsError, renderProblems } from '../../src/job/problem.js';
import { brief, folderWith, load, lockJob, problemsOf } from './fixture.js';

/** `entry` in flow style; it begins at 6:5. */
const withEntry = (entry: string) => lockJob(`notify:\n  - ${entry}\n`);

async function faultOf(entry: string): Promise<string> {
  const problems = await problemsOf(withEntry(entry));
  expect(problems).toHaveLength(1);
  return brief(problems)[0]!;
}

describe('notify is checked, and its secrets are never shown', () => {
  it('gets every default', async () => {
    const { job } = await load(
      lockJob(
        'notify:\n  - webhook: { url: " https://hooks.example.com/x?key=1 " }\n  - command: [mail, -s, 7]\n',
      ),
    );
    expect(job.notify).toEqual([
      {
        on: 'problem',
        target: {
          kind: 'webhook',
          url: 'https://hooks.example.com/x?key=1',
          headers: {},
          timeoutMs: 10_000,
          retries: 3,
        },
      },
      { on: 'problem', target: { kind: 'command', argv: ['mail', '-s', '7'], timeoutMs: 30_000 } },
    ]);
  });

  it('keeps what it says', async () => {
    const { folder, job } = await load(
      lockJob(`notify:
  - on: always
    webhook:
      url: http://127.0.0.1:8080/hook
      secret: { file: ../hook.key }
      template: '{"text": "{job}: {status}"}'
      headers: { X-Team: licences, Content-Type: text/plain }
      timeout: 500ms
      retries: 0
  - { on: success, command: [notify-send, done], timeout: 2m }
`),
    );
    expect(job.notify).toMatchObject([
      {
        on: 'always',
        target: {
          url: 'http://127.0.0.1:8080/hook',
          secret: { kind: 'file', path: join(folder, 'hook.key') },
          template: '{"text": "{job}: {status}"}',
          timeoutMs: 500,
          retries: 0,
        },
      },
      { on: 'success', target: { kind: 'command', argv: ['notify-send', 'done'], timeoutMs: 120_000 } },
    ]);
    const [first] = job.notify ?? [];
    const headers = first?.target.kind === 'webhook' ? first.target.headers : {};
    expect(Object.entries(headers)).toEqual([
      ['X-Team', 'licences'],
      ['Content-Type', 'text/plain'],
    ]);
    expect(
      (await load(withEntry('{ webhook: { url: https://a.example, secret: { env: HOOK } } }'))).job,
    ).toMatchObject({ notify: [{ target: { secret: { kind: 'env', name: 'HOOK' } } }] });
  });

  it.each([
    ['{ on: always }', '6:5 job.notify_nobody'],
    ['{ webhok: { url: https://a.example } }', '6:7 job.unknown_key'],
    ['{ webhook: { url: https://a.example }, command: [a] }', '6:44 job.notify_both'],
    ['{ webhook: { url: https://a.example }, timeout: 5s }', '6:44 job.notify_timeout'],
    ['{ on: never, command: [a] }', '6:11 job.unknown_value_far'],
    ['{ on: problems, command: [a] }', '6:11 job.unknown_value'],
    ['{ command: [] }', '6:16 job.empty_command'],
    ['{ command: mail me }', '6:16 job.expected_list'],
    ['{ webhook: { secret: { env: A } } }', '6:7 job.missing_key'],
    ['{ webhook: { url: hooks.example.com } }', '6:23 job.bad_webhook'],
    ['{ webhook: { url: ftp://a.example } }', '6:23 job.bad_webhook'],
    ['{ webhook: { url: http://a.example } }', '6:23 job.bad_webhook'],
    ['{ webhook: { url: https://me:pw@a.example } }', '6:23 job.url_credentials'],
    ['{ webhook: { url: https://a.example, secret: abc } }', '6:50 job.secret_inlined'],
    ['{ webhook: { url: https://a.example, secret: {} } }', '6:42 job.secret_ways'],
    ['{ webhook: { url: https://a.example, secret: { env: A, file: b } } }', '6:42 job.secret_ways'],
    ['{ webhook: { url: https://a.example, secret: { env: A-B } } }', '6:57 job.bad_variable_name'],
    ['{ webhook: { url: https://a.example, headers: { __proto__: a } } }', '6:53 job.bad_header_name'],
    ['{ webhook: { url: https://a.example, headers: { "X Y": a } } }', '6:53 job.bad_header_name'],
    ['{ webhook: { url: https://a.example, headers: { X: "a\\nb" } } }', '6:56 job.bad_header'],
    ['{ webhook: { url: https://a.example, headers: { Host: a } } }', '6:53 job.own_header'],
    ['{ webhook: { url: https://a.example, timeout: 5 } }', '6:51 job.bad_duration'],
    ['{ webhook: { url: https://a.example, retries: 21 } }', '6:51 job.too_large'],
    ['https://a.example', '6:5 job.expected_mapping'],
  ])('is refused as %s', async (entry, at) => {
    expect(await faultOf(entry)).toBe(at);
  });

  it.each([
    'notify:\n  - webhook: { url: http://s3cret.example/ }\n',
    'notify:\n  - webhook: http://s3cret.example/\n',
    'notify:\n  - http://s3cret.example/\n',
    'notify: http://s3cret.example/\n',
    'notify:\n  - webhook: { url: "s3cret" , retry: 1 }\n',
    'notify:\n  - webhook: { url: [s3cret] }\n',
    'notify:\n  - webhook: { url: https://a.example, secret: s3cret }\n',
    'notify:\n  - webhook: { url: https://a.example, headers: { Authorization: "s3cret\\n" } }\n',
    'notify:\n  - webhook: { url: https://a.example, template: [s3cret] }\n',
    'notify:\n  - command: { curl: s3cret }\n',
    // Not even where the file is no valid YAML, or says the same key twice.
    'notify:\n  - webhook: { url: https://s3cret.example }}\n',
    'notify:\n  - webhook:\n      url: https://a.example\n      url: https://s3cret.example\n',
    '"notify" :\n- webhook: { url: s3cret }\nrum: {}\n',
  ])('repeats no secret of %j', async (yaml) => {
    const problems = await problemsOf(lockJob(yaml));
    for (const language of ['en', 'zh'] as const)
      expect(renderProblems(problems, language)).not.toContain('s3cret');
  });

  it('shows the lines of other keys as before', async () => {
    const problems = await problemsOf(lockJob('notify:\n  - { on: always }\nrum: {}\n'));
    expect(problems.map((one) => one.excerpt)).toEqual([undefined, 'rum: {}']);
  });

  it('is in a connection too', async () => {
    const config = (notify: string) =>
      `version: 1\nconnections:\n  here:\n    baseUrl: https://a.example\n    token: { env: T }\n    notify:\n      - ${notify}\n`;
    const folder = await folderWith({
      'license-sync.yaml': config('{ command: [tell], on: always }'),
      'bad/license-sync.yaml': config('{ webhook: { url: http://s3cret.example }, tiemout: 5s }'),
    });
    const { connections } = await loadConnections(undefined, { env: {}, cwd: folder });
    expect(connections.get('here')?.notify).toEqual([
      { on: 'always', target: { kind: 'command', argv: ['tell'], timeoutMs: 30_000 } },
    ]);
    expect(connections.get('sandbox')).not.toHaveProperty('notify');
    const problems = await loadConnections(undefined, { env: {}, cwd: join(folder, 'bad') }).then(
      (): readonly Problem[] => [],
      (error: unknown) => (error instanceof ProblemsError ? error.problems : []),
    );
    expect(brief(problems)).toEqual(['7:27 job.bad_webhook', '7:52 job.unknown_key']);
    expect(renderProblems(problems)).not.toContain('s3cret');
  });
});
