import type { AnswerNames } from '../../../case/pair.ts';
import { type Card, type CardAction, type CardPart, preferring } from '../../../judging/card.ts';
import { cardOf } from '../../../judging/make-card.ts';
import { isExact } from '../../../judging/why.ts';
import type { CardInput } from '../../chat-presenter.ts';
import { shortLine } from '../../safe-text.ts';
import { actionText, preferringText, toneMark } from '../../wording.ts';
import { actions, kindOf } from '../ids.ts';
import type { TeamsMessage } from '../messages.ts';
import {
  type Button,
  bold,
  button,
  type Element,
  lines,
  type Mention,
  mentionNote,
  message,
  note,
  opensDialog,
  run,
  secondary,
  submits,
} from './elements.ts';

/** Most entries of each part; the others are counted and stand in the details. */
const most = { rows: 8, held: 20, sides: 4, notes: 3 } as const;
/** Most characters of each text. All together stay below what Teams takes for one card; tested. */
const room = {
  reason: 400,
  request: 160,
  title: 60,
  held: 800,
  row: 300,
  panel: 400,
  note: 300,
  fact: 80,
} as const;

/** What answers the press itself; all else opens a dialog. */
const ANSWERED: readonly CardAction[] = ['agree', 'unsure', 'retract', 'ask-model', 'share'];

/** What thumbs say to who does not see them. */
const TIPS: Partial<Record<CardAction, string>> = {
  agree: 'I agree with the panel',
  disagree: 'I disagree with the panel',
};

/** An action of a card. In a dialog every button sends the dialog, elsewhere some open one. */
function actionButton(
  action: CardAction,
  id: string,
  { tally, preferred, names }: Pick<CardInput, 'tally' | 'preferred'> & { names: AnswerNames },
  inDialog: boolean,
): Button {
  switch (action) {
    case 'prefer-first':
    case 'prefer-second':
    case 'prefer-same': {
      const does = inDialog ? submits : button;
      const text = shortLine(preferringText(action, names, preferred), room.title);
      return does(text, { do: actions.blindScore, id, score: preferring[action] });
    }
    default: {
      const does = inDialog ? submits : ANSWERED.includes(action) ? button : opensDialog;
      // What is right is said in the form that a disagreement opens.
      const data = { do: action === 'right' ? actions.disagree : action, id };
      return does(actionText(action, tally), data, TIPS[action]);
    }
  }
}

interface Row {
  mark: string;
  title: string;
  text: string;
}

function rowElements(rows: readonly Row[], shown: number, what: string): Element[] {
  const left = rows.length - shown;
  return [
    ...rows
      .slice(0, shown)
      .map(({ mark, title, text }) =>
        lines(run(`${mark} `), bold(shortLine(title, room.title)), run(`  ${shortLine(text, room.row)}`)),
      ),
    ...(left > 0 ? [note(`${left} more ${what} in Details`)] : []),
  ];
}

const listed = (all: readonly string[], mark: string): Element[] => {
  const shown = all.slice(0, most.held).map((one) => shortLine(one, room.title));
  const left = all.length - shown.length;
  return [
    lines(run(`${mark}${shortLine(shown.join(' · '), room.held)}${left > 0 ? ` and ${left} more` : ''}`)),
  ];
};

