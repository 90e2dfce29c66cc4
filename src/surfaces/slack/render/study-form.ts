import type { KnownBlock, ModalView } from '@slack/types';
import * as z from 'zod';
import { type Answers, LONGEST_COMMENT } from '../../../studies/annotation.ts';
import { type Study, type StudyCase, type StudyItem, studyItems } from '../../../studies/study.ts';
import { actions, callbacks } from '../ids.ts';
import {
  button,
  buttonRow,
  context,
  limits,
  pagesOf,
  paragraph,
  plain,
  plainLines,
  words,
} from './blocks.ts';
import { readState } from './form-state.ts';
import { multiSelectInput, radioInput } from './options.ts';
import { standardBlocks, studyCaseBlocks } from './study-case.ts';
import { studyValue } from './study-message.ts';

/** Which case of which study a form is about. Slack shows it to nobody; it names no case and no label. */
export const StudyFormMetadata = z.strictObject({
  study: z.string(),
  at: z.number(),
  /** Where in the annotator's order. */
  place: z.int().min(0),
  /** When it was shown, ms: the time of what is sent with it, whenever and however often that arrives. */
  opened: z.number(),
  /** The message that shows how far the annotator is, where it is known. */
  message: z.strictObject({ channel: z.string(), ts: z.string() }).nullable(),
});
export type StudyFormMetadata = z.infer<typeof StudyFormMetadata>;

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

/**
 * The id of an input. Another one in each form that is shown: where a view is replaced Slack keeps what was typed into an input
 * of the same id.
 */
export const studyInput = (
  item: StudyItem,
  { place, opened }: Pick<StudyFormMetadata, 'place' | 'opened'>,
): string => `${item}-${place}-${opened}`;

function inputOf(item: StudyItem, id: string, { errorTypes }: Study, answers: Answers): KnownBlock {
  switch (item) {
    case 'user':
    case 'system': {
      const label = item === 'user' ? 'User part: how valid is it?' : 'System part: how valid is it?';
      const hint =
        item === 'user'
          ? 'Whether somebody could ask this, there and then.'
          : 'Whether what it says of itself could be so, be it what was asked for or not.';
      return radioInput({ id, label, hint, choices: LEVELS, chosen: answers[item]?.toString() });
    }
    case 'correct': {
      const { correct } = answers;
      return radioInput({
        id,
        label: 'Is the response correct?',
        choices: YES_NO,
        chosen: correct === undefined ? undefined : correct ? 'yes' : 'no',
      });
    }
    case 'errors':
      return multiSelectInput({
        id,
        label: 'If not: which errors?',
        none: 'None',
        choices: errorTypes,
        chosen: answers.errors ?? [],
      });
    case 'comment':
      return {
        type: 'input',
        block_id: id,
        optional: true,
        label: plain('Comment', limits.inputLabel),
        element: {
          type: 'plain_text_input',
          action_id: id,
          multiline: true,
          max_length: Math.min(limits.inputText, LONGEST_COMMENT),
          ...(answers.comment === undefined
            ? {}
            : { initial_value: plainLines(answers.comment, limits.inputText).text }),
        },
      };
  }
}

/** Blocks and text that are left to the case: the inputs and lists of errors take the rest. */
const CASE_BLOCKS = 80;
const CASE_TEXT = 8_000;

const WHOLE = 'Whole case and guide';

const moreText = (more: number, of: string): string =>
  `${more} more part${more === 1 ? '' : 's'} of ${of}: open “${WHOLE}”.`;

/** The guide as it stands above the first case. */
function guideBlocks(study: Study): KnownBlock[] {
  const [first = [], ...others] = pagesOf(standardBlocks(study), { blocks: 10, text: 2_500 });
  const more = others.flat().length;
  return more === 0 ? first : [...first, context(moreText(more, 'the guide'))];
}

interface StudyFormInput {
  study: Study;
  shown: StudyCase;
  metadata: StudyFormMetadata;
  /** What was said of it before. */
  answers: Answers;
  /** How many cases the annotator is done with. */
  done: number;
}

/** A case with its questions. What is too long is cut between blocks, and the whole of it is one click away. */
export function studyForm({ study, shown, metadata, answers, done }: StudyFormInput): ModalView {
  const { place } = metadata;
  const total = study.cases.length;
  const pages = pagesOf(studyCaseBlocks(shown), { blocks: CASE_BLOCKS, text: CASE_TEXT });
  const more = pages.slice(1).flat().length;
  const value = `${studyValue(study)} ${place}`;
  const back = button({ text: '← Case before', action: actions.studyBack, value });
  const whole = button({ text: WHOLE, action: actions.studyCase, value });
  const guide = done === 0 && place === 0 ? guideBlocks(study) : [];
  return {
    type: 'modal',
    callback_id: callbacks.studyForm,
    title: plain(`Case ${place + 1} of ${total}`, limits.viewTitle),
    submit: plain('Send and go on', limits.viewButton),
    close: plain('Stop here', limits.viewButton),
    private_metadata: JSON.stringify(metadata satisfies StudyFormMetadata),
    blocks: [
      context(`${done} of ${total} done. What you send is kept; stop whenever you like.`),
      ...guide,
      ...(pages[0] ?? []),
      ...(more === 0 ? [] : [context(moreText(more, 'this case'))]),
      buttonRow(...(place === 0 ? [] : [back]), whole),
      ...studyItems
        .filter((item) => study.items.includes(item))
        .map((item) => inputOf(item, studyInput(item, metadata), study, answers)),
    ],
  };
}

/** What stands instead of a form. */
export const studyNotice = (text: string, more: KnownBlock[] = []): ModalView => ({
  type: 'modal',
  title: plain('Study', limits.viewTitle),
  close: plain('Close', limits.viewButton),
  blocks: [paragraph(words(text)), ...more],
});

/** When nothing is left to ask; answers can still be changed. @param metadata of the form that would come next */
export const studyDone = (study: Study, metadata: StudyFormMetadata): ModalView => ({
  ...studyNotice(`All ${study.cases.length} cases of “${study.name}” are done. Thank you!`, [
    buttonRow(
      button({
        text: '← Change my answers',
        action: actions.studyBack,
        value: `${studyValue(study)} ${metadata.place}`,
      }),
    ),
  ]),
  private_metadata: JSON.stringify(metadata),
});

/** Reads the submitted form. @param state `view.state` */
export function readStudyForm(state: unknown, metadata: StudyFormMetadata): Answers {
  const filled = readState(state);
  const id = (item: StudyItem) => studyInput(item, metadata);
  const user = filled.one(id('user'));
  const system = filled.one(id('system'));
  const correct = filled.one(id('correct'));
  const errors = filled.several(id('errors'));
  const comment = filled.text(id('comment'));
  return {
    ...(user === undefined ? {} : { user: Number(user) }),
    ...(system === undefined ? {} : { system: Number(system) }),
    ...(correct === undefined ? {} : { correct: correct === 'yes' }),
    ...(errors.length === 0 ? {} : { errors }),
    ...(comment === undefined ? {} : { comment }),
  };
}
