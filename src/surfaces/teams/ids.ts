import type { ConversationKind } from '../../labels/verdict-record.ts';

/** The name of Teams in everything that is stored. */
export const TEAMS = 'teams';

/** Where Teams posts activities to. */
export const MESSAGES_PATH = '/api/messages';

/** A conversation's kind by its id; null for ids that are not of Teams. */
export function kindOf(conversation: string): ConversationKind | null {
  if (/^19:[^;]+@thread\.(?:tacv2|skype)$/.test(conversation)) return 'channel';
  if (/^19:[^;]+@thread\.v2$/.test(conversation)) return 'group';
  if (/^a:\S+$/.test(conversation) || /^19:[^;]+@unq\.gbl\.spaces$/.test(conversation)) return 'direct';
  return null;
}

/** A conversation without its thread, and the first message of the thread: `19:…@thread.tacv2;messageid=1700000000000`. */
export function splitConversation(id: string): { channel: string; thread: string | null } {
  const [channel = id, ...rest] = id.split(';');
  const thread = rest.find((part) => part.startsWith('messageid='))?.slice('messageid='.length);
  return { channel, thread: thread ?? null };
}

/** The id that messages of a thread are sent to: group chats and personal chats have no threads. */
export function threadId(channel: string, thread: string | null): string {
  const kind = kindOf(channel);
  return thread === null || kind === 'group' || kind === 'direct'
    ? channel
    : `${channel};messageid=${thread}`;
}

/** What the buttons of cards say when they come back, in the field `do` of their data. */
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
  correct: 'correct',
  ask: 'ask',
  settings: 'settings',
  schedule: 'schedule',
  fillIn: 'fill-in',
  askModel: 'ask-model',
  /** Judges the case with what was left out of it. */
  withIt: 'with-it',
  /** What lines that may belong to an answer are; the id is that of the question's draft. */
  unsureRemark: 'unsure-remark',
  unsureAnswer: 'unsure-answer',
  share: 'share',
  addToSet: 'add-to-set',
  json: 'json',
  /** Lists the cases of a request; the page is how many there are. */
  cases: 'cases',
  /** Opens a case of a study; the id names the study. */
  study: 'study',
  /** Judges a request as it reads since it was edited; the id is the request's. */
  judgeEdited: 'judge-edited',
  /** Judges messages of a thread as one conversation; the id is which of the question's choices, and its draft. */
  judgeThese: 'judge-these',
  /** Judges the example that the welcome shows. */
  example: 'example',
  /** The id is an alert's. */
  pauseAlert: 'pause-alert',
} as const;
export type ActionName = (typeof actions)[keyof typeof actions];
