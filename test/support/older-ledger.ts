/**
 * Takes a SQLite ledger back to version 4, as 0.1 and what followed it had it: no tables to append to, one line for each
 * attempt. A migration adds here what takes it back.
 */
export const BACK_TO_VERSION_4 = `
DROP TABLE console_sessions;
DROP TABLE imports; DROP TABLE uploads;
DROP TABLE audit; DROP TABLE audit_head; DROP TABLE people;
ALTER TABLE runs DROP COLUMN made_by; ALTER TABLE runs DROP COLUMN made_by_subject;
DROP TABLE undoings; DROP TABLE correction_acts; DROP TABLE correction_cells;
ALTER TABLE runs DROP COLUMN step;
DROP TABLE lookups;
DROP TABLE contested_batches;
DROP TRIGGER attempts_only_folded; DROP TABLE attempts_set_aside; DROP TABLE attempts_begun;
DROP TABLE attempts_ended; DROP TABLE claims_ahead;
PRAGMA user_version = 4`;
