/**
 * Entry n migrates the database from version n to n + 1. Released entries never change. Times are ms since the epoch;
 * JSON columns are parsed with the schemas of the modules they belong to.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE verdicts (id TEXT PRIMARY KEY, at REAL NOT NULL, channel TEXT NOT NULL, record TEXT NOT NULL) STRICT;
  CREATE INDEX verdicts_by_time ON verdicts (at, id);
  CREATE INDEX verdicts_by_channel ON verdicts (channel, at, id);

  -- Beside the verdict, so that a vote rewrites some hundred bytes and not the whole record.
  CREATE TABLE standings (
    verdict_id TEXT PRIMARY KEY,
    decided TEXT NOT NULL,
    subjects TEXT NOT NULL, -- JSON: [{kind, id, decision}]
    groups TEXT NOT NULL,   -- JSON: count_groups.id of each subject
    tallies TEXT NOT NULL   -- JSON: of the vote itself, then of each subject
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE votes (
    verdict_id TEXT NOT NULL,
    voter TEXT NOT NULL,
    at REAL NOT NULL,
    stances TEXT NOT NULL,
    ballot TEXT NOT NULL,   -- JSON
    PRIMARY KEY (verdict_id, voter)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX votes_by_voter ON votes (voter);

  CREATE TABLE count_groups (
    id INTEGER PRIMARY KEY,
    day TEXT NOT NULL, channel TEXT NOT NULL, rubric TEXT NOT NULL, method TEXT NOT NULL, models TEXT NOT NULL,
    kind TEXT NOT NULL, subject TEXT NOT NULL, decision TEXT NOT NULL,
    UNIQUE (day, channel, rubric, method, models, kind, subject, decision)
  ) STRICT;
  CREATE TABLE counts (
    group_id INTEGER NOT NULL,
    agree INTEGER NOT NULL, disagree INTEGER NOT NULL, unsure INTEGER NOT NULL,
    items INTEGER NOT NULL,
    PRIMARY KEY (group_id, agree, disagree, unsure)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE checks (
    id TEXT PRIMARY KEY,
    at REAL NOT NULL,
    spot_check TEXT,        -- JSON; null once finished
    owner TEXT,
    held_until REAL,
    known_until REAL        -- null while pending
  ) STRICT;
  CREATE INDEX checks_pending ON checks (at, id) WHERE known_until IS NULL;

  CREATE TABLE marks (key TEXT PRIMARY KEY, value TEXT NOT NULL, until REAL NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE channel_settings (channel TEXT PRIMARY KEY, settings TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE adjudications (
    verdict_id TEXT PRIMARY KEY,
    at REAL NOT NULL,
    ruling TEXT NOT NULL    -- JSON
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE digest_schedules (
    id TEXT PRIMARY KEY,
    schedule TEXT NOT NULL, -- JSON
    version INTEGER NOT NULL,
    progress TEXT NOT NULL  -- of the caller's own
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE studies (
    id TEXT PRIMARY KEY,
    at REAL NOT NULL,
    name TEXT NOT NULL,
    case_count INTEGER NOT NULL,
    closed INTEGER NOT NULL,
    study TEXT NOT NULL     -- JSON: all that never changes
  ) STRICT;
  -- Separate, so that an erased person leaves no trace.
  CREATE TABLE study_annotators (
    study_id TEXT NOT NULL,
    annotator TEXT NOT NULL,
    entry TEXT NOT NULL,    -- JSON
    PRIMARY KEY (study_id, annotator)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE annotations (
    study_id TEXT NOT NULL,
    annotator TEXT NOT NULL,
    case_index INTEGER NOT NULL,
    at REAL NOT NULL,
    answers TEXT NOT NULL,  -- JSON
    PRIMARY KEY (study_id, annotator, case_index)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- By the verdict's rowid. Facts are encoded, so that no text from outside can look like one.
  CREATE VIRTUAL TABLE verdict_words USING fts5(words, facts, content='', contentless_delete=1, tokenize='unicode61');
  `,
  `
  CREATE TABLE changes (
    id TEXT PRIMARY KEY,
    at REAL NOT NULL,
    change TEXT NOT NULL    -- JSON
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX changes_by_time ON changes (at, id);
  `,
];
