import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { render } from '../../src/errors/message.js';
import { hasGivenContent } from '../../src/mapping/digest.js';
import type { MappedGroup, Mapping } from '../../src/mapping/mapping.js';
import { isSheetColumn, type StepResult } from '../../src/mapping/steps/step-columns.js';
import type { StepOfJob } from '../../src/model/job.js';
import type { JsonObject } from '../../src/model/json.js';
import type { Row } from '../../src/model/row.js';
import { operationNamed } from '../../src/platform/operations/catalogue.js';
import {
  compile,
  faultTexts,
  type Given,
  lockOperation,
  type MapShape,
  NO_JOINS,
  orderOperation,
  row,
} from '../support/mapping.js';

const CUSTOMER = { name: 'customer', operation: 'enterprise.bind' } as const;
const NUMBERS = { name: 'numbers', operation: 'asset.numbers' } as const;
const FIND = { name: 'find', operation: 'enterprise.query' } as const;
const LIST = { name: 'list', operation: 'asset.list' } as const;

const at = { line: 7, column: 3 };
const step = (earlier: StepOfJob['earlier'], when?: string): StepOfJob => ({
  name: 'own',
  earlier,
  ...(when === undefined ? {} : { when: { source: when, at } }),
});

const OUT: StepResult = { kind: 'left_out' };
const returned = (columns: Record<string, string>): StepResult => ({
  kind: 'returned',
  columns,
});
const numbers = (...texts: readonly string[]): StepResult => ({
  kind: 'returned',
  columns: { recordCount: String(texts.length) },
  records: texts.map((assetNumber) => ({ assetNumber })),
});
const given = (id: string): StepResult => ({ kind: 'given', id });

const HEADERS = ['A', 'B', 'C'];

/** A lock step with these leaves; its operator takes one value, its locks are a list. */
function lockStep(earlier: StepOfJob['earlier'], map: MapShape, when?: string): Mapping {
  return compile({
    operation: operationNamed('asset.lock'),
    headers: HEADERS,
    map,
    step: step(earlier, when),
  });
}

function mapped(mapping: Mapping, cells: readonly Given[], ...results: readonly StepResult[]): MappedGroup {
  return mapping.map([mapping.steps!.withResults(row(2, cells), results)], NO_JOINS);
}

/** What `operatorIdentity` becomes, or its faults. */
function operator(
  leaf: unknown,
  earlier: StepOfJob['earlier'],
  cells: readonly Given[],
  ...results: readonly StepResult[]
) {
  const group = mapped(
    lockStep(earlier, { assetNums: { value: ['L1'] }, operatorIdentity: leaf }),
    cells,
    ...results,
  );
  return group.kind === 'invalid' ? faultTexts(group) : group.items[0]?.envelope.operatorIdentity;
}

/** What `assetNums` becomes, or its faults. */
function locks(
  leaf: unknown,
  earlier: StepOfJob['earlier'],
  cells: readonly Given[],
  ...results: readonly StepResult[]
) {
  const group = mapped(
    lockStep(earlier, { assetNums: leaf, operatorIdentity: { value: 'ops' } }),
    cells,
    ...results,
  );
  return group.kind === 'invalid' ? faultTexts(group) : group.items.map((it) => it.body);
}

const FROM = { from: 'customer.customerId' };
const FROM_OR_A = { from: 'customer.customerId', else: 'A' };

