import type { Answers } from '../../studies/annotation.ts';
import { type Study, type StudyItem, studyItems } from '../../studies/study.ts';

/** One question about a case. */
export interface StudyQuestion {
  item: StudyItem;
  text: string;
  /** What a line says, or what is wrong with it. */
  read: (line: string) => { answers: Answers } | { problem: string };
  /** Whether it is asked at all, given what was said so far. */
  applies: (answers: Answers) => boolean;
}

const LEVELS = '1 invalid, 2 most likely invalid, 3 inconclusive, 4 most likely valid, 5 valid';
const YES = new Set(['y', 'yes', 'j', 'ja']);
const NO = new Set(['n', 'no', 'nein']);

type Asked = Pick<Study, 'items' | 'errorTypes'>;

const rating =
  (item: 'user' | 'system') =>
  (line: string): ReturnType<StudyQuestion['read']> =>
    /^[1-5]$/.test(line) ? { answers: { [item]: Number(line) } } : { problem: 'Type a number from 1 to 5.' };

function readCorrect(line: string): ReturnType<StudyQuestion['read']> {
  const word = line.toLowerCase();
  if (YES.has(word)) return { answers: { correct: true } };
  return NO.has(word) ? { answers: { correct: false } } : { problem: 'Type y or n.' };
}

/** Numbers of the list, or ids, with commas or spaces between them. */
const readErrors =
  ({ errorTypes }: Asked) =>
  (line: string): ReturnType<StudyQuestion['read']> => {
    const words = line
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter((word) => word !== '');
    const ids = words.map((word) => {
      const known = errorTypes.find(({ id }) => id === word);
      return known?.id ?? (/^\d{1,4}$/.test(word) ? errorTypes[Number(word) - 1]?.id : undefined);
    });
    const found = ids.filter((id) => id !== undefined);
    return found.length === ids.length
      ? { answers: { errors: found } }
      : { problem: `Type numbers from 1 to ${errorTypes.length}, with commas between them.` };
  };

const wordsOf = (study: Asked): Record<StudyItem, Omit<StudyQuestion, 'item'>> => ({
  user: { text: `User part, how valid? ${LEVELS}`, read: rating('user'), applies: () => true },
  system: { text: `System part, how valid? ${LEVELS}`, read: rating('system'), applies: () => true },
  correct: { text: 'Is the response correct? y or n', read: readCorrect, applies: () => true },
  errors: {
    text: `Which errors? ${study.errorTypes.map(({ title }, index) => `${index + 1} ${title}`).join(', ')}`,
    read: readErrors(study),
    applies: ({ correct }) => correct !== true,
  },
  comment: {
    text: 'Comment? Enter for none',
    read: (line) => ({ answers: line === '' ? {} : { comment: line } }),
    applies: () => true,
  },
});

/** What is asked about each case, in its order. */
export function studyQuestions(study: Asked): StudyQuestion[] {
  const words = wordsOf(study);
  return studyItems.filter((item) => study.items.includes(item)).map((item) => ({ item, ...words[item] }));
}
