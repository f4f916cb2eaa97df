const SEALED_TABLES = ['items', 'bodies', 'envelopes', 'item_rows', 'batches', 'batch_items'];

/**
 * Takes a SQLite ledger back to version 4, as 0.1 and what followed it had it: no tables to append to, one line for each
 * attempt. A migration adds here what takes it back.
 */
export const BACK_TO_VERSION_4 = `
DROP TABLE ledger_identity; DROP TABLE epochs;
DROP TABLE given_ids;
DROP TRIGGER sums_of_changed_run; DROP TRIGGER sums_of_settled_run; ALTER TABLE runs DROP COLUMN sums_json;
DROP TABLE host_policies; DROP TRIGGER batch_items_added; DROP TRIGGER runs_approved_settings;
${['items', 'item_rows', 'batches', 'batch_items'].map((it) => `DROP TRIGGER ${it}_approved;`).join('\n')}
DROP TABLE schedule_pauses;
DROP TABLE console_sessions;
DROP TABLE imports; DROP TABLE uploads;
DROP TABLE approvals; DROP TABLE plan_applications;
DROP TRIGGER runs_applied; DROP TRIGGER runs_sealed; DROP TRIGGER runs_sealed_settings;
${SEALED_TABLES.map((it) => `DROP TRIGGER ${it}_sealed; DROP TRIGGER ${it}_stay;`).join('\n')}
DROP TRIGGER batch_items_full; DROP TRIGGER bodies_approved; DROP TRIGGER envelopes_approved;
ALTER TABLE runs DROP COLUMN plan_hash; ALTER TABLE runs DROP COLUMN needs_approval;
DROP TABLE audit; DROP TABLE audit_head; DROP TABLE people;
ALTER TABLE runs DROP COLUMN made_by; ALTER TABLE runs DROP COLUMN made_by_subject;
DROP TABLE undoings; DROP TABLE correction_acts; DROP TABLE correction_cells;
ALTER TABLE runs DROP COLUMN step;
DROP TABLE lookups;
DROP TABLE contested_batches;
DROP TRIGGER attempts_only_folded; DROP TABLE attempts_set_aside; DROP TABLE attempts_begun;
DROP TABLE attempts_ended; DROP TABLE claims_ahead;
PRAGMA user_version = 4`;
