import * as z from 'zod';
import type { AnnotateOutcome, Annotation, StudyStore } from '../../studies/annotation.ts';
import { Answers } from '../../studies/questions.ts';
import { Annotator, Study } from '../../studies/study.ts';
import { storedJson } from '../stored-values.ts';
import type { Database } from './database.ts';

const Body = Study.omit({ annotators: true, closed: true });
const BodyRow = z.object({ closed: z.int(), study: storedJson(Body, 'a study') });
const EntryRow = z.object({
  id: z.string(),
  at: z.number(),
  name: z.string(),
  cases: z.int(),
  closed: z.int(),
});
const AnnotatorRow = z.object({ study_id: z.string(), entry: storedJson(Annotator, 'an annotator') });
const ClosedRow = z.object({ closed: z.int() });
const StandingRow = z.object({ at: z.number(), answers: z.string() });
const AnnotationRow = z.object({
  study: z.string(),
  annotator: z.string(),
  case: z.int(),
  at: z.number(),
  answers: storedJson(Answers, 'an annotation'),
});

/** Deletes an annotator and their annotations. Call it within a transaction. Returns the number of deleted annotations. */
export function forgetAnnotations(database: Database, annotator: string): number {
  const gone = database.run`DELETE FROM annotations WHERE annotator = ${annotator}`;
  database.run`DELETE FROM study_annotators WHERE annotator = ${annotator}`;
  return gone;
}

export function sqliteStudies(database: Database): StudyStore {
  const annotatorsOf = (id: string): Annotator[] =>
    database.rows(AnnotatorRow)`SELECT study_id, entry FROM study_annotators WHERE study_id = ${id}`
      .map(({ entry }) => entry)
      .sort((a, b) => a.place - b.place);

  /** Why a person's annotations of a study cannot be kept; null if they can. */
  function refusal(study: string, annotator: string): AnnotateOutcome | null {
    const row = database.row(ClosedRow)`SELECT closed FROM studies WHERE id = ${study}`;
    if (row === null) return 'unknown-study';
    if (row.closed === 1) return 'closed';
    const place = database.row(z.object({}))`SELECT 1 FROM study_annotators
      WHERE study_id = ${study} AND annotator = ${annotator}`;
    return place === null ? 'not-asked' : null;
  }

  function keep({ study, annotator, case: index, at, answers: given }: Annotation): AnnotateOutcome {
    const old = database.row(StandingRow)`SELECT at, answers FROM annotations
      WHERE study_id = ${study} AND annotator = ${annotator} AND case_index = ${index}`;
    if (old !== null && at <= old.at) return at < old.at ? 'outdated' : 'unchanged';
    const answers = JSON.stringify(given);
    database.run`INSERT OR REPLACE INTO annotations
      VALUES (${study}, ${annotator}, ${index}, ${at}, ${answers})`;
    return old?.answers === answers ? 'unchanged' : 'kept';
  }

  return {
    addStudy: ({ annotators, closed, ...body }) =>
      database.write(() => {
        const { id, at, name, cases } = body;
        const added = database.run`INSERT INTO studies
          VALUES (${id}, ${at}, ${name}, ${cases.length}, ${Number(closed)}, ${JSON.stringify(body)})
          ON CONFLICT DO NOTHING`;
        if (added === 0) return 'known';
        for (const one of annotators)
          database.run`INSERT INTO study_annotators VALUES (${id}, ${one.id}, ${JSON.stringify(one)})`;
        return 'added';
      }),
    study: (id) =>
      database.read(() => {
        const row = database.row(BodyRow)`SELECT closed, study FROM studies WHERE id = ${id}`;
        return row === null ? null : { ...row.study, annotators: annotatorsOf(id), closed: row.closed === 1 };
      }),
    studies: () =>
      database.read(() =>
        database.rows(
          EntryRow,
        )`SELECT id, at, name, case_count AS cases, closed FROM studies ORDER BY at, id`.map((row) => ({
          ...row,
          closed: row.closed === 1,
          annotators: annotatorsOf(row.id),
        })),
      ),
    closeStudy: async (id, closed) =>
      (await database.change`UPDATE studies SET closed = ${Number(closed)} WHERE id = ${id}`) === 1,
    removeStudy: (id) =>
      database.write(() => {
        database.run`DELETE FROM annotations WHERE study_id = ${id}`;
        database.run`DELETE FROM study_annotators WHERE study_id = ${id}`;
        return database.run`DELETE FROM studies WHERE id = ${id}` === 1;
      }),
    addAnnotators: (id, people, from) =>
      database.write(() => {
        const row = database.row(ClosedRow)`SELECT closed FROM studies WHERE id = ${id}`;
        if (row === null || row.closed === 1) return null;
        const there = annotatorsOf(id);
        let next = Math.max(from, (there.at(-1)?.place ?? -1) + 1);
        const added: Annotator[] = [];
        for (const one of people) {
          if (there.some((known) => known.id === one.id)) continue;
          const annotator = { ...one, place: next };
          next += 1;
          database.run`INSERT INTO study_annotators VALUES (${id}, ${one.id}, ${JSON.stringify(annotator)})`;
          added.push(annotator);
        }
        return added;
      }),
    annotate: (annotations) =>
      database.write(() => {
        // What is asked of the same person in a batch is looked up once.
        const refusals = new Map<string, AnnotateOutcome | null>();
        return annotations.map((one) => {
          const key = `${one.study}|${one.annotator}`;
          const known = refusals.get(key);
          const refused = known === undefined ? refusal(one.study, one.annotator) : known;
          refusals.set(key, refused);
          return refused ?? keep(one);
        });
      }),
    annotations: (study, annotator) =>
      database.all(AnnotationRow)`SELECT study_id AS study, annotator, case_index AS "case", at, answers
        FROM annotations
        WHERE study_id = ${study} AND (annotator = ${annotator ?? ''} OR ${Number(annotator === undefined)})
        ORDER BY annotator, case_index`,
  };
}
