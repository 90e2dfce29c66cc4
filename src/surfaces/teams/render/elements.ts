import type {
  IAdaptiveCard,
  IExecuteAction,
  IOpenUrlAction,
  IRichTextBlock,
  ISubmitAction,
  ITextRun,
} from '@microsoft/teams.cards';
import { counted, plainLine, safeText } from '../../../common/text/index.ts';
import { shortened, shortLine } from '../../wording/index.ts';
import type { ActionName } from '../ids.ts';
import type { TeamsMessage } from '../messages.ts';

export type Element = NonNullable<IAdaptiveCard['body']>[number];
export type Button = IExecuteAction | ISubmitAction | IOpenUrlAction;

type Look = Omit<ITextRun, 'type' | 'text'>;

/** Teams refuses messages and dialogs with larger cards; leaves room for what surrounds the card. */
export const CARD_BYTES = 26_000;

/** Literal text: a text run interprets no Markdown or HTML, so pasted text is shown unchanged. */
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
  /** The position of a study's case, and what to do there. */
  place?: string;
  next?: string;
}

const labeled = (title: string, tooltip: string | undefined) => ({
  title,
  ...(tooltip === undefined ? {} : { tooltip }),
});

/** A button that is answered without a dialog. */
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

/** A button in a dialog: sends the dialog, which then shows the result. */
export const submits = (title: string, data: ButtonData, tooltip?: string): ISubmitAction => ({
  type: 'Action.Submit',
  ...labeled(title, tooltip),
  associatedInputs: 'none',
  data,
});

/** Clients fold or cut more actions in one place. */
export const MOST_ACTIONS = 6;

/** Buttons between other elements. */
export const buttonRow = (...buttons: Button[]): Element => ({ type: 'ActionSet', actions: buttons });

/** Buttons between other elements, in as many rows as they need. */
export const buttonRows = (...buttons: Button[]): Element[] =>
  Array.from({ length: Math.ceil(buttons.length / MOST_ACTIONS) }, (_, row) =>
    buttonRow(...buttons.slice(row * MOST_ACTIONS, (row + 1) * MOST_ACTIONS)),
  );

/** Moves a less important button to the overflow menu. */
export const secondary = <T extends Button>(action: T): T => ({ ...action, mode: 'secondary' });

/** Shows a button that would be in an overflow menu, which only a card's own actions have. */
const primary = <T extends Button>(action: T): T => ({ ...action, mode: 'primary' });

export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** The leading elements that fit into a number of bytes; `left` has the others. Put important elements first. */
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

/** Escapes text for fields that Teams reads as Markdown with HTML. */
export const escaped = (text: string): string =>
  safeText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/[\\`*_~[\]()#|!]/g, '\\$&');

/** A name without the characters of Markdown and mentions. */
export const plainName = (name: string, most: number): string =>
  shortLine(name.replaceAll(/[*_~`[\]()<>#|\\&]/g, ' '), most);

/** A person mentioned on a card; Teams links the name to their profile. */
export interface Mention {
  /** The object id in Entra ID. */
  id: string;
  name: string;
}

const MENTION = 80;
const mentionText = ({ name }: Mention): string => `<at>${plainName(name, MENTION)}</at>`;

/** A small line that ends with a mention; Teams recognizes mentions only in text blocks. */
export const mentionNote = (text: (name: string) => string, mention: Mention): Element => ({
  type: 'TextBlock',
  text: text(mentionText(mention)),
  isSubtle: true,
  size: 'Small',
  wrap: true,
  spacing: 'Small',
});

interface CardParts {
  /** Most important first: if the card is too large, the last elements are dropped. */
  body: readonly Element[];
  /**
   * Shown below the body, even if some of that is dropped.
   * @param left the elements that were dropped
   */
  foot?: (left: readonly Element[]) => readonly Element[];
  actions?: readonly Button[];
  /** For screen readers; the summary by default. */
  speak?: string;
  mention?: Mention | null;
}

/** The card of a dialog. Buttons that do not fit below it stand in rows at its end. */
export function dialogCard(body: readonly Element[], buttons: readonly Button[] = []): IAdaptiveCard {
  const rows = buttonRows(...buttons.slice(MOST_ACTIONS).map(primary));
  return {
    type: 'AdaptiveCard',
    version: '1.5',
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    body: [...body, ...rows],
    actions: buttons.slice(0, MOST_ACTIONS),
  };
}

/** A note about what was dropped, and where to find it. */
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
