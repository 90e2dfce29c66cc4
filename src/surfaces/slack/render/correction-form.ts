import type { KnownBlock, ModalView } from '@slack/types';
import * as z from 'zod';
import { type CardTexts, judgeName } from '../../../judging/card.ts';
import type { Rubric } from '../../../judging/rubric.ts';
import type { Verdict } from '../../../judging/verdict.ts';
import { ballotOf } from '../../../labels/blind-vote.ts';
import type { VerdictRecord } from '../../../labels/verdict-record.ts';
import { type BlindAnswer, Correction, judgeKey, subjectsOf, type VoteValue } from '../../../labels/vote.ts';
import { oneLine, shortened } from '../../safe-text.ts';
import { callbacks } from '../ids.ts';
import { context, limits, paragraph, plain, plainLines, words } from './blocks.ts';
import { readState } from './form-state.ts';
import { type Choice, multiSelectInput, named, selectInput } from './options.ts';

export const CorrectionMetadata = z.strictObject({ verdict: z.string() });

const blocks = {
  right: 'right',
  score: 'score',
  criteria: 'criteria',
  errorType: 'error_type',
  judges: 'judges',
  comment: 'comment',
} as const;

const UNSURE = 'unsure';

interface CorrectionInput {
  record: Pick<VerdictRecord, 'id' | 'verdict'>;
  /** The rubric, where it is still there: for its kinds of error. */
  rubric: Pick<Rubric, 'errorTypes'> | null;
  texts: CardTexts;
  /** What the voter said before, when they come back. */
  correction?: Correction;
  /** What the voter says by now who answered before the verdict was shown to them. */
  answer?: BlindAnswer;
}

/** Judges that a vote can speak about, each once. */
function judgeChoices(verdict: Verdict, texts: CardTexts): Choice[] {
  const known = new Set(subjectsOf(verdict).map(({ id }) => id));
  const judges = verdict.judgements.map(({ judge }) => ({ ...judge, sample: 0 }));
  const byKey = new Map(judges.map((judge) => [judgeKey(judge), judge]));
  return [...byKey]
    .filter(([key]) => known.has(key))
    .map(([id, judge]) => ({ id, title: judgeName({ judge }, judges, texts) }));
}

/** @param answer of a blind voter, who is asked again for what they were asked for */
function rightInput(
  verdict: Verdict,
  correction: Correction | undefined,
  answer: BlindAnswer | undefined,
): KnownBlock[] {
  const score = answer?.kind === 'score' ? answer.score : correction?.score;
  if (answer === undefined ? verdict.decision === 'scored' : ballotOf(verdict).kind === 'score')
    return [
      {
        type: 'input',
        block_id: blocks.score,
        optional: true,
        label: plain('Which score is right?', limits.inputLabel),
        element: {
          type: 'number_input',
          action_id: blocks.score,
          is_decimal_allowed: true,
          ...(score === undefined ? {} : { initial_value: String(score) }),
        },
      },
    ];
  const said = answer?.kind === 'decision' ? answer.decision : answer?.kind;
  const opposite = verdict.decision === 'pass' ? 'fail' : verdict.decision === 'fail' ? 'pass' : undefined;
  return [
    selectInput({
      id: blocks.right,
      label: 'Which decision is right?',
      choices: [
        { id: 'pass', title: 'Pass: the response holds up' },
        { id: 'fail', title: 'Fail: it does not' },
        { id: UNSURE, title: 'I am not sure' },
      ],
      chosen: said ?? correction?.decision ?? opposite ?? UNSURE,
    }),
  ];
}

/** What somebody who disagrees can add. Their vote counts already; nothing here has to be filled in. */
export function correctionForm({ record, rubric, texts, correction, answer }: CorrectionInput): ModalView {
  const { verdict, id } = record;
  const criteria = verdict.criteria.map((criterion) => ({ id: criterion.id, title: criterion.title }));
  const own = (rubric?.errorTypes ?? []).filter((type) => !criteria.some((other) => other.id === type.id));
  const kinds = [...criteria, ...own.map((type) => ({ id: type.id, title: type.title }))];
  const judges = judgeChoices(verdict, texts);
  return {
    type: 'modal',
    callback_id: callbacks.correctionForm,
    title: plain('What is right?', limits.viewTitle),
    submit: plain('Send', limits.viewButton),
    close: plain('Skip', limits.viewButton),
    private_metadata: JSON.stringify({ verdict: id } satisfies z.infer<typeof CorrectionMetadata>),
    blocks: [
      paragraph(words(`The panel said ${verdict.decision}: ${shortened(oneLine(verdict.why), 600)}`)),
      context(
        'Your vote counts already. What you add here says which judges can be trusted; all of it is optional.',
      ),
      ...rightInput(verdict, correction, answer),
      ...(criteria.length === 0
        ? []
        : [
            multiSelectInput({
              id: blocks.criteria,
              label: 'Which criteria did the panel get wrong?',
              none: 'None in particular',
              choices: criteria,
              chosen: correction?.criteria ?? [],
            }),
          ]),
      ...(kinds.length === 0
        ? []
        : [
            selectInput({
              id: blocks.errorType,
              label: 'What is wrong with the response?',
              none: 'Nothing, or nothing of this list',
              choices: kinds,
              chosen: correction?.errorType,
            }),
          ]),
      ...(judges.length === 0
        ? []
        : [
            multiSelectInput({
              id: blocks.judges,
              label: 'Which judges were wrong?',
              none: 'None in particular',
              choices: judges,
              chosen: correction?.judges ?? [],
            }),
          ]),
      {
        type: 'input',
        block_id: blocks.comment,
        optional: true,
        label: plain('Comment', limits.inputLabel),
        element: {
          type: 'plain_text_input',
          action_id: blocks.comment,
          multiline: true,
          max_length: limits.inputText,
          ...(correction?.comment === undefined
            ? {}
            : { initial_value: plainLines(correction.comment, limits.inputText).text }),
        },
      },
    ],
  };
}

/**
 * Reads the submitted form: the vote that it makes, and what was added. Somebody who finds that they are not sure votes so;
 * somebody who finds the decision right after all agrees with it.
 *
 * @param state `view.state`
 * @param decided what the panel decided
 */
export function readCorrection(
  state: unknown,
  decided: Verdict['decision'],
): { value: VoteValue; correction: Correction } {
  const filled = readState(state);
  const right = filled.one(blocks.right);
  const score = filled.text(blocks.score);
  const errorType = named(filled.one(blocks.errorType));
  const comment = filled.text(blocks.comment);
  const correction = Correction.parse({
    ...(right === 'pass' || right === 'fail' ? { decision: right } : {}),
    ...(score === undefined || !Number.isFinite(Number(score)) ? {} : { score: Number(score) }),
    criteria: filled.several(blocks.criteria),
    ...(errorType === undefined ? {} : { errorType }),
    judges: filled.several(blocks.judges),
    ...(comment === undefined ? {} : { comment }),
  });
  if (right === UNSURE) return { value: 'unsure', correction };
  return { value: right === decided ? 'agree' : 'disagree', correction };
}
