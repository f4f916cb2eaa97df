import { readdirSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { jobReading } from '../../src/app/job-input.js';
import { showJob } from '../../src/app/jobs.js';
import { loadJobFile } from '../../src/job/load.js';
import { folderWith } from './fixture.js';

const JOBS = fileURLToPath(new URL('../../jobs/', import.meta.url));

const show = (cwd: string, env: Record<string, string> = {}, set: readonly string[] = []) =>
  showJob({ cwd, env, language: 'en' }, 'jobs/x.yaml', { set });

/** Without positions, what the file itself is called and where, and batches, whose sizes are filled in. */
function plain(job: unknown): unknown {
  const skip = new Set(['at', 'file', 'sha256', 'parts', 'defaulted', 'batch']);
  const text = JSON.stringify(job, (key, value: unknown) =>
    skip.has(key) ? undefined : value instanceof Map ? Object.fromEntries(value) : value,
  );
  return JSON.parse(text);
}

describe('a job as it counts', () => {
  it.each(readdirSync(JOBS).filter((it) => it.endsWith('.yaml')))(
    '%s: what is shown is the same job, from wherever it lies',
    async (name) => {
      const folder = await mkdtemp(path.join(tmpdir(), 'license-sync-show-'));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      await cp(path.join(JOBS, name), path.join(folder, 'jobs', 'x.yaml'));
      const { yaml, values } = await show(folder);
      const other = path.join(folder, 'elsewhere.yaml');
      await writeFile(other, yaml);
      const reading = jobReading({ env: {}, cwd: folder });
      const [first, second] = await Promise.all([
        loadJobFile('jobs/x.yaml', reading),
        loadJobFile(other, reading),
      ]);
      expect(plain(second)).toEqual(plain(first));
      expect(second.source.file).toBe(first.source.file);
      expect(second.output.file).toBe(first.output.file);
      const lines = yaml.split('\n').filter((line) => / {2}# /.test(line));
      expect(lines).toHaveLength(values.length);
    },
  );

  it('says where each value comes from', async () => {
    const folder = await folderWith({
      'license-sync.yaml': `version: 1
defaultConnection: sandbox
defaults: { run: { retries: 1 }, asset.lock: { batch: { size: 40 } } }
maps:
  locks: { assetNums: $(prefix) lock, operatorIdentity: { value: ops@example.com } }
`,
      'jobs/x.yaml': `version: 1
name: locks
operation: asset.lock
source: { file: "\${DATA}/locks.csv", sheet: 007 }
map: { use: locks, with: { prefix: Our } }
`,
    });
    const { values, yaml } = await show(folder, { DATA: '/s3cret' }, ['run.concurrency=3']);
    const of = (at: string) => values.find((it) => it.path === at);
    expect(of('run.retries')).toMatchObject({ value: 1, from: 'license-sync.yaml', line: 3, column: 29 });
    expect(of('batch.size')).toMatchObject({ value: 40, from: 'license-sync.yaml' });
    expect(of('connection')).toMatchObject({ value: 'sandbox', from: 'license-sync.yaml', line: 2 });
    expect(of('run.concurrency')).toEqual({ path: 'run.concurrency', value: 3, from: '--set' });
    expect(of('run.timeout')).toEqual({ path: 'run.timeout', value: '30s', from: 'default' });
    expect(of('name')).toMatchObject({ from: 'job', file: 'jobs/x.yaml', line: 2 });
    expect(of('source.file')).toMatchObject({
      value: '${'.concat('DATA}/locks.csv'),
      from: 'environment',
      variables: ['DATA'],
      line: 4,
    });
    expect(of('map.assetNums')).toMatchObject({
      value: 'Our lock',
      from: 'license-sync.yaml',
      line: 5,
      usedAt: 'jobs/x.yaml:5:13',
    });
    expect(yaml).toMatch(/assetNums: Our lock +# license-sync\.yaml:5, used at jobs\/x\.yaml:5:13\n/);
    expect(yaml).toMatch(/file: "\$\{DATA\}\/locks\.csv" +# jobs\/x\.yaml:4, environment variable DATA\n/);
    expect(yaml).toMatch(/sheet: 007 +# jobs/);
    expect(yaml).not.toContain('s3cret');
  });

  it('keeps what is written with dollar signs, quotes, brackets and lines as it is', async () => {
    const job = `version: 1
name: locks
description: "a: b # c \\"d\\"\\n$\${NO} {x} \${YES}"
operation: asset.lock
source: { file: a.csv, where: 'row["A"] == "\${YES}" && row["#"] != ""', fillDown: ["a, b", "\${YES}", 7] }
map:
  assetNums: { column: "[A]", values: { "007": "007", use: x } }
  operatorIdentity: { template: "{{{A}}}-{B}" }
run: { retries: \${N} }
`;
    const folder = await folderWith({ 'jobs/x.yaml': job });
    const env = { YES: 'yes', N: '3' };
    const { yaml } = await show(folder, env);
    await writeFile(path.join(folder, 'other.yaml'), yaml);
    const reading = jobReading({ env, cwd: folder });
    const shown = await loadJobFile('other.yaml', reading);
    expect(plain(shown)).toEqual(plain(await loadJobFile('jobs/x.yaml', reading)));
    expect(shown).toMatchObject({ batch: { size: 100 } });
  });

  it('omits whom to notify where that is written out, and shows it where variables stand for it', async () => {
    const job = (url: string) => `version: 1
name: locks
operation: asset.lock
source: { file: a.csv }
notify: [{ on: always, webhook: { url: "${url}", secret: { env: KEY } } }]
`;
    const folder = await folderWith({ 'jobs/x.yaml': job('https://example.com/s3cret') });
    const { yaml, values } = await show(folder);
    expect(yaml).not.toContain('s3cret');
    expect(yaml).toContain('# notify is omitted here, because it may contain secrets (jobs/x.yaml:5)');
    expect(values.some((it) => it.path.startsWith('notify'))).toBe(false);
    await writeFile(path.join(folder, 'jobs/x.yaml'), job('${'.concat('HOOK}')));
    const open = await show(folder, { HOOK: 'https://example.com/s3cret' });
    expect(open.yaml).toContain('url: "${'.concat('HOOK}"'));
    expect(open.yaml).not.toContain('s3cret');
  });
});
