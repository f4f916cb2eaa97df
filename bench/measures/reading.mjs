// Reading every cell of a file. What each reader reads is checked once, outside the timing, against what was written.
import { program } from '../harness/places.mjs';
import { shown } from './sizes.mjs';

const OWN = 'read-ours.mjs';
const MIB = 'peak, MiB';

function reader(name, peer, script, tableOf) {
  const argv = [process.execPath, program(script)];
  const prepare = async (setting) => {
    const { file, truth } = await tableOf(setting);
    return {
      argv: [...argv, file],
      read: (out) => {
        const { cells } = JSON.parse(out);
        if (peer === undefined && cells !== truth.cells) throw new Error(`${cells} cells of ${truth.cells}`);
        return {};
      },
    };
  };
  const check = async (setting) => {
    const { file, truth } = await tableOf(setting);
    return { argv: [...argv, file, '--hash'], read: (out) => compare(JSON.parse(out), truth) };
  };
  return { name, peer, prepare, check };
}

function compare(read, truth) {
  if (read.sha256 === truth.sha256)
    return `all ${shown(read.cells)} values as written, SHA-256 ${read.sha256}`;
  return `VALUES DIFFER from what was written (${shown(read.cells)} cells of ${shown(truth.cells)}, SHA-256 ${read.sha256})`;
}

function unzip(tableOf) {
  const prepare = async (setting) => {
    const { file } = await tableOf(setting);
    return { argv: ['unzip', '-p', file], quiet: true };
  };
  return { name: 'unzip -p', peer: 'unzip', prepare };
}

const ours = 'license-sync';
const wideXlsx = ({ inputs, sizes }) => inputs.table('wide', sizes.wide, 'xlsx');
const longXlsx = ({ inputs, sizes }) => inputs.table('long', sizes.longXlsx, 'xlsx');
const wideCsv = ({ inputs, sizes }) => inputs.table('wide', sizes.wide, 'csv');

const wallOf = (peer, limit) => ({
  text: `wall, of ${peer}'s`,
  sense: 'most',
  limit,
  value: (of) => of[ours].wall / of[peer].wall,
});
const peakOf = (limit) => ({ text: MIB, sense: 'most', limit, value: (of) => of[ours].peak });

export const exceljsReader = reader('exceljs', 'exceljs', 'read-exceljs.mjs', wideXlsx);

export const READING = [
  {
    name: 'read-xlsx',
    title: ({ sizes }) => `Read all cells of ${shown(sizes.wide)} rows x 36 columns, .xlsx`,
    contenders: [
      reader(ours, undefined, OWN, wideXlsx),
      exceljsReader,
      reader('hucre', 'hucre', 'read-hucre.mjs', wideXlsx),
      reader('read-excel-file', 'read-excel-file', 'read-read-excel-file.mjs', wideXlsx),
      unzip(wideXlsx),
    ],
    goals: [
      wallOf('exceljs', 1 / 6),
      wallOf('hucre', 1 / 4),
      wallOf('read-excel-file', 1 / 4),
      wallOf('unzip -p', 2),
      peakOf(180),
    ],
  },
  {
    name: 'read-xlsx-long',
    title: ({ sizes }) => `Read all cells of ${shown(sizes.longXlsx)} rows x 12 columns, .xlsx`,
    contenders: [reader(ours, undefined, OWN, longXlsx), unzip(longXlsx)],
    goals: [wallOf('unzip -p', 2), peakOf(260)],
  },
  {
    name: 'read-csv',
    title: ({ sizes }) => `Read all cells of ${shown(sizes.wide)} rows x 36 columns, .csv`,
    contenders: [
      reader(ours, undefined, OWN, wideCsv),
      reader('csv-parse', 'csv-parse', 'read-csv-parse.mjs', wideCsv),
    ],
    goals: [wallOf('csv-parse', 1.15)],
  },
];
