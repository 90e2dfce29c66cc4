import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ScheduledReview } from '../src/digests/digest-schedule.ts';
import { Vote } from '../src/labels/record/vote.ts';
import { Adjudication } from '../src/labels/voting/adjudication.ts';
import { castBlind, castByReaction } from '../src/labels/voting/cast-vote.ts';
import { keepPeople } from '../src/requests/requesters.ts';
import { inviteReviewer } from '../src/reviews/invite-reviewer.ts';
import { Listed, ReviewChoice, Week } from '../src/reviews/kept-reviews.ts';
import {
  answerReview,
  beginReview,
  nextReview,
  skipReviews,
  volunteer,
} from '../src/reviews/manage-reviews.ts';
import { ReviewSample } from '../src/reviews/review-sample.ts';
import { createPseudonyms } from '../src/stores/pseudonyms.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../src/stores/store.ts';
import { closeAfterEach, closing } from './support/resources.ts';
import { aWish, reviewParts } from './support/reviews.ts';
import { jury, scratch } from './support/run-jury.ts';
import { aBallot, aRecord, aRuling, dayMs } from './support/store-builders.ts';

closeAfterEach();

const privacy = readFileSync(new URL('../docs/privacy.md', import.meta.url), 'utf8');

/** What happens to a field when a person is forgotten. */
type Forgotten =
  /** Erased with what it belongs to: all of it is the person's. */
  | 'erased'
  /** Says nothing about a person. */
  | 'stays';

interface Kept {
  schema: z.ZodType;
  /** The row of docs/privacy.md that says how long it is kept. */
  row: string;
  fields: Readonly<Record<string, Forgotten>>;
}

const allOf = (what: Forgotten, ...fields: readonly string[]) =>
  Object.fromEntries(fields.map((field) => [field, what]));

const kept: Readonly<Record<string, Kept>> = {
  vote: {
    schema: Vote,
    row: 'case, verdict, votes, rulings;',
    fields: {
      ...allOf('erased', 'verdictId', 'voter', 'value', 'right.kind', 'right.decision', 'right.score'),
      ...allOf('erased', 'correction.decision', 'correction.score', 'correction.criteria'),
      ...allOf('erased', 'correction.errorType', 'correction.judges', 'correction.comment'),
      ...allOf('erased', 'blind.answer.kind', 'blind.answer.decision', 'blind.answer.score'),
      ...allOf('erased', 'blind.later.answer.kind', 'blind.later.answer.decision'),
      ...allOf('erased', 'blind.later.answer.score', 'blind.later.at'),
      ...allOf('erased', 'surface', 'offered.why', 'offered.probability', 'at'),
    },
  },
  ruling: {
    schema: Adjudication,
    row: 'case, verdict, votes, rulings;',
    // By a role, not by a person.
    fields: allOf(
      ...(['stays', 'verdictId', 'right.kind', 'right.decision', 'right.score', 'errorType'] as const),
      ...['role', 'comment', 'at'],
    ),
  },
  'review sample': {
    schema: ReviewSample,
    row: 'answers of a run that were drawn for people to check, and what people said about them',
    fields: {
      ...allOf('stays', 'version', 'run', 'at', 'until', 'votes', 'perWeek', 'days', 'signatures.*'),
      ...allOf('stays', 'undecided', 'strata.name', 'strata.decision', 'strata.split', 'strata.size'),
      ...allOf('stays', 'strata.drawn', 'entries.place', 'entries.caseId', 'entries.unit', 'entries.rubric'),
      ...allOf('stays', 'entries.decision', 'entries.split', 'entries.stratum', 'entries.probability'),
      ...allOf('erased', 'people', 'entries.labels.right', 'entries.labels.slot'),
      ...allOf('erased', 'entries.labels.voter', 'entries.labels.at'),
    },
  },
  'list of review samples': {
    schema: Listed,
    row: 'answers of a run that were drawn for people to check, and what people said about them',
    fields: allOf('stays', 'run', 'at', 'until', 'signatures'),
  },
  'a week of reviews': {
    schema: Week,
    row: 'which of them a person was asked about, by pseudonym, that they were invited, and that they skipped a week',
    fields: allOf('erased', 'offers.run', 'offers.place', 'skipped'),
  },
  "a schedule's people who check answers": {
    schema: ScheduledReview,
    row: 'whom a schedule names to check answers, by id',
    fields: { ...allOf('stays', 'size'), ...allOf('erased', 'people') },
  },
  'a choice about reviews': {
    schema: ReviewChoice,
    row: 'that a person checks answers, or never wants to, by pseudonym',
    fields: allOf('erased', ''),
  },
};

const Shape = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  additionalProperties: z.unknown().optional(),
});

