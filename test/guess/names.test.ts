import { describe, expect, it } from 'vitest';
import { headerForms, likeness, squash } from '../../src/guess/header-meaning.js';
import { namesOf, SYNONYMS, targetsOf } from '../../src/guess/targets.js';
import { ALL_OPERATIONS } from '../../src/platform/operations/catalogue.js';

const fits = (header: string, name: string): number => likeness(headerForms(header), squash(name));

describe('each name of a field leads to it', () => {
  const targets = ALL_OPERATIONS.flatMap((it) => targetsOf(it));

  it('are names of fields that there are', () => {
    const known = new Set(
      targets.flatMap(({ path, field }) => [field.name, `${path.at(-2) ?? ''}.${field.name}`]),
    );
    const names = Object.keys(SYNONYMS).map((it) => it.replace(/^delete\./, ''));
    expect(names.filter((it) => !known.has(it))).toEqual([]);
  });

  it('are there in both languages for every field that a column may feed', () => {
    const without = targets.filter((it) => {
      const names = namesOf(it);
      return (
        !names.some((name) => /[\u3400-\u9fff]/u.test(name)) ||
        !names.some((name) => /^[\x20-\x7e]+$/.test(name))
      );
    });
    expect(without.map((it) => it.path.join('.'))).toEqual([]);
  });

  it.each(Object.entries(SYNONYMS))('of %s are each there once', (_field, names) => {
    // Licence and license fold to one name, and both are worth reading.
    const folded = names
      .map((it) => it.text)
      .filter((it) => !/licence/i.test(it))
      .map(squash);
    expect(folded.filter((it, index) => folded.indexOf(it) !== index)).toEqual([]);
  });
});

describe('a header is matched by what its words mean', () => {
  it.each([
    ['Admin E-mail', 'adminEmail'],
    ['admin_email', 'adminEmail'],
    ['ＡＤＭＩＮ　ＥＭＡＩＬ', 'adminEmail'],
    ['客户名称（必填）', '客户名称'],
    ['* 客户名称', '客户名称'],
    ['客户名称\nCustomer Name', 'Customer Name'],
    ['客户名称\nCustomer Name', '客户名称'],
    ['并发数/节点数', '节点数'],
    ['Cust. Name', 'Customer Name'],
    ['custName', 'Customer Name'],
    ['Licence Type', 'License Type'],
  ])('%j is as good as %s', (header, name) => {
    expect(fits(header, name)).toBeGreaterThanOrEqual(0.9);
  });

  it.each([
    ['Customer Nmae', 'Customer Name'],
    ['我方渠道客户名称', '渠道客户名称'],
  ])('%j is likely %s', (header, name) => {
    expect(fits(header, name)).toBeGreaterThan(0.6);
    expect(fits(header, name)).toBeLessThan(0.9);
  });

  it.each([
    ['管理员微信', '管理员'],
    ['Customer Manager', 'Customer'],
    ['Order Date', 'Order'],
    ['number', 'Lock Number'],
    ['备注', '邮箱'],
    ['', 'Customer'],
  ])('%j is not %s', (header, name) => {
    expect(fits(header, name)).toBeLessThan(0.5);
  });
});
