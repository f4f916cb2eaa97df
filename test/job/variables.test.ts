// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of job files.
import { describe, expect, it } from 'vitest';
import { substitute } from '../../src/job/yaml/scalar.js';
import { brief, load, lockJob, orderJob, problemsOf } from './fixture.js';

describe('variables are put in as text and never shown', () => {
  it('are put in anywhere in a scalar, before it is typed', async () => {
    const env = { N: '3', T: '45s', WHO: 'ops', YES: 'true', NUM: '007', V: '1' };
    const { job } = await load(
      `version: \${V}
name: locks-\${WHO}
description: "\${NUM}"
operation: asset.lock
connection: \${NUM}
source: { file: "\${WHO}/a.xlsx", sheet: "\${N}" }
run: { concurrency: "\${N}0", timeout: "\${T}" }
safety:
  allowDeleteFromAllOrders: \${YES}
  maxItems: \${N}\${N}
`,
      { env },
    );
    expect(job).toMatchObject({
      name: 'locks-ops',
      description: '007',
      // A text field keeps the zeros of a value that looks like a number.
      connection: '007',
      source: { sheet: '3' },
      run: { concurrency: 30, timeoutMs: 45_000 },
      safety: { allowDeleteFromAllOrders: true, maxItems: 33 },
    });
  });

  it('are never read as structure', async () => {
    const { job } = await load(lockJob('description: ${X}\nconnection: ${Y}\n'), {
      env: { X: 'a: 1\nb: [2]', Y: '{ evil: "yes" }' },
    });
    expect(job.description).toBe('a: 1\nb: [2]');
    expect(job.connection).toBe('{ evil: "yes" }');
  });

  it('are not looked for in the values of variables', async () => {
    const { job } = await load(lockJob('description: ${X}\n'), { env: { X: '${Y}', Y: 'no' } });
    expect(job.description).toBe('${Y}');
  });

  it('are escaped by a doubled dollar sign', async () => {
    const { job } = await load(lockJob('description: costs $${X} and $5\n'));
    expect(job.description).toBe('costs ${X} and $5');
  });

  it('are reported by name, line and column when they are missing, without echoes', async () => {
    const problems = await problemsOf(
      lockJob(
        'description: from ${HOME_OF_X}\nrun:\n  concurrency: ${N}\n  timeout: "x${toString}"\n  retries: -1\n',
      ),
    );
    expect(brief(problems)).toEqual([
      '5:19 job.missing_variable',
      '7:16 job.missing_variable',
      '8:14 job.missing_variable',
      '9:12 job.too_small',
    ]);
    expect(problems.map((one) => one.message.params.name)).toEqual(['HOME_OF_X', 'N', 'toString', undefined]);
  });

  it('keep their values out of messages', async () => {
    const problems = await problemsOf(lockJob('run:\n  concurrency: ${N}\n'), { env: { N: 's3cret' } });
    expect(brief(problems)).toEqual(['6:16 job.expected_number']);
    expect(JSON.stringify(problems)).not.toContain('s3cret');
  });

  it.each(['${', '${A', '${A-B}', '${1A}', '${}'])('refuse %s', async (text) => {
    expect(brief(await problemsOf(lockJob(`description: 'x ${text}'\n`)))).toEqual(['5:17 job.bad_variable']);
  });

  it('stand within braces and brackets without quotes too', async () => {
    const map =
      '  channelCode: { column: ${X} }\n  customerName: { template: SO-{Order No}-{Line}${X} }\n  assets: { each: [${X}, B{c}], assetNos: A }\n';
    const { job } = await load(orderJob(map), { env: { X: 'Lock' } });
    expect(job.map?.fields.get('channelCode')).toMatchObject({ column: 'Lock' });
    const order = job.map?.fields.get('orderList');
    expect(order).toMatchObject({ kind: 'branch' });
    if (order?.kind !== 'branch') return;
    expect(order.fields.get('customerName')).toMatchObject({ source: 'SO-{Order No}-{Line}Lock' });
    expect(order.fields.get('assets')).toMatchObject({ each: { columns: ['Lock', 'B{c}'] } });
  });

  it('have their places in flow mappings', async () => {
    expect(brief(await problemsOf(lockJob('output: { file: ../a/{job}{run}-${X}.xlsx }\n')))).toEqual([
      '5:33 job.missing_variable',
    ]);
  });

  it('say where each character came from', () => {
    const made = substitute('a${X}b', { X: 'xyz' });
    expect(made.text).toBe('axyzb');
    expect(made.origin).toEqual([0, 1, 1, 1, 5]);
  });
});

describe('--set replaces values of a job', () => {
  it('puts values in, types them, and makes the mappings on the way', async () => {
    const { job } = await load(lockJob('run: { retries: 1 }\n'), {
      set: [
        'run.concurrency=4',
        'safety.duplicates=send',
        'description="7"',
        'source.where=row["a=b"] == "x"',
      ],
    });
    expect(job.run).toMatchObject({ concurrency: 4, retries: 1 });
    expect(job.safety.duplicates).toBe('send');
    expect(job.description).toBe('7');
    expect(job.source.where?.source).toBe('row["a=b"] == "x"');
  });

  it('reaches into the map', async () => {
    const { job } = await load(lockJob('map: { assetNums: Lock, operatorIdentity: Who }\n'), {
      set: ['map.operatorIdentity=Operator'],
    });
    expect(job.map?.fields.get('operatorIdentity')).toMatchObject({ kind: 'column', column: 'Operator' });
  });

  it('has its problems reported with the argument', async () => {
    const problems = await problemsOf(lockJob(''), {
      set: ['run.concurency=4', 'nonsense', 'name.first=x', 'run.retries=many', '=1', 'run..retries=1'],
    });
    expect(problems.map((one) => `${one.file}:${one.column} ${one.code} ${one.excerpt}`)).toEqual([
      '--set:1 job.bad_set nonsense',
      '--set:1 job.set_into_value name.first=x',
      '--set:1 job.bad_set =1',
      '--set:1 job.bad_set run..retries=1',
      '--set:5 job.unknown_key run.concurency=4',
      '--set:13 job.expected_number run.retries=many',
    ]);
  });

  it('harms nothing through `__proto__`', async () => {
    const problems = await problemsOf(lockJob(''), { set: ['__proto__.polluted=1'] });
    expect(brief(problems)).toEqual(['1:1 job.unknown_key_far']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
