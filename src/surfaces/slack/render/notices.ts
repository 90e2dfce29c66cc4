import type { RichTextElement } from '@slack/types';
import type { CaseFormat } from '../../../case/case-format.ts';
import type { Understood } from '../../../case/paste/draft.ts';
import type { VerdictRecord } from '../../../labels/verdict-record.ts';
import { checkedExamples, firstPaste, modelExamples } from '../../examples.ts';
import { describeField, titleOfKey } from '../../forms/case-fields.ts';
import { oneLine, safeText, shortened } from '../../safe-text.ts';
import { actions, command } from '../ids.ts';
import {
  bold,
  bullets,
  button,
  buttonRow,
  italic,
  message,
  paragraph,
  rich,
  type SlackMessage,
  section,
  words,
} from './blocks.ts';

/** Something went wrong; `what` says what to do about it. */
export const errorMessage = (what: string): SlackMessage =>
  message(what, [paragraph(words(`⚠️ ${shortened(safeText(what), 2_000)}`))]);

/**
 * For the person who asked, in private, when nothing can be shown where they asked.
 *
 * @param wasShown whether part of it was shown there before
 * @param record the verdict, where there is one
 */
export function unshowableMessage(
  wasShown: boolean,
  record: Pick<VerdictRecord, 'id' | 'verdict' | 'blind'> | null,
): SlackMessage {
  if (record?.blind === true) {
    const text =
      'Your verdict is ready, but I cannot post it: its message was deleted, or I no longer have access. Answer first, and you will see it.';
    return message(text, [
      paragraph(words(`⚠️ ${text}`)),
      buttonRow(button({ text: 'Open the case', action: actions.details, value: record.id })),
    ]);
  }
  if (record !== null) {
    const text = `Your verdict is ${record.verdict.decision}, but I cannot show its card: its message was deleted, or I no longer have access.`;
    return message(text, [
      paragraph(words(`⚠️ ${text}`)),
      buttonRow(button({ text: 'Details', action: actions.details, value: record.id })),
    ]);
  }
  return errorMessage(
    wasShown
      ? 'I cannot show the answer: its message was deleted, or I no longer have access. Ask again, or paste the case here.'
      : 'I cannot post in that conversation. Invite me there with /invite and ask again, or paste the case here.',
  );
}

/** The daily budget is spent. */
export function budgetMessage({ limitUsd }: { limitUsd: number }): SlackMessage {
  const text = `The daily budget of $${limitUsd.toFixed(2)} for model calls is used up, so no judge was asked. It resets at 00:00 UTC. To raise it, set JURY_DAILY_BUDGET_USD.`;
  return message(text, [paragraph(words(`💸 ${text}`))]);
}

/** What the app does and how to use it, for a first contact or a message without a paste. */
export function welcomeMessage(): SlackMessage {
  const text =
    'Paste what a user said and what your system answered, and a panel of judges decides whether the answer holds up.';
  return message(text, [
    paragraph(bold('Hi, I am Jury. '), words(text)),
    rich(
      section(bold('Try this')),
      { type: 'rich_text_preformatted', elements: [{ type: 'text', text: firstPaste }] },
      section(bold('Ways to ask')),
      ...bullets([
        words(
          'Mention me with a paste in a channel. In a thread, just mention me, and I judge the messages above.',
        ),
        words('Choose “Ask the jury” from the menu of a message.'),
        words(`Type ${command} to fill in a form.`),
        words('Send me a direct message. Files (.txt, .json, .jsonl) work, too.'),
      ]).elements,
      section(bold('Votes'), words(`\n${command} queue lists the verdicts that need your vote most.`)),
      section(italic('Was the panel right? Vote 👍 or 👎 on its card, or react with one.')),
    ),
    buttonRow(button({ text: 'Open the form', action: actions.openForm, value: 'new', style: 'primary' })),
  ]);
}

/**
 * What the app offers to try in a conversation with it. The manifests offer what needs no model.
 *
 * @param hasModel whether a model judges there, unless another one is asked for
 */
export const suggestedPrompts = (hasModel: boolean): { title: string; message: string }[] => [
  ...[...checkedExamples, ...(hasModel ? modelExamples : [])].map(({ title, paste }) => ({
    title,
    message: paste,
  })),
  { title: 'What can you judge?', message: 'help' },
];

export interface ProblemInput {
  problem: string;
  /** Paths that are missing. */
  missing: readonly string[];
  understood: Understood;
  /** A draft of what was understood, kept in the store; null where nothing could be kept. */
  draftId: string | null;
  /** What a case may look like. */
  format: Pick<CaseFormat, 'groups'>;
}

const SHOWN = 12;
const EXCERPT = 160;
const NAME = 60;
const EXAMPLE = 100;

/** What was read, a line for each field. */
function understoodLines(understood: Understood): RichTextElement[][] {
  const { conversation, ...rest } = understood;
  const turns = (conversation ?? []).map(({ role, text }): [string, string] => [
    role === 'user' ? 'User' : 'System',
    text,
  ]);
  const fields = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]): [string, string] => [
      titleOfKey(key),
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
  const all = [...turns, ...fields];
  const lines = all
    .slice(0, SHOWN)
    .map(([name, text]) => [
      ...bold(shortened(oneLine(name), NAME)),
      ...words(`: ${shortened(oneLine(text), EXCERPT)}`),
    ]);
  const left = all.length - lines.length;
  return left === 0 ? lines : [...lines, italic(`and ${left} more`)];
}

/** What somebody pasted that cannot be judged as it is: what was understood, what is missing, and how to give it. */
export function problemMessage({
  problem,
  missing,
  understood,
  draftId,
  format,
}: ProblemInput): SlackMessage {
  const lines = understoodLines(understood);
  const wanted = missing.slice(0, SHOWN).map((path) => {
    const { label, example } = describeField(path, format);
    return [
      ...bold(shortened(oneLine(label), NAME)),
      ...words(`, for example: ${shortened(oneLine(example), EXAMPLE)}`),
    ];
  });
  const more = missing.length > SHOWN ? [italic(`and ${missing.length - SHOWN} more`)] : [];
  return message(`This could not be judged: ${problem}`, [
    paragraph(words('🤔 '), bold('I cannot judge this yet. '), words(shortened(oneLine(problem), 1_000))),
    ...(wanted.length === 0
      ? []
      : [rich(section(bold('Missing')), ...bullets([...wanted, ...more]).elements)]),
    ...(lines.length === 0 ? [] : [rich(section(bold('Understood so far')), ...bullets(lines).elements)]),
    ...(draftId === null
      ? []
      : [
          buttonRow(
            button({ text: 'Fill in the rest', action: actions.openForm, value: draftId, style: 'primary' }),
          ),
        ]),
  ]);
}
