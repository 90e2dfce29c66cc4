import * as z from 'zod';
import type { Study, StudyEntry } from './study.ts';
import { type StudyItem, studyItems } from './study-items.ts';

/** 1 = invalid, 2 = most likely invalid, 3 = inconclusive, 4 = most likely valid, 5 = valid. Habicht et al., 6.4. */
const Rating = z.int().min(1).max(5);

/** Longest comment, characters. */
export const LONGEST_COMMENT = 3_000;

/** What somebody said of one case. */
export const Answers = z.strictObject({
  user: Rating.optional(),
  system: Rating.optional(),
  correct: z.boolean().optional(),
  /** Ids of kinds of error; several can be found in one response. */
  errors: z.array(z.string()).optional(),
  comment: z.string().max(LONGEST_COMMENT).optional(),
});
export type Answers = z.infer<typeof Answers>;

/** One annotator on one case. */
export const Annotation = z.strictObject({
  study: z.string(),
  /** Pseudonym. */
  annotator: z.string(),
  /** Index among the cases of the study. */
  case: z.int().min(0),
  answers: Answers,
  /** ms since the epoch: when the case was shown to the annotator. The newest of a case stands. */
  at: z.number(),
});
export type Annotation = z.infer<typeof Annotation>;

/** What is wrong with answers, at the item at which it can be mended. */
export interface AnswerProblem {
  item: StudyItem;
  problem: string;
}

type Asked = Pick<Study, 'items' | 'errorTypes'>;

/** Answers to what is asked alone, in one form: the same answers are equal. */
function plainAnswers({ items, errorTypes }: Asked, answers: Answers): Answers {
  const { user, system, correct, errors = [], comment = '' } = answers;
  const asked = (item: StudyItem) => items.includes(item);
  const named = errorTypes.map(({ id }) => id).filter((id) => errors.includes(id));
  return {
    ...(asked('user') && user !== undefined ? { user } : {}),
    ...(asked('system') && system !== undefined ? { system } : {}),
    ...(asked('correct') && correct !== undefined ? { correct } : {}),
    ...(asked('errors') && named.length > 0 ? { errors: named } : {}),
    ...(asked('comment') && comment.trim() !== '' ? { comment: comment.trim() } : {}),
  };
}

function problemAt(item: StudyItem, { items, errorTypes }: Asked, answers: Answers): string | null {
  const { correct, errors = [] } = answers;
  switch (item) {
    case 'user':
    case 'system':
      return Rating.safeParse(answers[item]).success ? null : 'Rate it from 1 to 5.';
    case 'correct':
      return correct === undefined ? 'Say yes or no.' : null;
    case 'errors': {
      const known = errorTypes.map(({ id }) => id);
      const unknown = errors.filter((id) => !known.includes(id));
      if (unknown.length > 0)
        return `There is no error "${unknown[0]?.slice(0, 60)}"; there is: ${known.join(', ')}.`;
      if (!items.includes('correct')) return null;
      if (correct === true && errors.length > 0)
        return 'You say that the response is correct: name no error, or say that it is not.';
      return correct === false && errors.length === 0
        ? 'Name at least one error; "other" where it is none of these.'
        : null;
    }
    case 'comment':
      return (answers.comment?.length ?? 0) > LONGEST_COMMENT
        ? `At most ${LONGEST_COMMENT} characters.`
        : null;
  }
}

/** Answers that are complete and agree with themselves, in one form; else what is wrong, item by item. */
export function checkAnswers(
  study: Asked,
  answers: Answers,
): { ok: true; answers: Answers } | { ok: false; problems: AnswerProblem[] } {
  const problems = studyItems
    .filter((item) => study.items.includes(item))
    .flatMap((item): AnswerProblem[] => {
      const problem = problemAt(item, study, answers);
      return problem === null ? [] : [{ item, problem }];
    });
  return problems.length > 0 ? { ok: false, problems } : { ok: true, answers: plainAnswers(study, answers) };
}

/**
 * What became of an annotation. `outdated`: a newer one stands. `not-asked`: the annotator has no place in the study (any more).
 * `closed`, `unknown-study`: nothing is kept.
 */
export type AnnotateOutcome = 'kept' | 'unchanged' | 'outdated' | 'not-asked' | 'closed' | 'unknown-study';

/** Where studies are kept, with what annotators say. */
export interface StudyStore {
  /** Keeps a new study. `known` where one of that id is there: nothing is changed then. */
  addStudy(study: Study): Promise<'added' | 'known'>;
  study(id: string): Promise<Study | null>;
  /** All, oldest first. */
  studies(): Promise<StudyEntry[]>;
  /** Closes a study, or opens it again. `false` where there is none of that id. */
  closeStudy(id: string, closed: boolean): Promise<boolean>;
  /** Deletes a study with its annotations. `false` where there is none of that id. */
  removeStudy(id: string): Promise<boolean>;
  /** Keeps what an annotator says of a case. Idempotent; the newest `at` of a case wins; the same answers again change nothing. */
  annotate(annotation: Annotation): Promise<AnnotateOutcome>;
  /** By annotator and case; of one annotator where one is named. Those of different annotators may be of different moments. */
  annotations(studyId: string, annotator?: string): Promise<Annotation[]>;
}
