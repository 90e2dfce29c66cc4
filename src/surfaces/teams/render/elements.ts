import type {
  IAdaptiveCard,
  IExecuteAction,
  IOpenUrlAction,
  IRichTextBlock,
  ISubmitAction,
  ITextRun,
} from '@microsoft/teams.cards';
import { counted, plainLine, safeText } from '../../../common/text.ts';
import { shortened, shortLine } from '../../safe-text.ts';
import type { ActionName } from '../ids.ts';
import type { TeamsMessage } from '../messages.ts';

export type Element = NonNullable<IAdaptiveCard['body']>[number];
export type Button = IExecuteAction | ISubmitAction | IOpenUrlAction;

type Look = Omit<ITextRun, 'type' | 'text'>;

/** Teams refuses a message or a dialog whose card is larger; what surrounds the card takes some of it. */
export const CARD_BYTES = 26_000;

/** Words as they are: a run of text knows no Markdown and no HTML, so what people pasted shows as they pasted it. */
export const run = (text: string, look: Look = {}): ITextRun => ({
  type: 'TextRun',
  text: safeText(text),
  ...look,
});

export const bold = (text: string): ITextRun => run(text, { weight: 'Bolder' });
/** A paragraph. */
export const lines = (...inlines: ITextRun[]): IRichTextBlock => ({
  type: 'RichTextBlock',
  spacing: 'Small',
  inlines,
});

export const heading = (text: string): IRichTextBlock =>
  lines(run(plainLine(text), { weight: 'Bolder', size: 'Medium' }));

export const note = (text: string): IRichTextBlock => lines(run(text, { isSubtle: true, size: 'Small' }));

export interface ButtonData {
  do: ActionName;
  id?: string;
  page?: number;
  score?: number;
  queue?: number;
  /** Which case of a study, and what is to be done there. */
  place?: string;
  next?: string;
}

const labeled = (title: string, tooltip: string | undefined) => ({
  title,
  ...(tooltip === undefined ? {} : { tooltip }),
});

/** A button whose press is answered without a dialog. */
export const button = (title: string, data: ButtonData, tooltip?: string): IExecuteAction => ({
  type: 'Action.Execute',
  ...labeled(title, tooltip),
  verb: data.do,
  associatedInputs: 'none',
  data,
});

/** A button that opens a page in the browser. */
export const opensPage = (title: string, url: string | null): IOpenUrlAction[] =>
  url === null ? [] : [{ type: 'Action.OpenUrl', title, url }];

/** A button that opens a dialog. */
export const opensDialog = (title: string, data: ButtonData, tooltip?: string): ISubmitAction => ({
  type: 'Action.Submit',
  ...labeled(title, tooltip),
  associatedInputs: 'none',
  data: { ...data, msteams: { type: 'task/fetch' } },
});

/** A button in a dialog: it sends the dialog, which shows what comes of it. */
export const submits = (title: string, data: ButtonData, tooltip?: string): ISubmitAction => ({
  type: 'Action.Submit',
  ...labeled(title, tooltip),
  associatedInputs: 'none',
  data,
});

/** Buttons between other elements. */
export const buttonRow = (...buttons: Button[]): Element => ({ type: 'ActionSet', actions: buttons });

/** Less important buttons stand behind the overflow menu. */
export const secondary = <T extends Button>(action: T): T => ({ ...action, mode: 'secondary' });

export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The first elements, in the order of their importance, as many as fit into so many bytes; `left` are the others. */
export function fitting(
  elements: readonly Element[],
  bytes: number,
): { shown: Element[]; left: readonly Element[] } {
  let used = 0;
  const over = elements.findIndex((element) => {
    used += bytesOf(element) + 1;
    return used > bytes;
  });
  const shown = over < 0 ? elements.length : over;
  return { shown: elements.slice(0, shown), left: elements.slice(shown) };
}

/** Words as they are in a text that Teams reads as Markdown with HTML in it. */
export const escaped = (text: string): string =>
  safeText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\\`*_~[\]()#|!]/g, '\\$&');

/** A name without what Markdown and mentions are made of. */
export const plainName = (name: string, most: number): string =>
  shortLine(name.replaceAll(/[*_~`[\]()<>#|\\&]/g, ' '), most);

/** Who a card names so that Teams shows and opens their profile. */
export interface Mention {
  /** The object id in Entra ID. */
  id: string;
  name: string;
}

const MENTION = 80;
const mentionText = ({ name }: Mention): string => `<at>${plainName(name, MENTION)}</at>`;

/** A small line that ends with a mention; only in a text block does Teams see it. */
export const mentionNote = (text: string, mention: Mention): Element => ({
  type: 'TextBlock',
  text: `${text} ${mentionText(mention)}`,
  isSubtle: true,
  size: 'Small',
  wrap: true,
  spacing: 'Small',
});

interface CardParts {
  /** In the order of their importance: the last ones go where a card would be too large. */
  body: readonly Element[];
  /** Below the body, whatever is left out of that. @param left what is left out */
  foot?: (left: readonly Element[]) => readonly Element[];
  actions?: readonly Button[];
  /** What a screen reader says; by default the summary. */
  speak?: string;
  mention?: Mention | null;
}

/** The card of a dialog. */
export const dialogCard = (body: readonly Element[], buttons: readonly Button[] = []): IAdaptiveCard => ({
  type: 'AdaptiveCard',
  version: '1.5',
  $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
  body: [...body],
  actions: [...buttons],
});

/** What was left out of a card, and where it is. */
const leftOut = (actions: readonly Button[]) => (left: readonly Element[]) => {
  const opensDetails = actions.some(
    (one) => 'data' in one && typeof one.data === 'object' && one.data.do === 'details',
  );
  const where = opensDetails ? ': open Details' : '';
  return left.length === 0
    ? []
    : [note(`${counted(left.length, 'more part does', 'more parts do')} not fit here${where}.`)];
};

export function cardOfParts(
  summary: string,
  { body, actions = [], foot = leftOut(actions), speak, mention = null }: CardParts,
): IAdaptiveCard {
  const mentioned = (to: Mention) => [
    {
      type: 'mention' as const,
      text: mentionText(to),
      mentioned: { id: to.id, name: shortLine(to.name, MENTION) },
    },
  ];
  const { actions: _none, ...empty } = dialogCard([]);
  const card = { ...empty, speak: shortLine(speak ?? summary, 1_000) };
  const rest = {
    ...(actions.length === 0 ? {} : { actions: [...actions] }),
    msteams: { width: 'full' as const, ...(mention === null ? {} : { entities: mentioned(mention) }) },
  };
  const { shown, left } = fitting(body, CARD_BYTES - bytesOf([card, rest, foot(body)]));
  return { ...card, body: [...shown, ...foot(left)], ...rest };
}

export const message = (summary: string, parts: CardParts): TeamsMessage => ({
  summary: shortened(plainLine(summary), 300),
  card: cardOfParts(summary, parts),
});
