import { judgeName, type PersonaTexts } from '../../judging/card/index.ts';
import { type Rubric, titleIn } from '../../judging/standards/index.ts';
import { isExact, type Verdict } from '../../judging/verdict/index.ts';
import {
  answerWith,
  ballotOf,
  type CaseAnswer,
  Correction,
  isSilent,
  judgeKey,
  Remarks,
  readRight,
  rightText,
  type Said,
  subjectsOf,
  valueIn,
} from '../../labels/record/index.ts';
import { type Adjudication, type Ruling, voteOf } from '../../labels/voting/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
import { ballotChoices, outcomeText, type Standard } from '../wording/index.ts';
import {
  type Choice,
  type FilledIn,
  type Form,
  type FormErrors,
  type FormField,
  type FormPart,
  readForm,
} from './form.ts';

const ids = {
  right: 'right',
  role: 'role',
  score: 'score',
  criteria: 'criteria',
  errorType: 'error_type',
  judges: 'judges',
  comment: 'comment',
} as const;

const UNSURE = 'unsure';
const LONGEST_COMMENT = 3_000;

export interface CorrectionInput {
  verdict: Verdict;
  /** For its error types; null if the rubric no longer exists. */
  rubric: FormRubric | null;
  texts: PersonaTexts;
  /** What the rubric asks of the case. */
  standard: Standard;
  /** The voter's earlier vote, if there is one. */
  said?: Said | undefined;
  /** The current answer of a voter who first answered before seeing the verdict. */
  answer?: CaseAnswer | undefined;
}

/** The judges that a vote can name, each once. */
function judgeChoices(verdict: Verdict, texts: PersonaTexts): Choice[] {
  const subjectIds = new Set(subjectsOf(verdict).map(({ id }) => id));
  const judges = verdict.judgements.map(({ judge }) => ({ ...judge, sample: 0 }));
  const byKey = new Map(judges.map((judge) => [judgeKey(judge), judge]));
  return [...byKey]
    .filter(([key]) => subjectIds.has(key))
    .map(([id, judge]) => ({ id, title: judgeName({ judge }, judges, texts) }));
}

/** Asks which of two answers, which score or which decision is right. */
function rightQuestion({ preference }: Verdict, asksScore: boolean, language: Language) {
  const words = wordsIn(language).forms.correction;
  if (preference !== undefined) {
    const [first, second] = preference.names;
    const choices = [
      { id: '-1', title: first },
      { id: '1', title: second },
      { id: '0', title: words.neither },
    ];
    return { kind: 'select' as const, label: words.whichAnswer, choices };
  }
  if (asksScore) return { kind: 'number' as const, label: words.whichScore };
  const choices = [
    { id: 'pass', title: words.pass },
    { id: 'fail', title: words.fail },
  ];
  return { kind: 'select' as const, label: words.whichDecision, choices };
}

const notSure = (language: Language): Choice => ({
  id: UNSURE,
  title: wordsIn(language).forms.correction.notSure,
});

const answerId = (answer: CaseAnswer): string => (answer.kind === 'unsure' ? UNSURE : rightText(answer));

/** Asks what is right if the panel did not decide. The answer is the whole vote, so nothing is preselected. */
function answerField({ verdict, standard, texts, said, answer }: CorrectionInput): FormPart {
  const { kind, label, ...question } = rightQuestion(
    verdict,
    ballotOf(verdict).kind === 'score',
    texts.language,
  );
  const levels = ballotChoices(verdict, standard, texts.language)
    .filter((one) => one.answer.kind === 'score')
    .map((one): Choice => ({ id: answerId(one.answer), title: one.text }));
  const before = answer ?? (said !== undefined && 'right' in said ? said.right : undefined);
  return {
    kind: 'select',
    id: ids.right,
    label,
    choices: [...('choices' in question ? question.choices : levels), notSure(texts.language)],
    required: wordsIn(texts.language).forms.correction.required,
    initial: before === undefined ? undefined : answerId(before),
  };
}

