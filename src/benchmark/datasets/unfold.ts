import * as z from 'zod';
import { isRecord } from '../../case/case.ts';
import columnNames from './column-names.json' with { type: 'json' };

/**
 * Exports of annotation tools hold all answers about a case in one object. As a table they are a row an answer: the fields of the case,
 * its `id`, who answered (`annotator`), and what, by question.
 */
export type UnfoldedRow = Readonly<Record<string, unknown>>;

/** A column's name as it is compared. */
export const letters = (column: string): string => column.toLowerCase().replaceAll(/[^a-z]/g, '');

export const isAnnotatorColumn = (column: string): boolean => columnNames.voters.includes(letters(column));

const Fields = z.record(z.string(), z.unknown());
const Id = z.union([z.string(), z.number()]);
const Plain = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** What an annotator says in one control of a Label Studio form; undefined if it is none of text, choice or number. */
function controlValue(value: Readonly<Record<string, unknown>>): unknown {
  const found = ['choices', 'rating', 'number', 'text', 'selected'].find((key) => Object.hasOwn(value, key));
  const said = found === undefined ? undefined : value[found];
  return Array.isArray(said) ? said.join(found === 'text' ? '\n' : ';') : said;
}

const LabelStudioTask = z.looseObject({
  id: Id.optional(),
  data: Fields,
  annotations: z.array(
    z.looseObject({
      completed_by: z
        .union([Id, z.looseObject({ id: Id.optional(), email: z.string().optional() })])
        .nullish(),
      was_cancelled: z.boolean().nullish(),
      result: z.array(z.looseObject({ from_name: z.string(), value: Fields })),
    }),
  ),
});

/** An object for each person in a task; what was skipped is no answer. */
function labelStudio(value: unknown): UnfoldedRow[] | null {
  const { data: task } = LabelStudioTask.safeParse(value);
  if (task === undefined) return null;
  return task.annotations
    .filter(({ was_cancelled: isSkipped }) => isSkipped !== true)
    .map(({ completed_by: by, result }) => ({
      ...task.data,
      id: task.id,
      annotator: typeof by === 'object' ? (by?.email ?? by?.id) : by,
      ...Object.fromEntries(result.map((one) => [one.from_name, controlValue(one.value)])),
    }));
}

const isGiven = (status: string | null | undefined): boolean =>
  !['discarded', 'draft'].includes(status ?? '');

const ArgillaRecord = z.looseObject({
  id: Id.nullish(),
  fields: Fields,
  responses: z.union([
    // By question, since version 2; by person before.
    z.record(
      z.string(),
      z.array(z.looseObject({ value: z.unknown(), user_id: Id.nullish(), status: z.string().nullish() })),
    ),
    z.array(
      z.looseObject({
        user_id: Id.nullish(),
        status: z.string().nullish(),
        values: z.record(z.string(), z.looseObject({ value: z.unknown() })).nullish(),
      }),
    ),
  ]),
});

/** Answers by question, gathered by person. */
function byPerson(
  answers: Iterable<{ question: string; person: unknown; value: unknown }>,
): { annotator: unknown; said: Record<string, unknown> }[] {
  const people = new Map<unknown, Record<string, unknown>>();
  for (const { question, person, value } of answers)
    people.set(person, { ...people.get(person), [question]: value });
  return [...people].map(([annotator, said]) => ({ annotator, said }));
}

function argilla(value: unknown): UnfoldedRow[] | null {
  const { data: record } = ArgillaRecord.safeParse(value);
  if (record === undefined) return null;
  const { fields, id, responses } = record;
  const said = Array.isArray(responses)
    ? responses.flatMap(({ user_id: person, status, values }) =>
        isGiven(status)
          ? Object.entries(values ?? {}).map(([question, one]) => ({ question, person, value: one.value }))
          : [],
      )
    : Object.entries(responses).flatMap(([question, given]) =>
        given.flatMap(({ value: one, user_id: person, status }) =>
          isGiven(status) ? [{ question, person, value: one }] : [],
        ),
      );
  return byPerson(said).map(({ annotator, said: own }) => ({ ...fields, id, annotator, ...own }));
}

const SUFFIX = '.responses';

/** Argilla's flat form: `question.responses`, and beside it `.users` and `.status`, lists of the same length. */
function flatArgilla(value: unknown): UnfoldedRow[] | null {
  const { data: record } = Fields.safeParse(value);
  const questions = Object.keys(record ?? {}).filter((key) => key.endsWith(SUFFIX));
  if (record === undefined || questions.length === 0) return null;
  const listAt = (key: string): unknown[] => (Array.isArray(record[key]) ? record[key] : []);
  const said = questions.flatMap((key) => {
    const [people, statuses] = [listAt(`${key}.users`), listAt(`${key}.status`)];
    return listAt(key).flatMap((one, index) =>
      isGiven(String(statuses[index]))
        ? [{ question: key.slice(0, -SUFFIX.length), person: people[index], value: one }]
        : [],
    );
  });
  const rest = Object.entries(record).filter(([key]) => !key.includes('.responses'));
  return byPerson(said).map(({ annotator, said: own }) => ({
    ...Object.fromEntries(rest),
    annotator,
    ...own,
  }));
}

const JudgeBenchInstance = z.looseObject({
  id: Id.nullish(),
  instance: z.unknown(),
  annotations: z.record(z.string(), z.looseObject({ individual_human_scores: z.array(Plain) })),
});

/** JUDGE-BENCH does not say who gave which score. */
function judgeBench(value: unknown): UnfoldedRow[] | null {
  const { data: one } = JudgeBenchInstance.safeParse(value);
  if (one === undefined) return null;
  const shown = isRecord(one.instance) ? one.instance : { instance: one.instance };
  const scores = Object.entries(one.annotations);
  const most = Math.max(...scores.map(([, { individual_human_scores: all }]) => all.length));
  return Array.from({ length: most }, (_, place) => ({
    ...shown,
    id: one.id,
    ...Object.fromEntries(scores.map(([metric, all]) => [metric, all.individual_human_scores[place]])),
  }));
}

/** A list of people beside lists of what they said, of the same length. */
function lists(value: unknown): UnfoldedRow[] | null {
  const { data: record } = Fields.safeParse(value);
  const key = Object.keys(record ?? {}).find(isAnnotatorColumn);
  const { data: people } = z.array(Plain).safeParse(key === undefined ? null : record?.[key]);
  if (record === undefined || people === undefined) return null;
  const isAnswers = (cell: unknown): cell is unknown[] =>
    z.array(Plain).length(people.length).safeParse(cell).success;
  return people.map((_, place) =>
    Object.fromEntries(
      Object.entries(record).map(([name, cell]) => [name, isAnswers(cell) ? cell[place] : cell]),
    ),
  );
}

/** One object of an export as a row for each person; null if it is not such an export. */
export function unfolded(value: unknown): UnfoldedRow[] | null {
  for (const read of [labelStudio, argilla, flatArgilla, judgeBench, lists]) {
    const rows = read(value);
    if (rows !== null) return rows;
  }
  return null;
}

const Wrapped = z.record(z.string(), z.unknown());

/** The objects of a JSON file: those of its list, or of a list that it holds under a usual name. */
export function itemsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  const { data: outer = {} } = Wrapped.safeParse(value);
  const list = columnNames.lists.map((name) => outer[name]).find((one) => Array.isArray(one));
  return Array.isArray(list) ? list : [value];
}
