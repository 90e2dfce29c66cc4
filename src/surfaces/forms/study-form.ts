import { counted } from '../../common/text.ts';
import { type Answers, answersOf, type Question, questionsOf, saidTo } from '../../studies/questions.ts';
import { type FilledIn, type Form, type FormErrors, type FormField, readForm } from '../form.ts';

/** Which case a form is about, in the annotator's order, and when it was shown, ms. */
export interface StudyFormAt {
  place: number;
  opened: number;
}

/**
 * The id of a field. Another one in each form that is shown: where a form is replaced, what was typed into a field of the same
 * id may be carried over.
 */
export const studyFieldId = (question: string, { place, opened }: StudyFormAt): string =>
  `${question}-${place}-${opened}`;

const textOf = (said: ReturnType<typeof saidTo>): string | undefined =>
  typeof said === 'string' ? said : undefined;

/** A question as a field of a form, with what was said before. */
export function fieldOf({ id, label, hint, answer }: Question, fieldId: string, answers: Answers): FormField {
  const said = saidTo(answers, id);
  const base = { id: fieldId, label, ...(hint === undefined ? {} : { hint }) };
  switch (answer.kind) {
    case 'one': {
      const { choices, required } = answer;
      return {
        kind: 'select',
        ...base,
        inline: choices.length <= 6,
        required,
        choices,
        initial: textOf(said),
      };
    }
    case 'number': {
      const { min, max } = answer;
      return {
        kind: 'number',
        ...base,
        min,
        max,
        initial: Number.isFinite(Number(said)) ? textOf(said) : undefined,
      };
    }
    case 'several':
      return {
        kind: 'multi-select',
        ...base,
        none: 'None',
        choices: answer.choices,
        initial: [said ?? []].flat(),
      };
    case 'text':
      return { kind: 'long-text', ...base, maxLength: answer.maxLength, initial: textOf(said) };
  }
}

type Asked = Parameters<typeof questionsOf>[0];

/**
 * The questions about a case of a study; the case itself is shown above them.
 *
 * @param index of the case in the study
 * @param answers what was said of it before
 */
export const studyForm = (study: Asked, index: number, at: StudyFormAt, answers: Answers): Form => ({
  title: `Case ${at.place + 1} of ${study.cases.length}`,
  send: 'Send and continue',
  cancel: 'Stop here',
  parts: questionsOf(study, index).map((question) =>
    fieldOf(question, studyFieldId(question.id, at), answers),
  ),
});

/** Reads {@link studyForm}; whether the answers agree with each other is for `annotateCase` to say. */
export function readStudyForm(
  study: Asked,
  index: number,
  at: StudyFormAt,
  filledIn: FilledIn,
): { answers: Answers } | { errors: FormErrors } {
  const read = readForm(studyForm(study, index, at, {}), filledIn);
  if ('errors' in read) return read;
  const { text, several } = read.values;
  const questions = questionsOf(study, index);
  const values = questions.map(({ id, answer }) => {
    const field = studyFieldId(id, at);
    return [id, answer.kind === 'several' ? several(field) : text(field)] as const;
  });
  return { answers: answersOf(questions, Object.fromEntries(values)) };
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
