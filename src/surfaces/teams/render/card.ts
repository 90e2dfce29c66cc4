import { type CardBlock, type CardTexts, cardOf } from '../../../judging/card.ts';
import type { VerdictRecord } from '../../../labels/verdict-record.ts';
import type { VoteTally } from '../../../labels/vote.ts';
import { tallyText, toneMark } from '../../wording.ts';
import { actions } from '../ids.ts';
import type { TeamsMessage } from '../messages.ts';
import { bold, button, type Element, lines, message, note, opensDialog, run, secondary } from './elements.ts';

interface CardInput {
  record: VerdictRecord;
  tally: VoteTally;
  texts: CardTexts;
}

function blockElements(block: CardBlock): Element[] {
  switch (block.kind) {
    case 'headline':
      return [lines(run(`${toneMark(block.tone)} `), bold(`${block.label} `), run(block.why))];
    case 'trust':
      return [note(`${block.share} (${block.such})`)];
    case 'exchange':
      return [];
    case 'criteria':
      return block.rows.map(({ tone, title, tally, text }) =>
        lines(run(`${toneMark(tone)} `), bold(title), run(` ${tally} ${text}`)),
      );
    case 'opinions':
      return block.opinions.map(({ tone, judge, stance, text }) =>
        lines(run(`${toneMark(tone)} `), bold(judge), run(`: ${stance}. ${text}`)),
      );
    case 'notes':
      return [note(`${block.title}: ${block.lines.join(' · ')}`)];
    case 'facts':
      return [note(block.facts.map(({ label, value }) => `${label} ${value}`).join(' · '))];
  }
}

/** A verdict's card. */
export function cardMessage({ record, tally, texts }: CardInput): TeamsMessage {
  const { id, verdict, evalCase, trust } = record;
  const card = cardOf(verdict, evalCase, texts, trust);
  const head = card.find((block) => block.kind === 'headline');
  const summary = head?.kind === 'headline' ? `${head.label}: ${head.why}` : verdict.decision;
  return {
    ...message(summary, {
      body: [...card.flatMap(blockElements), lines(run(tallyText(tally)))],
      actions: [
        button('👍', { do: actions.agree, id }, 'I agree with the panel'),
        button('👎', { do: actions.disagree, id }, 'I disagree with the panel'),
        opensDialog('Details', { do: actions.details, id }),
        secondary(opensDialog('Judge again…', { do: actions.again, id })),
        secondary(button('Not sure', { do: actions.unsure, id })),
        secondary(button('Take my vote back', { do: actions.retract, id })),
      ],
    }),
    isVerdict: true,
  };
}
