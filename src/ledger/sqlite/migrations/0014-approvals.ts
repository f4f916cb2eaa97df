/**
 * Approvals and applications of plans. Each refusal raises the code of a message (store/approvals.ts). A plan is sealed when its
 * hash is written: nothing of it may change until it is applied or pruned.
 */
const SEALED = (id: string): string =>
  `EXISTS (SELECT 1 FROM runs WHERE runs.id = (${id} >> 32) AND kind = 'plan' AND plan_hash IS NOT NULL AND pruned_at IS NULL)`;

/** What an approved plan sends must not change after it was applied either, because a stopped run is resumed. */
const APPROVED = (id: string): string =>
  `EXISTS (SELECT 1 FROM runs WHERE runs.id = (${id} >> 32) AND needs_approval <> 0 AND plan_hash IS NOT NULL AND pruned_at IS NULL)`;
const SENT_AS_APPROVED = ['bodies', 'envelopes'];

/** Tables of a plan with their column of packed ids, and the columns that determine what is sent. */
const PLANNED = [
  ['items', 'id', 'id, envelope, first_row, item_key, content'],
  ['bodies', 'item', 'item, json'],
  ['envelopes', 'id', 'id, json'],
  ['item_rows', 'item', '"row", item'],
  ['batches', 'id', 'id, envelope'],
  ['batch_items', 'item', 'batch, item'],
] as const;

const REFUSED = "BEGIN SELECT RAISE(ABORT, 'approval.plan_sealed'); END;";

/**
 * Additions are refused only in the tables of requests, without which nothing is sent. Checking the run for every row of the
 * other tables would slow down planning by a tenth.
 */
const ADDED = 'batch_items';

const SEALS = PLANNED.map(([table, id, columns]) =>
  [
    `CREATE TRIGGER ${table}_sealed BEFORE UPDATE OF ${columns} ON ${table} WHEN ${SEALED(`OLD.${id}`)} OR ${SEALED(`NEW.${id}`)} ${REFUSED}`,
    SENT_AS_APPROVED.includes(table)
      ? `CREATE TRIGGER ${table}_approved BEFORE UPDATE OF ${columns} ON ${table} WHEN ${APPROVED(`OLD.${id}`)} ${REFUSED}`
      : '',
    `CREATE TRIGGER ${table}_stay BEFORE DELETE ON ${table} WHEN ${SEALED(`OLD.${id}`)} ${REFUSED}`,
    table === ADDED
      ? `CREATE TRIGGER ${table}_full BEFORE INSERT ON ${table} WHEN ${SEALED(`NEW.${id}`)} ${REFUSED}`
      : '',
  ].join('\n'),
).join('\n');

const NOW = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/** A request that wasn't rejected since. */
const REQUESTED = `EXISTS (SELECT 1 FROM approvals AS asked WHERE asked.run = NEW.run AND asked.act = 'request'
    AND NOT EXISTS (SELECT 1 FROM approvals AS no WHERE no.run = asked.run AND no.act = 'reject' AND no.n > asked.n))`;

export const RUNS_SEALED_SETTINGS = `CREATE TRIGGER runs_sealed_settings BEFORE UPDATE OF settings_json, input_sha256, connection, scope, operation ON runs
WHEN OLD.kind = 'plan' AND OLD.plan_hash IS NOT NULL AND NEW.pruned_at IS NULL AND (NEW.settings_json <> OLD.settings_json
  OR NEW.input_sha256 <> OLD.input_sha256 OR NEW.connection <> OLD.connection OR NEW.scope <> OLD.scope OR NEW.operation <> OLD.operation)
BEGIN SELECT RAISE(ABORT, 'approval.plan_sealed'); END;`;