/** The paths of all fields in a JSON Schema; parts of a list are not numbered, keys of a record are `*`. */
function pathsIn(schema: unknown, path: string): string[] {
  const { properties, anyOf = [], oneOf = [], items, additionalProperties } = Shape.parse(schema);
  const below = (name: string) => (path === '' ? name : `${path}.${name}`);
  const parts = [
    ...Object.entries(properties ?? {}).flatMap(([name, part]) => pathsIn(part, below(name))),
    ...[...anyOf, ...oneOf].flatMap((part) => pathsIn(part, path)),
    ...(items === undefined ? [] : pathsIn(items, path)),
    ...(typeof additionalProperties === 'object' ? pathsIn(additionalProperties, below('*')) : []),
  ];
  return parts.length === 0 ? [path] : [...new Set(parts)];
}

describe('what is kept about people', () => {
  test.each(Object.entries(kept))(
    'lists each field of a stored %s with what forgetting does to it',
    (_, one) => {
      const { $schema: _schema, ...schema } = z.toJSONSchema(one.schema, { reused: 'inline' });
      expect(Object.keys(one.fields).sort()).toEqual(pathsIn(schema, '').sort());
      expect(privacy.split('\n').filter((line) => line.startsWith(`| ${one.row}`))).toHaveLength(1);
    },
  );
});

describe('a person who is forgotten', () => {
  const secret = 'for this test';
  const pseudonym = createPseudonyms(secret, ['slack']);
  const ada = pseudonym({ surface: 'slack', team: '', user: 'UADA' });
  const bea = pseudonym({ surface: 'slack', team: '', user: 'UBEA' });
  let cwd: string;
  let store: Store;
  const now = Date.now();
  const parts = () => reviewParts(store, () => now);

  /** Everything in the database, as text. */
  const dump = (): string => {
    const database = new DatabaseSync(join(cwd, 'data', 'jury.db'), { readOnly: true });
    try {
      const tables = database
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'words%'")
        .all();
      return JSON.stringify(
        tables.map(({ name }) => [name, database.prepare(`SELECT * FROM "${String(name)}"`).all()]),
      );
    } finally {
      database.close();
    }
  };

  beforeEach(async () => {
    cwd = scratch();
    store = await openSqliteStore(join(cwd, 'data', 'jury.db'));
    const { close } = store;
    closing(() => close());
    for (const id of ['v1', 'v2', 'v3']) await store.saveVerdict(aRecord({ id, at: now }));
    await store.saveVerdict({ ...aRecord({ id: 'v4', at: now }), blind: true });
    await store.adjudicate(aRuling({ verdictId: 'v1' }));
    for (const voter of [ada, bea]) {
      const offered = { why: 'card' } as const;
      await store.castVote(aBallot({ verdictId: 'v1', voter, at: now, offered }));
      const who = { verdictId: 'v2', voter, surface: 'slack', at: now, offered };
      await castByReaction(store, who, 'agree', now);
      const record = await store.verdict('v4');
      if (record === null) throw new Error('v4 is gone');
      await castBlind(store, record, { voter, surface: 'slack', at: now }, { kind: 'unsure' });
    }
    await keepPeople(store, 'v3', { askedBy: 'UADA', stoppedBy: null }, now);
    await beginReview(parts(), 'weekly-1', aWish({ people: [ada, bea] }));
    for (const voter of [ada, bea]) {
      const person = { surface: 'slack', team: '', user: 'one of them' };
      const poster = { surface: 'slack', invite: async () => {} };
      await inviteReviewer({ ...parts(), holder: 'h' }, poster, { person, voter });
      await volunteer(parts(), voter);
      for (const right of ['pass', 'unsure', null] as const) {
        const next = await nextReview(parts(), voter);
        if (next.kind !== 'offer') throw new Error(`no offer: ${next.kind}`);
        if (right !== null) await answerReview(parts(), voter, next.offer, right);
      }
    }
    await skipReviews(parts(), bea, 'never');
  });

  test('is nowhere in the database after "jury labels forget", and others stay as they are', async () => {
    const before = dump();
    const count = (text: string, trace: string) => text.split(trace).length - 1;
    expect([ada, 'UADA', bea].filter((trace) => count(before, trace) === 0)).toEqual([]);
    const { code, out } = await jury(['labels', 'forget', 'UADA'], { cwd, env: { JURY_SECRET: secret } });
    expect({ code, out }).toEqual({
      code: 0,
      out: 'Erased 3 votes, 2 checked answers, and 1 request of UADA.\n',
    });
    const after = dump();
    expect([ada, 'UADA'].map((trace) => count(after, trace))).toEqual([0, 0]);
    expect(count(after, bea)).toBe(count(before, bea));
  });

  test('leaves no offer behind after 30 days, even if nobody forgets them; the answers stay as long as labels', async () => {
    const later = now + 30 * dayMs;
    await store.prune(later - 400 * dayMs, later);
    const kinds = () =>
      [...new Set(dump().match(/review-[a-z]+(?=:)|review-samples/g))].filter((one) => one !== null).sort();
    expect(kinds()).toEqual(['review-choice', 'review-sample', 'review-samples']);
    const end = now + 400 * dayMs;
    await store.prune(end - 400 * dayMs + 1, end);
    expect(kinds()).toEqual(['review-choice', 'review-samples']);
    // Votes, rulings and what was said of answers have gone; what people chose stays until they change it.
    expect(dump().split(ada).length - 1).toBe(1);
  });
});
