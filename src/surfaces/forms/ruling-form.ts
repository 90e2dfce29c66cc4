import type { Rubric } from '../../judging/rubric.ts';
import type { Verdict } from '../../judging/verdict.ts';
import type { Adjudication, Ruling } from '../../labels/adjudication.ts';
import { ballotOf } from '../../labels/blind-vote.ts';
import { rightText } from '../../labels/vote.ts';
import { type FilledIn, type Form, type FormErrors, type FormPart, readForm } from '../form.ts';
import { errorChoices } from './correction-form.ts';

const ids = { right: 'right', role: 'role', errorType: 'error_type', comment: 'comment' } as const;

/** What is right, as `readRight` reads it. */
function rightField(verdict: Verdict, before: Adjudication | null): FormPart {
  const { preference } = verdict;
  const initial = before === null ? undefined : rightText(before.right);
  const field = { id: ids.right, required: 'Say what is right.' };
  if (preference === undefined && ballotOf(verdict).kind === 'score')
    return { ...field, kind: 'number', label: 'Which score is right?', initial };
  const [first, second] = preference?.names ?? [];
  const choices =
    preference === undefined
      ? [
          { id: 'pass', title: 'Pass: the response holds up' },
          { id: 'fail', title: 'Fail: it does not' },
        ]
      : [
          { id: '-1', title: first ?? 'A' },
          { id: '1', title: second ?? 'B' },
          { id: '0', title: 'Neither: they are as good' },
        ];
  const label = preference === undefined ? 'Which decision is right?' : 'Which answer is better?';
  return { ...field, kind: 'select', label, choices, initial };
}

/** Settles what is right, above all votes. @param before the ruling that stands */
export function rulingForm(
  verdict: Verdict,
  rubric: Pick<Rubric, 'errorTypes'> | null,
  before: Adjudication | null,
): Form {
  const errors = errorChoices(verdict, rubric);
  return {
    title: before === null ? 'Rule on this verdict' : 'Change the ruling',
    send: 'Rule',
    cancel: 'Cancel',
    parts: [
      {
        kind: 'note',
        text: 'A ruling stands above all votes: it is the label. The audit log keeps who made it, and a line in the conversation says that there is one.',
      },
      rightField(verdict, before),
      {
        kind: 'text',
        id: ids.role,
        label: 'You rule as',
        hint: 'A role, such as safety lead. It is shown in place of your name.',
        required: 'Name your role.',
        maxLength: 60,
        initial: before?.role,
      },
      ...(errors.length === 0
        ? []
        : [
            {
              kind: 'select' as const,
              id: ids.errorType,
              label: 'What is wrong with the response?',
              none: 'Nothing, or nothing on this list',
              choices: errors,
              initial: before?.errorType,
            },
          ]),
      { kind: 'long-text', id: ids.comment, label: 'Note', maxLength: 3_000, initial: before?.comment },
    ],
  };
}

/** Reads the form. @param form the form that was shown */
export function readRulingForm(form: Form, filledIn: FilledIn): { ruling: Ruling } | { errors: FormErrors } {
  const read = readForm(form, filledIn);
  if ('errors' in read) return read;
  const { text, number } = read.values;
  const errorType = text(ids.errorType);
  const comment = text(ids.comment);
  const right = form.parts.some((part) => part.kind === 'number') ? number(ids.right) : text(ids.right);
  return {
    ruling: {
      right: String(right ?? ''),
      role: text(ids.role) ?? '',
      ...(errorType === undefined ? {} : { errorType }),
      ...(comment === undefined ? {} : { comment }),
    },
  };
}

/** The field that something is said at that {@link readRulingForm} cannot know. */
export const RIGHT = ids.right;
