import type { ConversationKind } from '../../labels/record/index.ts';

/** Teams' name in stored data. */
export const TEAMS = 'teams';

/** The path of Teams' activities. */
export const MESSAGES_PATH = '/api/messages';

/** A conversation's kind, from its id; null for ids that are not from Teams. */
export function kindOf(conversation: string): ConversationKind | null {
  if (/^19:[^;]+@thread\.(?:tacv2|skype)$/.test(conversation)) return 'channel';
  if (/^19:[^;]+@thread\.v2$/.test(conversation)) return 'group';
  if (/^a:\S+$/.test(conversation) || /^19:[^;]+@unq\.gbl\.spaces$/.test(conversation)) return 'direct';
  return null;
}

/** Splits `19:…@thread.tacv2;messageid=1700000000000` into the conversation and its thread's first message. */
export function splitConversation(id: string): { channel: string; thread: string | null } {
  const [channel = id, ...rest] = id.split(';');
  const thread = rest.find((part) => part.startsWith('messageid='))?.slice('messageid='.length);
  return { channel, thread: thread ?? null };
}

/** The conversation id to post to in a thread; group chats and personal chats have no threads. */
export function threadId(channel: string, thread: string | null): string {
  const kind = kindOf(channel);
  return thread === null || kind === 'group' || kind === 'direct'
    ? channel
    : `${channel};messageid=${thread}`;
}

/**
 * A link to a message, as Teams and Microsoft Graph make it; undefined where there is none: a personal chat with an app has no id that
 * a link could name, and a channel's link names its team's group.
 *
 * @param pages Teams' own address, such as `https://teams.microsoft.com`
 */
export function linkTo(
  pages: string,
  {
    tenant,
    channel,
    thread,
    group,
  }: { tenant: string; channel: string; thread: string | null; group: string | undefined },
  message: string,
): string | undefined {
  const link = new URL(`${pages}/l/message/${encodeURIComponent(channel)}/${encodeURIComponent(message)}`);
  const { searchParams: said } = link;
  said.set('tenantId', tenant);
  switch (kindOf(channel)) {
    case 'group':
      said.set('context', '{"contextType":"chat"}');
      return link.href;
    case 'channel':
      if (group === undefined) return undefined;
      said.set('groupId', group);
      said.set('parentMessageId', thread ?? message);
      said.set('createdTime', message);
      return link.href;
    default:
      return undefined;
  }
}

/** The values of the field `do` in the data of card buttons. */
export const actions = {
  agree: 'agree',
  disagree: 'disagree',
  unsure: 'unsure',
  retract: 'retract',
  blindRight: 'blind-right',
  blindWrong: 'blind-wrong',
  blindUnsure: 'blind-unsure',
  blindScore: 'blind-score',
  stop: 'stop',
  details: 'details',
  again: 'again',
  /** What admins can do with a verdict. */
  manage: 'manage',
  manageRule: 'manage-rule',
  manageKnownAnswer: 'manage-known-answer',
  manageStudy: 'manage-study',
  correct: 'correct',
  ask: 'ask',
  settings: 'settings',
  schedule: 'schedule',
  fillIn: 'fill-in',
  askModel: 'ask-model',
  /** Judges the case again, including what was left out. */
  withIt: 'with-it',
  /** Whether doubtful lines are a remark or part of the answer; the id is that of the question's draft. */
  unsureRemark: 'unsure-remark',
  unsureAnswer: 'unsure-answer',
  /** Judges what a model read; the id is that of the draft that keeps it. */
  trustReading: 'trust-reading',
  /** Shows more of the queue: as many as `queue` says. */
  queue: 'queue',
  share: 'share',
  addToSet: 'add-to-set',
  json: 'json',
  /** Lists the cases of a request; the page is how many there are. */
  cases: 'cases',
  /** Opens a case of a study; the id is the study's. */
  study: 'study',
  /** About answers to check; the ids are the desk's. */
  reviewStart: 'review-start',
  reviewRight: 'review-right',
  reviewWrong: 'review-wrong',
  reviewUnsure: 'review-unsure',
  reviewCase: 'review-case',
  reviewSkip: 'review-skip',
  reviewNever: 'review-never',
  /** Takes up a request that failed once more; the id is the request's. */
  tryAgain: 'try-again',
  /** Judges an edited request as it now reads; the id is the request's. */
  judgeEdited: 'judge-edited',
  /** Judges messages of a thread as one conversation; the id holds the choice and the question's draft. */
  judgeThese: 'judge-these',
  /** Judges the example in the welcome message. */
  example: 'example',
  /** The id is the alert's. */
  pauseAlert: 'pause-alert',
} as const;
export type ActionName = (typeof actions)[keyof typeof actions];
