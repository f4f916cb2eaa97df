import { runOurs } from './orders.mjs';
import { exceljsReader } from './reading.mjs';
import { shown } from './sizes.mjs';

const ours = 'license-sync';

function validate(name, kind, format, sizeOf, options) {
  const prepare = async ({ inputs, sizes }, folder) => {
    const table = await inputs.table(kind, sizeOf(sizes), format);
    return runOurs(folder, kind, table, { command: 'validate', ...options });
  };
  return { name, prepare };
}

const LONG = '.csv, long';
const SHORT = '.csv, short';
const SINGLE = 'requests of 1';
const FIFTY = 'requests of 50';
/** Lines are the cheapest result, so that the plan weighs most; order numbers are generated, as they are shared. */
const PLAN = { output: 'ndjson', numbered: false };

export const VALIDATING = [
  {
    name: 'validate-xlsx',
    title: ({ sizes }) =>
      `Validate ${shown(sizes.wide)} one-row orders from .xlsx, plan and checked workbook written`,
    rounds: 3,
    contenders: [
      validate(ours, 'wide', 'xlsx', (sizes) => sizes.wide, {}),
      { name: 'exceljs, reading alone', peer: 'exceljs', prepare: exceljsReader.prepare },
    ],
    goals: [
      {
        text: "wall, of exceljs's reading",
        sense: 'most',
        limit: 1,
        value: (of) => of[ours].wall / of['exceljs, reading alone'].wall,
      },
      { text: 'peak, MiB', sense: 'most', limit: 300, value: (of) => of[ours].peak },
    ],
  },
  {
    name: 'validate-long',
    title: ({ sizes }) =>
      `Validate ${shown(sizes.longCsv)} orders from .csv against ${shown(sizes.shortCsv)}, checked workbook written`,
    rounds: 3,
    contenders: [
      validate(LONG, 'long', 'csv', (sizes) => sizes.longCsv, {}),
      validate(SHORT, 'long', 'csv', (sizes) => sizes.shortCsv, {}),
    ],
    goals: [
      { text: 'wall of the long one, s', sense: 'most', limit: 60, value: (of) => of[LONG].wall },
      {
        text: 'peak, long of short',
        sense: 'most',
        limit: 1.5,
        value: (of) => of[LONG].peak / of[SHORT].peak,
      },
      {
        text: 'wall per row, long of short',
        sense: 'most',
        limit: 1.1,
        value: (of, { sizes }) => of[LONG].wall / sizes.longCsv / (of[SHORT].wall / sizes.shortCsv),
      },
    ],
  },
  {
    name: 'batches',
    title: ({ sizes }) => `Validate ${shown(sizes.batches)} orders from .csv, in requests of 50 against 1`,
    contenders: [
      validate(SINGLE, 'long', 'csv', (sizes) => sizes.batches, { ...PLAN, batch: 1 }),
      validate(FIFTY, 'long', 'csv', (sizes) => sizes.batches, { ...PLAN, batch: 50 }),
    ],
    goals: [
      {
        text: 'wall per row, 50 of 1',
        sense: 'most',
        limit: 1,
        value: (of) => of[FIFTY].wall / of[SINGLE].wall,
      },
    ],
  },
];
