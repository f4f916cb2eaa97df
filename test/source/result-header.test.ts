import { describe, expect, it } from 'vitest';
import { STEP_RESULTS } from '../../src/platform/operations/catalogue.js';
import { resultColumnCount } from '../../src/source/result-file.js';

const LEADING = ['row', 'status', 'licenseOrderId', 'step'];
const OWN = ['Order No', 'Customer'];

function ofStep(name: string, ...results: readonly string[]): readonly string[] {
  return ['status', 'code', 'message', ...results].map((it) => `${name}.${it}`);
}

const CUSTOMER = ofStep('customer', 'customerId', 'enterpriseGlobalId');
const NUMBERS = ofStep('numbers', 'recordCount', 'assetNumber');
const ORDER = ofStep('order', 'licenseOrderId', 'customerId');

function count(texts: readonly string[]): number {
  return resultColumnCount(texts, { resultColumns: ['customerId'], stepResults: STEP_RESULTS });
}

describe('the columns of a result of steps', () => {
  const all = [...LEADING, ...CUSTOMER, ...NUMBERS, ...ORDER];

  it('are set aside, whatever steps they report and in whatever order', () => {
    expect(count([...all, ...OWN])).toBe(all.length);
    expect(count([...LEADING, ...ORDER, ...CUSTOMER, ...OWN])).toBe(
      LEADING.length + ORDER.length + CUSTOMER.length,
    );
    const unknown = [...LEADING, ...ofStep('二步'), ...ofStep('x.y', 'assetStatus')];
    expect(count([...unknown, ...OWN])).toBe(unknown.length);
  });

  it.each<readonly [string, readonly string[]]>([
    ['a result of the last step, once more', ['order.customerId']],
    ['a result that its operation does not have', ['order.assetNumber']],
    ['a step of the same name', ofStep('order')],
    ['a step that lacks a column', ['next.status', 'next.message']],
    ['the columns of a plain result', ['attempts', 'run']],
    ['the leading columns', LEADING],
  ])('end before columns of the source: %s', (_, own) => {
    expect(count([...all, ...own, ...OWN])).toBe(all.length);
  });

  it.each<readonly [string, readonly string[]]>([
    ['no step follows', [...LEADING, ...OWN]],
    ['the step has no name', [...LEADING, ...ofStep(''), ...OWN]],
    ['a leading column is another', ['row', 'status', 'step', 'licenseOrderId', ...CUSTOMER, ...OWN]],
    ['they do not come first', [...OWN, ...LEADING, ...CUSTOMER]],
  ])('are columns like others where %s', (_, texts) => {
    expect(count(texts)).toBe(0);
  });

  it('leave those of a plain result as they were', () => {
    const plain = ['row', 'status', 'licenseOrderId', 'code', 'message', 'customerId', 'attempts', 'run'];
    expect(count([...plain, ...OWN])).toBe(plain.length);
    expect(count([...plain.slice(0, 5), ...OWN])).toBe(0);
  });
});
