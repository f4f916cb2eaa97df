// Reads a spreadsheet with the built program and reports how much memory that took; run by memory.test.ts.
import { openSource } from '../../dist/tools/source.cjs';

let rows = 0;
let cells = 0;
let end = 'rows';
try {
  const source = await openSource(process.argv[2]);
  for (const sheet of source.sheets) {
    for await (const page of source.rows(sheet)) {
      for (const row of page) {
        rows += 1;
        cells += row.cells().length;
      }
    }
  }
} catch (error) {
  if (error.name !== 'LicenseSyncError') throw error;
  end = error.detail.code;
}
const { maxRSS } = process.resourceUsage();
process.stdout.write(JSON.stringify({ end, rows, cells, peakMiB: Math.round(maxRSS / 1024) }));
