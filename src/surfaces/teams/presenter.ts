import type { Presenter } from '../../requests/presenter.ts';
import type { SpotCheck } from '../../requests/spot-check.ts';
import { type Cards, type Chat, createChatPresenter } from '../chat-presenter.ts';
import { wordsOf } from '../wording.ts';
import type { TeamsParts } from './context.ts';
import { TEAMS } from './ids.ts';
import type { TeamsMessage } from './messages.ts';
import { blindMessage } from './render/blind.ts';
import { cardMessage } from './render/card.ts';
import { summaryMessage } from './render/lists.ts';
import {
  answerMessage,
  budgetMessage,
  errorMessage,
  hiddenProgressMessage,
  problemMessage,
  progressMessage,
  unreadableMessage,
  unshowableMessage,
  welcomeMessage,
} from './render/notices.ts';

/** Teams, as what all chats share sees it. */
export const teamsChat = ({
  streams,
  nameOf,
  nameIn,
}: Pick<TeamsParts, 'streams' | 'nameOf' | 'nameIn'>): Chat<TeamsMessage> => ({
  surface: TEAMS,
  change: (place, id, shown, urgency) => streams.show(place, id, shown, urgency === 'progress'),
  nameOf: async (user, channel) => nameOf(user) ?? nameIn(user, channel).catch(() => null),
  looks: {
    card: cardMessage,
    blind: blindMessage,
    progress: progressMessage,
    hiddenProgress: hiddenProgressMessage,
    summary: summaryMessage,
    unclear: problemMessage,
    answer: answerMessage,
    error: errorMessage,
    budget: budgetMessage,
    welcome: welcomeMessage,
    unreadable: unreadableMessage,
  },
});

/** What the person asked, as far as it is known before anything was read. */
const wordsIn = ({ input }: SpotCheck): string =>
  input.kind === 'message'
    ? input.text
    : input.cases[0] === undefined
      ? ''
      : wordsOf(input.cases[0].evalCase);

/** Shows checks in Teams. */
export const createTeamsPresenter = (
  parts: TeamsParts & { cards: Cards },
  chat: Chat<TeamsMessage>,
): Presenter => {
  const { messages, streams, places } = parts;
  return createChatPresenter(parts, chat, {
    placeholder: (check) => streams.begin(check, parts.library.redactor.text(wordsIn(check))),
    unshowable: async ({ team, requestedBy, progress }, record) => {
      const channel = await places.personal(team, requestedBy);
      if (channel === null) return;
      const message = unshowableMessage(progress.placeholder !== null, record);
      await messages.post({ channel, thread: null }, message);
    },
    permalink: () => undefined,
    withdraw: async ({ channel, messages: shown }) => {
      for (const id of shown) await streams.remove({ channel, thread: null }, id);
    },
    thank: async ({ channel, thread, input }) => {
      // Where Teams does not let the app react, nothing is missing.
      if (input.kind === 'message')
        await messages.react({ channel, thread }, input.message, 'heart').catch(() => {});
    },
  });
};