/** Asks what is right. Voters who answered before seeing the verdict give the same kind of answer again (decision or score). */
function rightField(input: CorrectionInput): FormPart {
  const { verdict, texts, said: vote, answer } = input;
  const words = wordsIn(texts.language).forms.correction;
  if (verdict.decision === 'undecided') return answerField(input);
  const correction = vote !== undefined && 'value' in vote ? vote.correction : undefined;
  const isScored = answer === undefined ? verdict.decision === 'scored' : ballotOf(verdict).kind === 'score';
  const question = rightQuestion(verdict, isScored, texts.language);
  if (verdict.preference !== undefined || question.kind === 'number') {
    const score = answer?.kind === 'score' ? answer.score : correction?.score;
    const initial = score === undefined ? undefined : String(score);
    return {
      ...question,
      id: ids.score,
      initial,
      ...(question.kind === 'select' && { none: words.notSaid }),
    };
  }
  const answered = answer?.kind === 'decision' ? answer.decision : answer?.kind;
  const opposite = verdict.decision === 'pass' ? 'fail' : verdict.decision === 'fail' ? 'pass' : undefined;
  return {
    ...question,
    id: ids.right,
    choices: [...question.choices, notSure(texts.language)],
    initial: answered ?? correction?.decision ?? opposite ?? UNSURE,
  };
}

/** What a form needs of a rubric: its error types, and titles in other languages. */
type FormRubric = Pick<Rubric, 'errorTypes'> & Partial<Pick<Rubric, 'criteria'>>;

/** The verdict's criteria with their titles in a language. */
function criteriaIn(
  { criteria }: Verdict,
  rubric: FormRubric | null,
  language: Language,
): Verdict['criteria'] {
  const known = new Map(rubric?.criteria?.map((one) => [one.id, one]));
  return criteria.map((one) => ({
    ...one,
    title: titleIn({ ...known.get(one.id), title: one.title }, language),
  }));
}

const criterionChoices = (criteria: Verdict['criteria']): Choice[] =>
  criteria.map(({ id, title }) => ({ id, title }));

type ListField = Extract<FormField, { choices: readonly Choice[] }>;

/** Asks for the kind of error: a criterion or one of the rubric's error types. */
function errorField(
  verdict: Verdict,
  rubric: CorrectionInput['rubric'],
  initial: string | undefined,
  language: Language,
): ListField {
  const words = wordsIn(language).forms.correction;
  const criteria = criterionChoices(criteriaIn(verdict, rubric, language));
  const ofRubric = (rubric?.errorTypes ?? []).filter(({ id }) => criteria.every((one) => one.id !== id));
  return {
    kind: 'select',
    id: ids.errorType,
    label: words.wrong,
    none: words.wrongNone,
    choices:
      verdict.preference === undefined
        ? [...criteria, ...ofRubric.map((one) => ({ id: one.id, title: titleIn(one, language) }))]
        : [],
    initial,
  };
}

const commentField = (label: string, initial: string | undefined): FormField => ({
  kind: 'long-text',
  id: ids.comment,
  label,
  maxLength: LONGEST_COMMENT,
  initial,
});

/**
 * The form for voters who disagree. Their vote already counts, so every field is optional. If the panel did not decide, the form
 * asks for the vote itself.
 */
export function correctionForm(input: CorrectionInput): Form {
  const { verdict, rubric, texts, said, answer } = input;
  const { correction } = said ?? {};
  const { correction: words, ...forms } = wordsIn(texts.language).forms;
  const isOpen = verdict.decision === 'undecided' && answer === undefined;
  const lists: ListField[] = [
    {
      kind: 'multi-select',
      id: ids.criteria,
      label: words.criteria,
      none: words.noneInParticular,
      // Only criteria with a finding can be wrong.
      choices: criterionChoices(
        criteriaIn(verdict, rubric, texts.language).filter(
          (one) => !isSilent(one) && one.decision !== 'not-judged',
        ),
      ),
      initial: correction?.criteria,
    },
    errorField(verdict, rubric, correction?.errorType, texts.language),
    {
      kind: 'multi-select',
      id: ids.judges,
      label: words.judges,
      none: words.noneInParticular,
      // The exact checks are the same for every judge.
      choices: isExact(verdict) ? [] : judgeChoices(verdict, texts),
      initial: correction?.judges,
    },
  ];
  return {
    title: words.title,
    send: forms.send,
    cancel: isOpen ? forms.cancel : forms.skip,
    parts: [
      { kind: 'paragraph', text: outcomeText(verdict, 600, texts.language) },
      {
        kind: 'note',
        text: isOpen ? words.open : words.counted,
      },
      rightField(input),
      ...lists.filter(({ choices }) => choices.length > 0),
      commentField(words.comment, correction?.comment),
    ],
  };
}

