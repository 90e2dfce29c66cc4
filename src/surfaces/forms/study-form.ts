import { counted } from '../../common/text.ts';
import { type Answers, MAX_COMMENT } from '../../studies/annotation.ts';
import { type Study, type StudyItem, studyItems } from '../../studies/study.ts';
import { type FilledIn, type Form, type FormErrors, type FormField, readForm } from '../form.ts';

const LEVELS = [
  { id: '5', title: '5: valid' },
  { id: '4', title: '4: most likely valid' },
  { id: '3', title: '3: inconclusive' },
  { id: '2', title: '2: most likely invalid' },
  { id: '1', title: '1: invalid' },
];
const YES_NO = [
  { id: 'yes', title: 'Yes' },
  { id: 'no', title: 'No' },
];

/** Which case a form is about, in the annotator's order, and when it was shown, ms. */
export interface StudyFormAt {
  place: number;
  opened: number;
}

/**
 * The id of a field. Another one in each form that is shown: where a form is replaced, what was typed into a field of the same
 * id may be carried over.
 */
export const studyFieldId = (item: StudyItem, { place, opened }: StudyFormAt): string =>
  `${item}-${place}-${opened}`;

function fieldOf(
  item: StudyItem,
  id: string,
  { errorTypes }: Pick<Study, 'errorTypes'>,
  answers: Answers,
): FormField {
  switch (item) {
    case 'user':
    case 'system':
      return {
        kind: 'select',
        inline: true,
        id,
        label: item === 'user' ? 'User part: how valid is it?' : 'System part: how valid is it?',
        hint:
          item === 'user'
            ? 'Could a user say this, there and then?'
            : 'Could what it says about itself be true, whether or not it was asked for?',
        required: 'Rate it from 1 to 5.',
        choices: LEVELS,
        initial: answers[item]?.toString(),
      };
    case 'correct':
      return {
        kind: 'select',
        inline: true,
        id,
        label: 'Is the response correct?',
        required: 'Say yes or no.',
        choices: YES_NO,
        initial: answers.correct === undefined ? undefined : answers.correct ? 'yes' : 'no',
      };
    case 'errors':
      return {
        kind: 'multi-select',
        id,
        label: 'If not: which errors?',
        none: 'None',
        choices: errorTypes,
        initial: answers.errors,
      };
    case 'comment':
      return {
        kind: 'long-text',
        id,
        label: 'Comment',
        maxLength: MAX_COMMENT,
        initial: answers.comment,
      };
  }
}

/**
 * The questions about a case of a study; the case itself is shown above them.
 *
 * @param answers what was said of it before
 */
export const studyForm = (
  study: Pick<Study, 'cases' | 'items' | 'errorTypes'>,
  at: StudyFormAt,
  answers: Answers,
): Form => ({
  title: `Case ${at.place + 1} of ${study.cases.length}`,
  send: 'Send and continue',
  cancel: 'Stop here',
  parts: studyItems
    .filter((item) => study.items.includes(item))
    .map((item) => fieldOf(item, studyFieldId(item, at), study, answers)),
});

/** Reads {@link studyForm}; whether the answers agree with each other is for `annotateCase` to say. */
export function readStudyForm(
  study: Pick<Study, 'cases' | 'items' | 'errorTypes'>,
  at: StudyFormAt,
  filledIn: FilledIn,
): { answers: Answers } | { errors: FormErrors } {
  const read = readForm(studyForm(study, at, {}), filledIn);
  if ('errors' in read) return read;
  const { text, number, several } = read.values;
  const id = (item: StudyItem) => studyFieldId(item, at);
  const correct = text(id('correct'));
  const errors = several(id('errors'));
  return {
    answers: {
      user: number(id('user')),
      system: number(id('system')),
      correct: correct === undefined ? undefined : correct === 'yes',
      errors: errors.length === 0 ? undefined : [...errors],
      comment: text(id('comment')),
    },
  };
}

interface Progress {
  done: number;
  total: number;
}

/** How far an annotator is. */
export function studyStandText(closed: boolean, { done, total }: Progress): string {
  if (closed) return `The study is closed; ${done} of ${total} are done. Thank you.`;
  if (done >= total) return `All ${counted(total, 'case')} are done. Thank you!`;
  return done === 0
    ? `You are asked about ${counted(total, 'case')}, on your own: your answers are never shown under your name. Stop whenever you like; what you sent is kept.`
    : `${done} of ${total} are done.`;
}

/** What the button says that opens the next case. */
export const studyNextText = ({ done, total }: Progress): string =>
  done === 0 ? 'Start' : done >= total ? 'Look at my answers' : `Continue: case ${done + 1} of ${total}`;
