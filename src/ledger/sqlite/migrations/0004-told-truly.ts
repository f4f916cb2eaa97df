/** What a skipped row shows of the run that got it through; notes of those who settled rows. */
export const SQL = `
ALTER TABLE verdicts ADD COLUMN license_order_id TEXT;
ALTER TABLE verdicts ADD COLUMN columns_json TEXT;
ALTER TABLE verdicts ADD COLUMN records_json TEXT;
ALTER TABLE resolutions ADD COLUMN note TEXT;
`;