/** One part of a card; its actions stand below the card. @param showsRequest whether what the user said does not stand above */
function partElements(part: CardPart, showsRequest: boolean): Element[] {
  switch (part.kind) {
    case 'headline':
      return [
        lines(bold(`${toneMark(part.tone)} ${part.label}`), run(` – ${shortLine(part.reason, room.reason)}`)),
      ];
    case 'request': {
      const name = part.id === null ? '' : `${shortLine(part.id, room.title)}  `;
      return showsRequest ? [note(`${name}“${shortLine(part.text, room.request)}”`)] : [];
    }
    case 'criteria':
      return rowElements(
        // The mark of the whole verdict stands out more than that of a criterion.
        part.rows.map(({ tone, title, text }) => ({
          mark: tone === 'fail' ? '✗' : toneMark(tone),
          title,
          text,
        })),
        most.rows,
        'criteria',
      );
    case 'held':
      return listed(part.titles, '✅ ');
    case 'scores':
      return listed(
        part.scores.map(({ title, score }) => `${title} ${score}`),
        '',
      );
    case 'sides':
      return rowElements(
        part.opinions.map(({ tone, judge, text }) => ({ mark: toneMark(tone), title: judge, text })),
        most.sides,
        'answers',
      );
    case 'panel': {
      const dissent = part.dissent === null ? '' : ` · ${shortLine(part.dissent, room.panel)}`;
      return [lines(run(`${shortLine(part.text, room.panel)}${dissent}`))];
    }
    case 'notes': {
      const left = part.lines.length - most.notes;
      const shown = part.lines.slice(0, most.notes).map((line) => note(shortLine(line, room.note)));
      return left > 0 ? [...shown, note(`${left} more in Details`)] : shown;
    }
    case 'trust':
      return [note(part.text)];
    case 'footer':
      return [note(part.facts.map((fact) => shortLine(fact, room.fact)).join(' · '))];
    case 'actions':
    // All of this stands in the details.
    case 'opinions':
    case 'usage':
      return [];
  }
}

/** A verdict's card as elements and buttons. @param inDialog whether it stands in a dialog */
export function cardElements(
  { record, tally, preferred, texts, setting }: CardInput,
  { showsRequest, inDialog }: { showsRequest: boolean; inDialog: boolean },
): { card: Card; body: Element[]; buttons: Button[] } {
  const { id, verdict, evalCase, trust, blind } = record;
  const card = cardOf(verdict, evalCase, texts, { ...setting, trust });
  const buttons = card.flatMap((part): Button[] => {
    // A vote on what is hidden from others is an answer about the case, which the viewer has given.
    if (part.kind !== 'actions' || blind === true) return [];
    const votes = { tally, preferred, names: part.names };
    return [
      ...part.buttons
        .filter((action) => !inDialog || action !== 'details')
        .map((action) => actionButton(action, id, votes, inDialog)),
      ...part.menu.map((action) => secondary(actionButton(action, id, votes, inDialog))),
    ];
  });
  return { card, body: card.flatMap((part) => partElements(part, showsRequest)), buttons };
}

const textOf = ({ verdict }: CardInput['record'], card: Card): string => {
  const [head] = card;
  return head?.kind === 'headline' ? `${head.label} – ${head.reason}` : verdict.why;
};

/** Who asked, if others read the card too: they see a mention, which opens the profile. */
const mentionFor = ({ record: { source }, asker = null, setting }: CardInput): Mention | null =>
  (source.kind ?? kindOf(source.channel)) === 'direct' || asker === null || !setting.askedBy
    ? null
    : { id: asker, name: setting.askedBy };

/** The card of a verdict, within what Teams takes for one message; the rest stands in the details. No voter is named. */
export function cardMessage(input: CardInput): TeamsMessage {
  const { record, setting } = input;
  const mention = mentionFor(input);
  const shown = mention === null ? input : { ...input, setting: { ...setting, askedBy: null } };
  const { card, body, buttons } = cardElements(shown, { showsRequest: false, inDialog: false });
  const isByAi = !isExact(record.verdict);
  return {
    ...message(textOf(record, card), {
      body: [...body, ...(mention === null ? [] : [mentionNote('asked by', mention)])],
      actions: buttons,
      mention,
    }),
    isVerdict: true,
    isByAi,
  };
}

/** A card as it is shared from its thread, where people vote on it. @param sharedBy null if the name is not known */
export function sharedMessage(input: CardInput, sharedBy: string | null): TeamsMessage {
  const { card, body } = cardElements(input, { showsRequest: true, inDialog: false });
  const by = sharedBy === null ? 'Shared' : `Shared by ${shortLine(sharedBy, room.fact)}`;
  return message(textOf(input.record, card), {
    body: [...body, note(`${by}; vote on it in its thread.`)],
    actions: [opensDialog('Details', { do: actions.details, id: input.record.id })],
  });
}
