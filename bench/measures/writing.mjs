import { program } from '../harness/places.mjs';
import { shown } from './sizes.mjs';

const ours = 'license-sync';

function writer(name, peer, script) {
  const prepare = async ({ sizes }) => ({
    argv: [process.execPath, program(script), 'result.xlsx', String(sizes.workbook)],
  });
  return { name, peer, prepare };
}

export const WRITING = [
  {
    name: 'result-workbook',
    title: ({ sizes }) => `Write a result workbook of ${shown(sizes.workbook)} rows x 40 columns`,
    rounds: 3,
    contenders: [
      writer(ours, undefined, 'write-ours.mjs'),
      writer('exceljs, styles by cell', 'exceljs', 'write-exceljs.mjs'),
    ],
    goals: [
      {
        text: "wall, of exceljs's stream writer",
        sense: 'most',
        limit: 0.5,
        value: (of) => of[ours].wall / of['exceljs, styles by cell'].wall,
      },
      { text: 'peak, MiB', sense: 'most', limit: 200, value: (of) => of[ours].peak },
    ],
  },
];