describe('a field that takes what an earlier step returned', () => {
  it('has its text as it came, whatever the cells say', () => {
    expect(operator(FROM, [CUSTOMER], ['cell'], returned({ customerId: '007; 8' }))).toBe('007; 8');
    expect(operator(FROM_OR_A, [CUSTOMER], ['cell'], returned({ customerId: 'CU-1' }))).toBe('CU-1');
  });

  it('takes the other leaf for a row that was skipped by that step, and only then', () => {
    expect(operator(FROM_OR_A, [CUSTOMER], ['cell'], OUT)).toBe('cell');
    expect(operator({ from: 'customer.customerId', else: { value: 'X' } }, [CUSTOMER], [], OUT)).toBe('X');
    expect(
      operator(
        { from: 'customer.customerId', else: { from: 'find.customerId', else: 'A' } },
        [CUSTOMER, FIND],
        ['c'],
        OUT,
        OUT,
      ),
    ).toBe('c');
    expect(operator(FROM_OR_A, [CUSTOMER], ['cell'], returned({ enterpriseName: 'x' }))).toEqual([
      'Orders!A2 operatorIdentity: a value is required here, but customer.customerId is empty: the reply did not have it',
    ]);
  });

  it('reports at the row, or at the cell of the other leaf, what is wrong, never at a column that no sheet has', () => {
    expect(operator(FROM, [CUSTOMER], ['cell'], OUT)).toEqual([
      expect.stringMatching(/^Orders!2 operatorIdentity: .*excluded from the step customer.*"else"/),
    ]);
    expect(operator(FROM_OR_A, [CUSTOMER], [], OUT)).toEqual([
      expect.stringMatching(/^Orders!A2 operatorIdentity: .*/),
    ]);
    expect(operator(FROM_OR_A, [CUSTOMER], [['error', '#N/A']], OUT)).toEqual([
      expect.stringMatching(/^Orders!A2 operatorIdentity: .*#N\/A/),
    ]);
    expect(operator(FROM_OR_A, [CUSTOMER], [['error', '#N/A']], returned({ customerId: 'CU-1' }))).toBe(
      'CU-1',
    );
  });

  it('is a list where records came, each value once', () => {
    expect(locks({ from: 'numbers.assetNumber' }, [NUMBERS], [], numbers('1', '2', '1', '3,4'))).toEqual([
      '1',
      '2',
      '3,4',
    ]);
    expect(locks({ from: 'customer.customerId' }, [CUSTOMER], [], returned({ customerId: 'a;b' }))).toEqual([
      'a;b',
    ]);
    expect(locks({ from: 'numbers.assetNumber' }, [NUMBERS], [], numbers())).toEqual([
      expect.stringContaining('numbers.assetNumber is empty'),
    ]);
    expect(locks({ from: 'numbers.assetNumber', else: 'B' }, [NUMBERS], [undefined, 'x1, y2'], OUT)).toEqual([
      'x1',
      'y2',
    ]);
  });

  it('is one value of records only where one came', () => {
    const leaf = { from: 'numbers.assetNumber' };
    expect(operator(leaf, [NUMBERS], [], numbers('4711'))).toBe('4711');
    expect(operator(leaf, [NUMBERS], [], numbers('1', '2'))).toEqual([
      'Orders!2 operatorIdentity: numbers.assetNumber has 2 values, but operatorIdentity takes one',
    ]);
  });

  it('finds values of records by their path, also beyond lists', () => {
    const records: readonly JsonObject[] = [
      {
        id: 'a',
        assignStatus: { assignMemberId: 'm1' },
        assetExtends: [{ extendCode: 'x' }, { extendCode: 'y' }],
      },
      { id: 'b', assignStatus: null, assetExtends: null, locked: true },
    ];
    const result: StepResult = { kind: 'returned', columns: { recordCount: '2' }, records };
    expect(locks({ from: 'list.assignStatus.assignMemberId' }, [LIST], [], result)).toEqual(['m1']);
    expect(locks({ from: 'list.assetExtends.extendCode' }, [LIST], [], result)).toEqual(['x', 'y']);
    expect(locks({ from: 'list.id' }, [LIST], [], result)).toEqual(['a', 'b']);
  });

  it('is converted by the field that it fills', () => {
    const mapping = compile({
      operation: operationNamed('asset.numbers'),
      headers: HEADERS,
      map: { size: { from: 'find.recordCount' } },
      step: step([FIND]),
    });
    expect(mapped(mapping, [], returned({ recordCount: '3' }))).toMatchObject({
      items: [{ body: { size: 3 } }],
    });
    const none = mapped(mapping, [], returned({ recordCount: '0' }));
    expect(none.kind === 'invalid' && faultTexts(none)).toEqual([
      expect.stringMatching(/^Orders!2 size: find.recordCount is 0, which is not valid/),
    ]);
  });

  it('must agree in the rows of a group; the results are reported, not where they stand', () => {
    const mapping = compile({
      operation: orderOperation(),
      headers: ['Order', 'Lock'],
      map: {
        channelCode: { value: 'CH' },
        syncMode: { value: 'sync' },
        orderList: { each: ['Order'], customer: FROM, assets: { assetNos: 'Lock' } },
      },
      step: step([CUSTOMER]),
    });
    const rows = ['CU-1', 'CU-2'].map((customerId, index) =>
      mapping.steps!.withResults(row(index + 2, ['O1', `L${index}`]), [returned({ customerId })]),
    );
    const group = mapping.map(rows, NO_JOINS);
    expect(group.kind === 'invalid' && faultTexts(group)).toEqual([
      'Orders!2 orderList.customer: here "CU-1", but in row 3 "CU-2"; rows 2, 3 belong together and must be the same',
      'Orders!3 orderList.customer: here "CU-2", but in row 2 "CU-1"; rows 2, 3 belong together and must be the same',
    ]);
  });

  it('is gathered from the rows of a group', () => {
    const mapping = compile({
      operation: orderOperation(),
      headers: ['Order', 'Kind'],
      map: {
        channelCode: { value: 'CH' },
        syncMode: { value: 'sync' },
        orderList: {
          each: ['Order'],
          customer: { value: 'c' },
          assets: { each: ['Kind'], assetNos: { from: 'numbers.assetNumber' } },
        },
      },
      step: step([NUMBERS]),
    });
    const rows = [numbers('1', '2'), numbers('3')].map((it, index) =>
      mapping.steps!.withResults(row(index + 2, ['O1', 'K']), [it]),
    );
    expect(mapping.map(rows, NO_JOINS)).toMatchObject({
      items: [{ body: { assets: [{ assetNos: ['1', '2', '3'] }] } }],
    });
  });
});

describe('an expression', () => {
  const expr = (source: string) => ({ expr: source });

  it('reads results as texts, empty where there is none', () => {
    const leaf = expr(
      'step["customer"]["customerId"] + "/" + row["A"] + "/" + step["customer"]["enterpriseName"]',
    );
    expect(operator(leaf, [CUSTOMER], ['a'], returned({ customerId: '1' }))).toBe('1/a/');
    expect(operator(leaf, [CUSTOMER], ['a'], OUT)).toBe('/a/');
  });

  it('reads records as lists', () => {
    expect(locks(expr('step["numbers"]["assetNumber"]'), [NUMBERS], [], numbers('1', '2'))).toEqual([
      '1',
      '2',
    ]);
    expect(operator(expr('string(size(step.numbers.assetNumber))'), [NUMBERS], [], numbers('1', '2'))).toBe(
      '2',
    );
    expect(operator(expr('step.list.assignStatus.id + "x"'), [LIST], [], OUT)).toBe('x');
  });

  it('reads what a query of one customer shows, and fails for several', () => {
    const leaf = expr('"c" + step["find"]["customerId"]');
    const customers = (...ids: readonly string[]): StepResult => ({
      kind: 'returned',
      columns: {},
      records: ids.map((customerId) => ({ customerId })),
    });
    expect(operator(leaf, [FIND], [], customers('1'))).toBe('c1');
    expect(operator(leaf, [FIND], [], customers())).toBe('c');
    expect(operator(leaf, [FIND], [], customers('1', '2'))).toEqual([
      'Orders!2 operatorIdentity: find.customerId has 2 values, but an expression requires one',
    ]);
  });
});

describe('the condition of a step', () => {
  const judged = (when: string, cells: readonly Given[], ...results: readonly StepResult[]) => {
    const mapping = lockStep([CUSTOMER, NUMBERS], { assetNums: 'A', operatorIdentity: 'B' }, when);
    const judgement = mapping.steps!.when(mapping.steps!.withResults(row(2, cells), results), results);
    return judgement.kind === 'fault' ? render(judgement.fault.message) : judgement.kind;
  };
  const BOUND = returned({ customerId: 'CU-1' });

  it.each<readonly [when: string, results: readonly StepResult[], expected: string]>([
    ['row["A"] == "x"', [OUT, OUT], 'goes'],
    ['row["A"] == "y"', [OUT, OUT], 'left_out'],
    ['step["customer"]["customerId"] == "CU-1"', [BOUND, OUT], 'goes'],
    ['step["customer"]["customerId"] == ""', [OUT, OUT], 'goes'],
    ['step["customer"]["customerId"] == ""', [BOUND, OUT], 'left_out'],
    ['size(step["numbers"]["assetNumber"]) == 2', [OUT, numbers('1', '2')], 'goes'],
    ['"9" in step["numbers"]["assetNumber"]', [OUT, numbers('1', '2')], 'left_out'],
    ['int(step["numbers"]["recordCount"]) > 1', [OUT, numbers('1', '2')], 'goes'],
    // What isn't known yet takes part, unless the rest decides.
    ['step["customer"]["customerId"] == ""', [given('1'), OUT], 'goes'],
    ['step["customer"]["customerId"] != ""', [given('1'), OUT], 'goes'],
    ['row["A"] == "y" && step["customer"]["customerId"] != ""', [given('1'), OUT], 'left_out'],
    ['step["customer"]["customerId"] != "" && row["A"] == "y"', [given('1'), OUT], 'left_out'],
    ['row["A"] == "x" || step["customer"]["customerId"] != ""', [given('1'), OUT], 'goes'],
    ['int(step["customer"]["customerId"]) > 1', [given('1'), OUT], 'goes'],
  ])('%s of %j', (when, results, expected) => {
    expect(judged(when, ['x'], ...results)).toBe(expected);
  });

  it('that cannot be worked out is that row’s fault, at its first column', () => {
    expect(judged('int(row["A"]) > 1', ['x'], OUT, OUT)).toMatch(
      /^the condition int\(row\["A"\]\) > 1 cannot be evaluated/,
    );
    const mapping = lockStep([CUSTOMER], { assetNums: 'A', operatorIdentity: 'B' }, 'int(row["C"]) > 1');
    expect(mapping.steps!.when(row(2, ['x']), [])).toMatchObject({
      kind: 'fault',
      fault: { sheet: 'Orders', row: 2, column: 3 },
    });
    expect(mapping.steps!.columns).toEqual([3]);
  });

  it('that reads a column which is not there is refused', () => {
    expect(() => lockStep([CUSTOMER], { assetNums: 'A', operatorIdentity: 'B' }, 'row["D"] == ""')).toThrow();
  });
});

describe('a value that is still to come', () => {
  const SHAPE = {
    channelCode: 'A',
    channelCustomerId: { from: 'find.customerId' },
    customerName: 'B',
    branchName: 'B',
    enterpriseName: 'B',
    passwordMobile: 'C',
  };
  const bind = () =>
    compile({
      operation: operationNamed('enterprise.bind'),
      headers: HEADERS,
      map: SHAPE,
      step: step([FIND]),
    });

  it('is the same where the earlier item is the same, another where it is another', () => {
    const one = (id: string) => operator(FROM, [CUSTOMER], [], given(id));
    expect(one('item 1')).toBe(one('item 1'));
    expect(one('item 1')).not.toBe(one('item 2'));
  });

  it('marks the item, so that no repeat of it is called changed or done before that is known', () => {
    const group = mapped(bind(), ['CH', 'name', '138'], given('item 1'));
    expect(group.kind === 'items' && group.items.map((it) => hasGivenContent(it.content))).toEqual([true]);
    // What can't be done twice brings something new.
    const fresh = mapped(
      lockStep([NUMBERS], { assetNums: { from: 'numbers.assetNumber' }, operatorIdentity: 'A' }),
      ['x'],
      given('1'),
    );
    expect(fresh.kind === 'items' && fresh.items.map((it) => it.content)).toEqual([
      expect.stringMatching(/^new /),
    ]);
    const real = mapped(bind(), ['CH', 'name', '138'], returned({ customerId: 'C' }));
    expect(real.kind === 'items' && real.items.map((it) => hasGivenContent(it.content))).toEqual([false]);
  });

  it('does not hide faults of cells', () => {
    const group = mapped(bind(), ['CH', 'name', ['error', '#REF!']], given('item 1'));
    expect(group.kind === 'invalid' && faultTexts(group)).toEqual([
      expect.stringMatching(/^Orders!C2 passwordMobile: .*#REF!/),
    ]);
  });

  it('is refused where records fill a field of one value, and a row asks for several', () => {
    const takenAsOne = { from: 'numbers.assetNumber', field: 'identity', at };
    const mapping = compile({
      operation: operationNamed('asset.numbers'),
      headers: HEADERS,
      map: { size: 'A' },
      step: { ...step([]), takenAsOne },
    });
    expect(mapped(mapping, ['1']).kind).toBe('items');
    expect(() => mapped(mapping, ['2'])).toThrow(
      expect.objectContaining({
        kind: 'usage',
        detail: expect.objectContaining({
          code: 'mapping.from_count',
          params: { from: 'numbers.assetNumber', field: 'identity', line: 7, column: 3, row: 2, count: 2 },
        }),
      }),
    );
  });

  it('keeps quiet rules about other fields that depend on it', () => {
    const reported = {
      field: 'orderList.address',
      path: 'orderList[0].address',
      message: { code: 'rule.blank' as const, params: {} },
    };
    const mapping = compile({
      operation: orderOperation(({ body }) =>
        (body as JsonObject).licenseType === 'cloud_account' ? [] : [reported],
      ),
      headers: ['Order', 'Lock'],
      map: {
        channelCode: { value: 'CH' },
        syncMode: { value: 'sync' },
        orderList: {
          each: ['Order'],
          customer: { value: 'c' },
          licenseType: { from: 'customer.enterpriseName' },
          assets: { assetNos: 'Lock' },
        },
      },
      step: step([CUSTOMER]),
    });
    const kind = (result: StepResult) => mapped(mapping, ['O1', 'L1'], result).kind;
    expect(kind(returned({ enterpriseName: 'usbkey' }))).toBe('invalid');
    expect(kind(returned({ enterpriseName: 'cloud_account' }))).toBe('items');
    expect(kind(given('item 1'))).toBe('items');
  });

  it('never faults a conversion and never breaks a rule', () => {
    const cases: readonly [name: Parameters<typeof operationNamed>[0], field: string, from: string][] = [
      ['asset.list', 'enterpriseGlobalId', 'customer.enterpriseGlobalId'],
      ['asset.numbers', 'size', 'find.recordCount'],
      ['asset.lock', 'assetNums', 'numbers.assetNumber'],
    ];
    fc.assert(
      fc.property(fc.constantFrom(...cases), fc.string(), ([name, field, from], id) => {
        const operation = operationNamed(name);
        const others = operation.shape.filter((it) => it.name !== field && it.required);
        const map = {
          ...Object.fromEntries(others.map((it) => [it.name, { value: 'x' }])),
          [field]: { from },
        };
        const mapping = compile({ operation, headers: HEADERS, map, step: step([CUSTOMER, FIND, NUMBERS]) });
        expect(mapped(mapping, [], given(id), given(id), given(id)).kind).toBe('items');
      }),
    );
  });
});

describe('items of a step', () => {
  const KEYED = {
    channelCode: { value: 'CH' },
    channelCustomerId: 'A',
    customerName: 'B',
    branchName: { value: 'b' },
    enterpriseName: { value: 'e' },
    passwordMobile: { value: '1' },
  };
  const customers = (it?: StepOfJob) =>
    compile({ operation: operationNamed('enterprise.bind'), headers: HEADERS, map: KEYED, step: it });
  const only = (mapping: Mapping, cells: readonly Given[], identity?: string) => {
    const own = mapping.steps
      ? mapping.steps.withResults(row(2, cells), [], identity === undefined ? undefined : [identity])
      : row(2, cells);
    const group = mapping.map([own], NO_JOINS);
    if (group.kind === 'invalid') throw new Error(faultTexts(group).join());
    return group.items[0]!;
  };

  it('with a key of their own are shared by the rows that give the same', () => {
    expect(only(customers(step([])), ['C1', 'n']).subject).toBe(only(customers(step([])), ['C1', 'n']).key);
    expect(only(customers(), ['C1', 'n']).subject).toBeUndefined();
  });

  it('without one are known by what names their row, and by what they send', () => {
    const sizes = (it?: StepOfJob) =>
      compile({ operation: operationNamed('asset.numbers'), headers: HEADERS, map: { size: 'A' }, step: it });
    const key = (size: string, identity?: string) => only(sizes(step([])), [size], identity).key;
    expect(key('1', 'row x')).toBe(key('1', 'row x'));
    expect(key('1', 'row x')).not.toBe(key('1', 'row y'));
    expect(key('1', 'row x')).not.toBe(key('2', 'row x'));
    expect(only(sizes(), ['1']).key).toBeUndefined();
    // Copies of a row share its key, and so its item.
    expect(only(sizes(step([])), ['1'], 'row x').subject).toBe(key('1', 'row x'));
    expect(only(sizes(), ['1']).subject).toBeUndefined();
  });

  it('keep next to their own what named their row in former versions of the job', () => {
    const mapping = compile({
      operation: operationNamed('asset.numbers'),
      headers: HEADERS,
      map: { size: 'A' },
      step: step([]),
    });
    const own = mapping.steps!.withResults(row(2, ['1']), [], ['row x 2', 'row y']);
    const group = mapping.map([own], NO_JOINS);
    expect(group).toMatchObject({
      items: [{ identities: ['row x 2', 'row y'], key: only(mapping, ['1'], 'row x 2').key }],
    });
  });

  it('that change one thing keep it as what distinguishes them', () => {
    const own = compile({
      operation: lockOperation(),
      headers: HEADERS,
      map: { assetNums: 'A', operatorIdentity: 'B' },
      step: step([]),
    });
    const plain = compile({
      operation: lockOperation(),
      headers: HEADERS,
      map: { assetNums: 'A', operatorIdentity: 'B' },
    });
    expect(only(own, ['L1', 'o'], 'row x').subject).toBe(only(plain, ['L1', 'o']).subject);
  });
});

describe('a job of one step', () => {
  const LEAVES: readonly unknown[] = [
    'A',
    'B',
    { column: 'C', default: 'd' },
    { value: 'v' },
    { template: '{A}-{B}' },
    { expr: 'row["A"] + row["B"]' },
  ];
  const cell = fc.option(fc.constantFrom('', 'x', '007', '2026-01-01', 'TRUE', 'ａｂ', '#'), {
    nil: undefined,
  });

  it('sends what the same job without steps would send', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...LEAVES),
        fc.constantFrom(...LEAVES),
        fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 5 }),
        (one, two, rows) => {
          const map = { assetNums: one, operatorIdentity: two };
          const operation = operationNamed('asset.lock');
          const plain = compile({ operation, headers: HEADERS, map });
          const own = compile({ operation, headers: HEADERS, map, step: step([]) });
          expect(own.columns).toEqual(plain.columns);
          expect(own.use).toEqual(plain.use);
          for (const [index, cells] of rows.entries()) {
            const source: Row = row(index + 2, cells);
            const sent = (group: MappedGroup) =>
              group.kind === 'invalid'
                ? group
                : group.items.map(({ envelopeJson, bodyJson, content, subject, rows: from }) => ({
                    envelopeJson,
                    bodyJson,
                    content,
                    subject,
                    from,
                  }));
            expect(sent(own.map([own.steps!.withResults(source, [], [`row ${index}`])], NO_JOINS))).toEqual(
              sent(plain.map([source], NO_JOINS)),
            );
          }
        },
      ),
    );
  });

  it('shows no column that its sheet does not have', () => {
    const own = lockStep([CUSTOMER, NUMBERS], {
      assetNums: { from: 'numbers.assetNumber', else: 'A' },
      operatorIdentity: FROM,
    });
    expect(own.use).toEqual({
      columns: [1],
      key: [1],
      identifiers: [1],
      digits: [],
      texts: [],
      keyIsLocks: true,
    });
    expect(own.columnsOf('assetNums')).toEqual([1]);
    expect(own.columnsOf('operatorIdentity')).toEqual([]);
    expect(own.keyColumns).toEqual([]);
    expect(own.columns.filter((it) => !isSheetColumn(it))).toHaveLength(2);
  });
});