export const SQL = `
ALTER TABLE runs ADD COLUMN plan_hash TEXT;
ALTER TABLE runs ADD COLUMN needs_approval INTEGER NOT NULL DEFAULT 0;

CREATE TABLE approvals (
  run INTEGER NOT NULL REFERENCES runs (id),
  n INTEGER NOT NULL,
  act TEXT NOT NULL CHECK (act IN ('request', 'approve', 'reject')),
  plan_hash TEXT NOT NULL,
  signer TEXT NOT NULL,
  signer_subject TEXT,
  comment TEXT,
  at INTEGER NOT NULL,
  expires_at INTEGER CHECK ((expires_at IS NOT NULL) = (act = 'approve')),
  PRIMARY KEY (run, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE plan_applications (
  run INTEGER PRIMARY KEY REFERENCES runs (id),
  plan_hash TEXT NOT NULL,
  signer TEXT NOT NULL,
  signer_subject TEXT,
  at INTEGER NOT NULL
) STRICT;

CREATE TRIGGER approvals_follow BEFORE INSERT ON approvals BEGIN
  SELECT RAISE(ABORT, 'approval.other_hash') FROM runs WHERE id = NEW.run AND plan_hash IS NOT NEW.plan_hash;
  SELECT RAISE(ABORT, 'approval.not_requested') WHERE NEW.act <> 'request' AND NOT ${REQUESTED};
  SELECT RAISE(ABORT, 'approval.no_maker') FROM runs WHERE id = NEW.run AND NEW.act = 'approve' AND made_by IS NULL;
  SELECT RAISE(ABORT, 'approval.own_plan') FROM runs WHERE id = NEW.run AND NEW.act = 'approve' AND (
    made_by = NEW.signer OR made_by_subject = NEW.signer_subject
    OR EXISTS (SELECT 1 FROM people WHERE name = NEW.signer AND subject = runs.made_by_subject)
    OR EXISTS (SELECT 1 FROM people WHERE name = runs.made_by AND subject = NEW.signer_subject));
END;
CREATE TRIGGER approvals_unchanged BEFORE UPDATE ON approvals BEGIN SELECT RAISE(ABORT, 'approval.kept'); END;
CREATE TRIGGER approvals_kept BEFORE DELETE ON approvals BEGIN SELECT RAISE(ABORT, 'approval.kept'); END;

-- While it is still a plan, an approval holds by the clock of now; of one that was applied long ago (a copy), by that of then.
CREATE TRIGGER plan_applications_follow BEFORE INSERT ON plan_applications BEGIN
  SELECT RAISE(ABORT, 'approval.applied') WHERE EXISTS (SELECT 1 FROM plan_applications WHERE run = NEW.run);
  SELECT RAISE(ABORT, 'approval.other_hash') FROM runs WHERE id = NEW.run AND plan_hash IS NOT NEW.plan_hash;
  SELECT RAISE(ABORT, 'approval.wanted') FROM runs WHERE id = NEW.run AND needs_approval <> 0 AND NOT EXISTS (
    SELECT 1 FROM approvals AS yes WHERE yes.run = NEW.run AND yes.act = 'approve' AND yes.plan_hash = NEW.plan_hash
    AND yes.expires_at > CASE runs.kind WHEN 'plan' THEN ${NOW} ELSE NEW.at END
    AND NOT EXISTS (SELECT 1 FROM approvals AS no WHERE no.run = yes.run AND no.act = 'reject' AND no.n > yes.n));
END;
CREATE TRIGGER plan_applications_unchanged BEFORE UPDATE ON plan_applications BEGIN SELECT RAISE(ABORT, 'approval.kept'); END;
CREATE TRIGGER plan_applications_kept BEFORE DELETE ON plan_applications BEGIN SELECT RAISE(ABORT, 'approval.kept'); END;

-- A step is sent with the run that it belongs to.
CREATE TRIGGER runs_applied BEFORE UPDATE OF kind, state ON runs
WHEN NEW.needs_approval <> 0 AND ((OLD.kind = 'plan' AND NEW.kind = 'run') OR NEW.state IN ('queued', 'executing'))
  AND NOT EXISTS (SELECT 1 FROM plan_applications WHERE run =
    CASE WHEN NEW.step IS NULL THEN NEW.id ELSE (SELECT whole.id FROM runs AS whole WHERE whole.name = NEW.parent) END)
BEGIN SELECT RAISE(ABORT, 'approval.wanted'); END;
CREATE TRIGGER runs_sealed BEFORE UPDATE OF plan_hash, needs_approval, made_by, made_by_subject ON runs
WHEN OLD.plan_hash IS NOT NULL AND (NEW.plan_hash IS NOT OLD.plan_hash OR NEW.needs_approval <> OLD.needs_approval
  OR NEW.made_by IS NOT OLD.made_by OR NEW.made_by_subject IS NOT OLD.made_by_subject)
BEGIN SELECT RAISE(ABORT, 'approval.plan_sealed'); END;
${RUNS_SEALED_SETTINGS}
${SEALS}
`;
