/** Where a ledger was copied to: nothing more is written to it until it is reopened. */
export const SQL = 'ALTER TABLE ledger_identity ADD COLUMN closed_to text COLLATE "C"';
