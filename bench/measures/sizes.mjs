/** How many rows the measures are made with. */
export const FULL = {
  wide: 100_000,
  longXlsx: 500_000,
  longCsv: 1_000_000,
  shortCsv: 10_000,
  batches: 100_000,
  sent: 20_000,
  whole: 2000,
  /** A worker's, at a latency of 100 ms. */
  worked: 1600,
  workbook: 100_000,
};

export const QUICK = {
  wide: 2000,
  longXlsx: 5000,
  longCsv: 5000,
  shortCsv: 500,
  batches: 2000,
  sent: 500,
  whole: 50,
  worked: 40,
  workbook: 2000,
};

/** 100,000 for 100000. */
export const shown = (count) => count.toLocaleString('en');
