import { describe, expect, it } from 'vitest';
import { render } from '../../src/errors/message.js';
import { ProductError } from '../../src/errors/product-error.js';
import type { JsonObject } from '../../src/model/json.js';
import { comparisonNamed } from '../../src/platform/operations/catalogue.js';
import { compileWhen } from '../../src/reconcile/when.js';

const { record } = comparisonNamed('asset');
const NO_CELLS = new Map<string, string>();

function decide(source: string, expected: JsonObject, actual: JsonObject, row = NO_CELLS) {
  return compileWhen(source, record)(row, expected, actual);
}

describe('an action’s condition', () => {
  it.each<[string, JsonObject, JsonObject, boolean]>([
    ['expected.locked && !actual.locked', { locked: true }, { locked: false }, true],
    ['expected.locked && !actual.locked', { locked: true }, { locked: true }, false],
    ['actual.locked', {}, { locked: 'true' }, true],
    ['expected.limitEndTime == actual.limitEndTime', { limitEndTime: 5 }, { limitEndTime: '5' }, true],
    ['expected.limitEndTime > actual.limitEndTime', { limitEndTime: 2n ** 60n }, { limitEndTime: 3 }, true],
    ['actual.keyChipType == 1', {}, { keyChipType: 1 }, true],
    ['actual.keyShellNumber == "8000000001"', {}, { keyShellNumber: 8000000001 }, true],
    ['actual.freezing == null', {}, {}, true],
    ['expected.locked == null', {}, { locked: true }, true],
    ['actual.licenseType == null', {}, { licenseType: ' ' }, true],
    ['actual.assignStatus.assignMemberId == null', {}, { assignStatus: null }, true],
    ['actual.assignStatus["assignMemberId"] == "M-1"', {}, { assignStatus: { assignMemberId: 'M-1' } }, true],
    [
      'actual.assetExtends.exists(it, it.extendCode == "gxxp")',
      {},
      { assetExtends: [{ extendCode: 'gxxp' }] },
      true,
    ],
    ['actual.assetLimits == null', {}, { assetLimits: { size: 3 } }, false],
    ['has(actual.assetExtends) && actual.assetExtends == null', {}, {}, true],
  ])('%s of %o and %o: %s', (source, expected, actual, value) => {
    expect(decide(source, expected, actual)).toEqual({ ok: true, value });
  });

  it('reads the cells of the row and says which', () => {
    const when = compileWhen('row["Lock No"] == "A" && row.Owner != "" && !actual.locked', record);
    expect(when.columns).toEqual(['Lock No', 'Owner']);
    const cells = new Map([
      ['Lock No', 'A'],
      ['Owner', 'me'],
    ]);
    expect(when(cells, {}, { locked: false })).toEqual({ ok: true, value: true });
    expect(when(new Map([...cells, ['Owner', '']]), {}, { locked: false })).toEqual({
      ok: true,
      value: false,
    });
  });

  it.each<[string, JsonObject, string]>([
    ['!actual.locked', {}, 'no such overload'],
    ['actual.limitEndTime > 5', { limitEndTime: null }, 'no such overload'],
    ['actual.locked', {}, 'neither true nor false'],
    ['actual.licenseType', { licenseType: 'x' }, 'neither true nor false'],
    ['actual.lokked == null', {}, 'lokked'],
  ])('%s of %o can’t be decided', (source, actual, detail) => {
    const result = decide(source, {}, actual);
    expect(result.ok).toBe(false);
    const why = result.ok ? '' : result.detail;
    expect(typeof why === 'string' ? why : render(why)).toContain(detail);
  });

  it.each([['1 + 1'], ['expected.locked &&'], ['size(expected) > 0'], ['other.locked']])(
    '%s is no condition',
    (source) => {
      expect(() => compileWhen(source, record)).toThrow(ProductError);
    },
  );
});
