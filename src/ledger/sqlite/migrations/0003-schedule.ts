/** Times of schedules that were taken up, so that none is taken up twice; and look-ups by job. */
export const SQL = `
CREATE TABLE schedule_times (
  job TEXT NOT NULL,
  due INTEGER NOT NULL,
  begun_at INTEGER NOT NULL,
  ended_at INTEGER,
  exit_code INTEGER,
  run TEXT,
  PRIMARY KEY (job, due)
) STRICT, WITHOUT ROWID;

CREATE INDEX runs_by_job ON runs (job, connection);
CREATE INDEX runs_by_parent ON runs (parent) WHERE parent IS NOT NULL;
`;
