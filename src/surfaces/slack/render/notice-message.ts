import type { VerdictRecord } from '../../../labels/verdict-record.ts';
import { checkedExamples, firstPaste, modelExamples } from '../../examples.ts';
import { actions, command } from '../ids.ts';
import { button, buttonRow } from './buttons.ts';
import { message, type SlackMessage } from './message.ts';
import { bold, bullets, italic, paragraph, rich, section, words } from './rich.ts';
import { safeText, shortened } from './safe-text.ts';

/** Something went wrong; `what` says what to do about it. */
export const errorMessage = (what: string): SlackMessage =>
  message(what, [paragraph(words(`⚠️ ${shortened(safeText(what), 2_000)}`))]);

/**
 * For whoever asked, in person, where nothing can be shown where they asked.
 *
 * @param wasShown whether something of it stood there before
 * @param record the verdict, where there is one
 */
export function unshowableMessage(
  wasShown: boolean,
  record: Pick<VerdictRecord, 'id' | 'verdict' | 'blind'> | null,
): SlackMessage {
  if (record?.blind === true) {
    const text =
      'The verdict that you asked for is there, but its message is gone, or I may not write there any more. Answer first, then it is shown to you.';
    return message(text, [
      paragraph(words(`⚠️ ${text}`)),
      buttonRow(button({ text: 'Open the case', action: actions.details, value: record.id })),
    ]);
  }
  if (record !== null) {
    const text = `The verdict that you asked for is ${record.verdict.decision}, but its card cannot be shown: its message is gone, or I may not write there any more.`;
    return message(text, [
      paragraph(words(`⚠️ ${text}`)),
      buttonRow(button({ text: 'Details', action: actions.details, value: record.id })),
    ]);
  }
  return errorMessage(
    wasShown
      ? 'What you asked for cannot be shown: its message is gone, or I may not write there any more. Ask again, or paste it here.'
      : 'I cannot write where you asked me to judge. Invite me there (/invite), then ask again, or paste it here.',
  );
}

/** Today's money is spent. */
export function budgetMessage({ limitUsd }: { limitUsd: number }): SlackMessage {
  const text = `The daily budget of $${limitUsd.toFixed(2)} for model calls is used up: nothing was asked. It starts anew at 00:00 UTC; whoever runs the jury can raise JURY_DAILY_BUDGET_USD.`;
  return message(text, [paragraph(words(`💸 ${text}`))]);
}

/** What the app does and how to ask it, for a first contact or a message without a paste. */
export function welcomeMessage(): SlackMessage {
  const text =
    'Paste what a user said and what your system answered, and a panel of judges says whether it holds up.';
  return message(text, [
    paragraph(bold('Hello, I am the jury. '), words(text)),
    rich(
      section(bold('Like this')),
      { type: 'rich_text_preformatted', elements: [{ type: 'text', text: firstPaste }] },
      section(bold('Ways to ask')),
      ...bullets([
        words(
          'Mention me in a channel or a thread, with a paste; in a thread without one, I judge what stands above.',
        ),
        words('Choose “Ask the jury” from the menu of any message.'),
        words(`Type ${command} for a form.`),
        words('Write to me here. Files (.txt, .json, .jsonl) work as well.'),
      ]).elements,
      section(bold('Votes'), words(`\n${command} queue lists the verdicts that your vote tells most about.`)),
      section(italic('Then tell me whether the panel was right: thumbs, or a reaction 👍 👎 on the card.')),
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
