import { JuryError } from '../common/errors.ts';
import type { Rubric } from '../judging/rubric.ts';
import { type Person, type Pseudonym, personText } from '../labels/person.ts';
import { sampleCases } from './sample-cases.ts';
import { OTHER_ERROR, type Study, type StudyCase } from './study.ts';
import type { StudyItem } from './study-items.ts';

const MOST_ANNOTATORS = 200;
const LONGEST_NAME = 100;

/** What somebody wants a study to be. */
export interface StudyWish {
  id: string;
  name: string;
  /** ms since the epoch. */
  at: number;
  seed: number;
  /** All that can be asked about. */
  cases: readonly StudyCase[];
  /** How many of them are. */
  count: number;
  items: readonly StudyItem[];
  people: readonly Person[];
  rubric: Pick<Rubric, 'id' | 'task' | 'criteria' | 'errorTypes'>;
}

/** What annotators can name: the rubric's criteria and kinds of error, what labels name beside them, and "other". */
function errorTypesOf({ rubric, cases }: Pick<StudyWish, 'rubric' | 'cases'>): Study['errorTypes'] {
  const labels = [...new Set(cases.flatMap(({ evalCase }) => evalCase.label?.errorType ?? []))].sort();
  const all = [
    ...rubric.criteria.map(({ id, title }) => ({ id, title })),
    ...rubric.errorTypes.map(({ id, title }) => ({ id, title })),
    ...labels.map((id) => ({ id, title: id })),
    { id: OTHER_ERROR, title: 'Other' },
  ];
  return all.filter(({ id }, index) => all.findIndex((one) => one.id === id) === index);
}

function requirePeople(people: readonly Person[], ids: readonly string[]): void {
  if (people.length === 0) throw new JuryError('usage', 'A study needs an annotator.');
  if (people.length > MOST_ANNOTATORS)
    throw new JuryError('usage', `A study takes at most ${MOST_ANNOTATORS} annotators.`);
  const twice = people.find((_, place) => ids.indexOf(ids[place] ?? '') !== place);
  if (twice !== undefined) throw new JuryError('usage', `${personText(twice)} is named twice.`);
}

/**
 * A study of a sample of cases.
 * @throws JuryError `usage` where it cannot be what is wished for
 */
export function newStudy(wish: StudyWish, pseudonym: Pseudonym): Study {
  const { id, name, at, seed, cases, count, items, people, rubric } = wish;
  const ids = people.map(pseudonym);
  requirePeople(people, ids);
  const title = name.trim();
  if (title === '' || title.length > LONGEST_NAME)
    throw new JuryError('usage', `The name of a study has 1 to ${LONGEST_NAME} characters.`);
  const long = cases.find(({ evalCase }) => (evalCase.label?.errorType?.length ?? 0) > 150);
  if (long !== undefined)
    throw new JuryError('usage', `The error type of case ${long.id} is longer than 150 characters.`);
  return {
    id,
    name: title,
    at,
    seed,
    items: [...items],
    standard: {
      rubric: rubric.id,
      task: rubric.task,
      criteria: rubric.criteria.map((criterion) => ({ title: criterion.title, rule: criterion.rule })),
    },
    errorTypes: errorTypesOf(wish),
    cases: sampleCases(cases, count, seed),
    annotators: people.map((person, place) => ({ id: ids[place] ?? '', place, person })),
    closed: false,
  };
}
