import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../src/errors/message.js';
import type { Json, JsonObject } from '../../src/model/json.js';
import { SILENT } from '../../src/run/observer.js';
import { templateWorkbook } from '../../src/templates/workbook.js';
import { licenseSync } from '../support/command.js';
import { Fixture } from '../support/job-runs.js';
import { nestedFiles, templateOf } from '../support/templates.js';

/** The day until which the examples of all templates are valid, and its last instant in Shanghai. */
const DAY = '2027-11-30';
const LAST_MS = Date.parse('2027-11-30T15:59:59.999Z');
const FIRST_MS = Date.parse('2026-11-30T16:00:00Z');
const TRIAL_MS = Date.parse('2030-12-31T15:59:59.999Z');
const HEADERS = [
  '渠道编码,订单号,许可客户,CRM客户号,客户名称,渠道客户号,管理员姓名,登录账号,邮箱,手机号,密码手机,地址,客户类型',
  '分支代码,分支名称,企业账号,授权类型,锁号,产品实例,上级实例,产品编码,产品名称,产品类型,开始日期,到期日,并发数,是否试用,年限',
].join(',');
const row = (until: string): string =>
  [
    'CH01,SO-1,LC1,C1,某公司,CC1,王芳,admin1,a@example.com,13800000001,13800000001,某路1号,company,0011',
    `某分公司,ENT-1,normal_recover_usbkey,8200000001,PI1,DD1,P-1,计价,software,2026-12-01,${until},1,0,1`,
  ].join(',');

let fixture: Fixture;

beforeEach(async () => {
  fixture = await Fixture.open();
});

afterEach(async () => {
  await fixture.close();
});

/** A dry run: what it would send in the fields of a name, each value once, and what it warned of. */
async function dryRun(job: string, set: readonly string[] = []) {
  const warned: Message[] = [];
  const end = await fixture.run(job, {
    dryRun: true,
    set,
    parts: { observer: { ...SILENT, warn: (it) => warned.push(it) } },
  });
  expect(end.counts).toEqual({ valid: end.rows });
  const bodies: Json[] = [];
  for await (const { body } of fixture.ledger.plan.bodies(end.run)) bodies.push(body);
  const values = (field: string): readonly Json[] => {
    const found = new Set<Json>();
    for (const body of bodies) gather(body, field, found);
    return [...found];
  };
  return { values, notes: warned.filter((it) => it.code === 'mapping.ends_of_days') };
}

function gather(value: Json, field: string, found: Set<Json>): void {
  if (Array.isArray(value)) for (const it of value as readonly Json[]) gather(it, field, found);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, it] of Object.entries(value as JsonObject)) {
      if (name === field) found.add(it);
      else gather(it, field, found);
    }
  }
}

async function cli(...args: readonly string[]): Promise<void> {
  const end = await licenseSync(args, { cwd: fixture.folder });
  expect(end).toMatchObject({ code: 0 });
}

describe('the end of a day', () => {
  it('is the same number whatever made the job', async () => {
    const mapless = 'version: 1\nname: flat\noperation: order.new_buy\nconnection: sandbox\n';
    await fixture.file('flat.xlsx', await templateWorkbook(templateOf('order.new_buy', { filled: true })));
    const flat = await fixture.file('flat.yaml', `${mapless}source: { file: flat.xlsx, sheet: Example }\n`);

    const nested = await nestedFiles('order.new_buy', { filled: true });
    await fixture.file('orders.xlsx', nested.workbook);
    const nestedJob = await fixture.file('nested.yaml', nested.job);

    const sheet = await fixture.file('新购.csv', `${HEADERS}\n${row(DAY)}\n`);
    await cli('guess', sheet, '--operation', 'order.new_buy', '--output', 'guessed.yaml');
    const guessed = path.join(fixture.folder, 'guessed.yaml');

    await cli('init', '.', '--operation', 'order.new_buy', '--lang', 'en');
    const init = path.join(fixture.folder, 'jobs', 'new-buy.yaml');

    for (const job of [flat, nestedJob]) {
      const { values, notes } = await dryRun(job);
      expect({ job, values: values('limitEndDate') }).toEqual({ job, values: [LAST_MS] });
      expect({ job, values: values('trialEndDate') }).toEqual({ job, values: [TRIAL_MS] });
      expect({ job, values: values('limitStartDate') }).toEqual({ job, values: [FIRST_MS] });
      expect(notes).toHaveLength(1);
    }
    const found = await dryRun(guessed);
    expect(found.values('limitEndDate')).toEqual([LAST_MS]);
    expect(found.notes).toHaveLength(1);
    // Its one column is read for the end of the trial as well, and bears the example of that.
    const first = await dryRun(init, ['source.sheet=Example']);
    expect(first.values('limitEndDate')).toEqual([TRIAL_MS]);
    expect(first.values('trialEndDate')).toEqual([TRIAL_MS]);
  });

  it.each([
    ['a time of day is kept', '2027-11-30 18:30:00', Date.parse('2027-11-30T10:30:00Z')],
    ['midnight is no time', '2027-11-30 00:00:00', LAST_MS],
    ['a point in time is taken as it is', String(LAST_MS - 5), LAST_MS - 5],
  ])('%s, with a map and without', async (_name, until, wanted) => {
    const sheet = await fixture.file('新购.csv', `${HEADERS}\n${row(until)}\n`);
    await cli('guess', sheet, '--operation', 'order.new_buy', '--output', 'guessed.yaml');
    const guessed = await dryRun(path.join(fixture.folder, 'guessed.yaml'));
    expect(guessed.values('limitEndDate')).toEqual([wanted]);

    const fields =
      'channelCode,channelOrderId,syncMode,customerName,channelCustomerId,adminName,adminAccount';
    const more =
      'adminEmail,adminCellNumber,customerType,branchCode,branchName,enterpriseGlobalId,srcLicenseOrderId';
    const asset = 'licenseType,assets.assetNos,crmProductId,productUri,assets.limitEndDate';
    const cells =
      'CH01,R-1,sync,某公司,CC1,王芳,admin1,a@example.com,13800000001,company,0011,某分公司,ENT-1,LO-1';
    await fixture.file(
      'flat.csv',
      `${fields},${more},${asset}\n${cells},normal_recover_usbkey,8200000001,P1,P-1,${until}\n`,
    );
    const job = 'version: 1\nname: flat\noperation: order.delete_product\nconnection: sandbox\n';
    const flat = await fixture.file('flat.yaml', `${job}source: { file: flat.csv }\n`);
    expect((await dryRun(flat)).values('limitEndDate')).toEqual([wanted]);
  });

  it('is said in dry runs alone, and not where no end is read', async () => {
    await fixture.file('names.csv', 'crmCustomerId,customerName,branchName\nC1,某公司,某分公司\n');
    const job = 'version: 1\nname: names\noperation: enterprise.create\nconnection: sandbox\n';
    const file = await fixture.file('names.yaml', `${job}source: { file: names.csv }\n`);
    expect((await dryRun(file)).notes).toEqual([]);

    const warned: Message[] = [];
    const { workbook, job: nested } = await nestedFiles('order.new_buy', { filled: true });
    await fixture.file('orders.xlsx', workbook);
    await fixture.run(await fixture.file('nested.yaml', nested), {
      parts: { observer: { ...SILENT, warn: (it) => warned.push(it) } },
    });
    expect(warned.map((it) => it.code)).not.toContain('mapping.ends_of_days');
  });
});
