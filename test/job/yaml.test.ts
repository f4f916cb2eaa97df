import { describe, expect, it } from 'vitest';
import { brief, load, lockJob, problemsOf } from './fixture.js';

describe('YAML is read with positions, and bounded', () => {
  it.each([
    ['broken', 'a: [1\nb: 2\n', 'job.yaml_syntax'],
    ['empty', '', 'job.not_a_mapping'],
    ['a list', '- 1\n', 'job.not_a_mapping'],
    ['a text', 'hello\n', 'job.not_a_mapping'],
    ['nested by the thousand', '['.repeat(20_000), 'job.yaml_syntax'],
  ])('is refused when it is %s', async (_, yaml, code) => {
    const problems = await problemsOf(yaml);
    expect(problems[0]?.code).toBe(code);
  });

  it('refuses a key that stands twice, and continues looking', async () => {
    const yaml =
      'version: 1\nname: a\noperation: asset.lock\nname: b\nsource: { file: a, file: b }\nrum: 1\n';
    const problems = await problemsOf(yaml);
    expect(brief(problems)).toEqual([
      '4:1 job.duplicate_key',
      '5:20 job.duplicate_key',
      '6:1 job.unknown_key',
    ]);
    expect(problems[0]?.message.params).toMatchObject({ key: 'name' });
  });

  it('sees that `1` and `"1"` are one key', async () => {
    const map =
      'map:\n  operatorIdentity: { value: x }\n  assetNums: { column: A, values: { 1: a, "1": b } }\n';
    expect(brief(await problemsOf(lockJob(map)))).toContain('7:43 job.duplicate_key');
  });

  it.each(['!secret', '!!binary', '!!js/function', '!<tag:example.com,2026:x>'])(
    'refuses the tag %s',
    async (tag) => {
      expect(brief(await problemsOf(lockJob(`description: ${tag} YQ==\n`)))).toEqual(
        // The place of the value, after its tag.
        [expect.stringMatching(/^5:\d+ job\.custom_tag$/)],
      );
    },
  );

  it('takes the tags of the core schema', async () => {
    const { job } = await load(lockJob('description: !!str 12\n'));
    expect(job.description).toBe('12');
  });

  it('refuses a second document', async () => {
    expect(brief(await problemsOf(lockJob('---\nname: b\n')))).toEqual(['5:1 job.many_documents']);
  });

  it('takes aliases, and refuses a bomb of them before it goes off', async () => {
    const { job } = await load(lockJob('description: &a hello\nconnection: *a\n'));
    expect(job.connection).toBe('hello');
    const levels = Array.from({ length: 30 }, (_, level) =>
      level === 0
        ? 'l0: &l0 [x, x, x, x, x, x, x, x, x]'
        : `l${level}: &l${level} [${Array(9)
            .fill(`*l${level - 1}`)
            .join(', ')}]`,
    );
    const problems = await problemsOf(`${levels.join('\n')}\n`);
    expect(problems.map((one) => one.code)).toEqual(['job.too_many_aliases']);
  });

  it('refuses an alias within its own anchor, and one without an anchor', async () => {
    expect((await problemsOf(lockJob('run: &a { timeout: *a }\n'))).map((one) => one.code)).toEqual([
      'job.alias_cycle',
    ]);
    expect(brief(await problemsOf(lockJob('run: *nothing\n')))).toEqual(['5:6 job.unknown_alias']);
  });

  it('knows no merge keys', async () => {
    const problems = await problemsOf(lockJob('run: &r { retries: 1 }\nsafety: { <<: *r }\n'));
    expect(brief(problems)).toEqual(['6:11 job.unknown_key_far']);
  });

  it('refuses a key that is no text', async () => {
    expect(brief(await problemsOf(lockJob('? [a]\n: 1\n')))).toEqual(['5:3 job.key_not_text']);
  });
});