/**
 * Reads {@link correctionForm}. The answer sets the vote: "not sure" makes it unsure, and the panel's own decision makes it
 * agree.
 *
 * @param form the form as shown
 */
export function readCorrectionForm(
  form: Form,
  filledIn: FilledIn,
  verdict: Verdict,
): { said: Said } | { errors: FormErrors } {
  const read = readForm(form, filledIn);
  if ('errors' in read) return read;
  const { text, number, several } = read.values;
  const right = text(ids.right);
  const score = number(ids.score);
  const remarks = Remarks.parse({
    criteria: several(ids.criteria),
    errorType: text(ids.errorType),
    judges: several(ids.judges),
    comment: text(ids.comment),
  });
  if (verdict.decision === 'undecided') {
    const answer =
      right === UNSURE ? { right: { kind: 'unsure' as const } } : readRight(right ?? '', verdict);
    if ('problem' in answer) return { errors: { [ids.right]: answer.problem } };
    return { said: answerWith(answer.right, remarks) };
  }
  const correction = Correction.parse({ decision: right === UNSURE ? undefined : right, score, ...remarks });
  const preferred =
    verdict.preference === undefined || score === undefined
      ? null
      : valueIn(voteOf({ kind: 'score', score }, verdict));
  if (preferred !== null) return { said: { value: preferred, correction } };
  const value = right === UNSURE ? 'unsure' : right === verdict.decision ? 'agree' : 'disagree';
  return { said: { value, correction } };
}

/** The form for a ruling, which overrides all votes. @param before the current ruling */
export function rulingForm(
  verdict: Verdict,
  rubric: FormRubric | null,
  before: Adjudication | null,
  language: Language,
): Form {
  const { forms, manage } = wordsIn(language);
  const words = manage.ruling;
  const errors = errorField(verdict, rubric, before?.errorType, language);
  return {
    title: before === null ? words.title : words.change,
    send: words.send,
    cancel: forms.cancel,
    parts: [
      {
        kind: 'note',
        text: words.note,
      },
      {
        ...rightQuestion(verdict, ballotOf(verdict).kind === 'score', language),
        id: ids.right,
        required: words.rightRequired,
        initial: before === null ? undefined : rightText(before.right),
      },
      {
        kind: 'text',
        id: ids.role,
        label: words.as,
        hint: words.asHint,
        required: words.asRequired,
        maxLength: 60,
        initial: before?.role,
      },
      ...(errors.choices.length === 0 ? [] : [errors]),
      commentField(words.comment, before?.comment),
    ],
  };
}

/** The form that makes a verdict's case one with a known answer. @param ruling the current ruling */
export const knownAnswerForm = (verdict: Verdict, ruling: Adjudication | null, language: Language): Form => ({
  title: wordsIn(language).manage.knownAnswer.title,
  send: wordsIn(language).forms.add,
  cancel: wordsIn(language).forms.cancel,
  parts: [
    {
      kind: 'note',
      text: wordsIn(language).manage.knownAnswer.note,
    },
    {
      ...rightQuestion(verdict, ballotOf(verdict).kind === 'score', language),
      id: ids.right,
      required: wordsIn(language).manage.ruling.rightRequired,
      initial: ruling === null ? undefined : rightText(ruling.right),
    },
  ],
});

/** Reads {@link knownAnswerForm}; `right` as typed. */
export function readKnownAnswer(form: Form, filledIn: FilledIn): { right: string } | { errors: FormErrors } {
  const read = readForm(form, filledIn);
  if ('errors' in read) return read;
  const { text, number } = read.values;
  const isNumber = form.parts.some((part) => part.kind === 'number');
  return { right: String((isNumber ? number(ids.right) : text(ids.right)) ?? '') };
}

/** Reads {@link rulingForm}. @param form the form as shown */
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

/** The field for errors that {@link readRulingForm} cannot find. */
export const RIGHT = ids.right;
