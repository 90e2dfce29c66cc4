import { setTimeout as wait } from 'node:timers/promises';
import { MessageActivityInput } from '@microsoft/teams.api';
import type { IAdaptiveCard } from '@microsoft/teams.cards';
import * as z from 'zod';
import { JuryError } from '../../common/errors.ts';
import { threadId } from './ids.ts';
import type { Places } from './places.ts';
import type { ApiFor } from './teams-app.ts';

/** A message as it is sent: an Adaptive Card with the words that notifications and screen readers take from it. */
export interface TeamsMessage {
  /** In one line. */
  summary: string;
  /** A plain object: the library's builder writes every default into the card, which then is too large. */
  card: IAdaptiveCard;
  /** Teams offers its own thumbs for it. */
  isVerdict?: boolean;
  /** Teams marks it as made by AI. */
  isByAi?: boolean;
  /**
   * Shown in place of the card: Markdown, and what the numbers in brackets open. Teams shows citations only in a text, and a text
   * beside a card would be a second message.
   */
  cited?: { text: string; citations: readonly { name: string; abstract: string }[] };
}

/** Where a message goes. */
export interface Target {
  channel: string;
  thread: string | null;
}

export interface Messages {
  /** @returns the message's id @throws JuryError `usage` where it can never be shown there */
  post: (target: Target, message: TeamsMessage) => Promise<string>;
  /** @param isProgress given up where Teams asks to wait, since a newer one follows */
  update: (target: Target, id: string, message: TeamsMessage, isProgress?: boolean) => Promise<void>;
  /** Nothing where it is gone already. */
  remove: (target: Target, id: string) => Promise<void>;
  react: (target: Target, id: string, reaction: 'heart') => Promise<void>;
}

const Refusal = z.object({
  response: z.object({
    status: z.number(),
    headers: z.looseObject({ 'retry-after': z.unknown().optional() }).optional(),
  }),
});

/** The status that Teams answered with; null where no answer came. */
export const statusOf = (thrown: unknown): number | null =>
  Refusal.safeParse(thrown).data?.response.status ?? null;

/** What Teams answers while too much is written at once: 412 where two changes of one conversation meet. */
const BUSY = new Set([412, 429, 502, 503, 504]);
/** The app was removed, or the conversation is gone. */
const NEVER = new Set([403, 404, 405, 410]);
const TRIES = 6;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** Teams takes 7 messages a second in a conversation; a little less leaves room for answers to clicks. */
const BETWEEN_MS = 170;

/** How long to wait before the next try. @throws JuryError `usage` where none helps, or what was thrown after the last */
function waitAfter(thrown: unknown, attempt: number, tries: number): number {
  const status = statusOf(thrown);
  if (status !== null && NEVER.has(status))
    throw new JuryError('usage', `Teams refuses to show it there (${status}).`, { cause: thrown });
  if (attempt >= tries || (status !== null && !BUSY.has(status))) throw thrown;
  const after = Number(Refusal.safeParse(thrown).data?.response.headers?.['retry-after']);
  const own = FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.75 + Math.random() / 2);
  return Math.min(LONGEST_WAIT_MS, Number.isFinite(after) && after > 0 ? after * 1000 : own);
}

function activityOf({
  summary,
  card,
  isVerdict = false,
  isByAi = false,
  cited,
}: TeamsMessage): MessageActivityInput {
  const activity = new MessageActivityInput(cited?.text, { summary });
  if (cited === undefined) activity.addCard('adaptive', card);
  else for (const [index, one] of cited.citations.entries()) activity.addCitation(index + 1, one);
  if (isByAi) activity.addAiGenerated();
  if (isVerdict) activity.addFeedback();
  return activity;
}

export function createMessages(places: Places, apiFor: ApiFor): Messages {
  /** The next moment at which each conversation may be written to. */
  const turns = new Map<string, number>();

  async function turn(conversation: string): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, turns.get(conversation) ?? 0);
    turns.set(conversation, at + BETWEEN_MS);
    if (at > now) await wait(at - now);
    for (const [key, until] of turns) if (until < performance.now() - 60_000) turns.delete(key);
  }

  const hold = (conversation: string, ms: number): void => {
    turns.set(conversation, Math.max(turns.get(conversation) ?? 0, performance.now() + ms));
  };

  /** @param tries after so many Teams' refusal is passed on */
  async function send<T>(
    { channel, thread }: Target,
    work: (api: ReturnType<ApiFor>, conversation: string) => Promise<T>,
    tries = TRIES,
  ): Promise<T> {
    // Where no one has written yet, the worldwide address finds the way.
    const api = apiFor((await places.find(channel))?.serviceUrl ?? null);
    const conversation = threadId(channel, thread);
    for (let attempt = 1; ; attempt += 1) {
      await turn(conversation);
      try {
        return await work(api, conversation);
      } catch (thrown) {
        const ms = waitAfter(thrown, attempt, tries);
        if (statusOf(thrown) !== null) hold(conversation, ms);
        else await wait(ms);
      }
    }
  }

  return {
    post: (target, message) =>
      send(target, async ({ conversations }, conversation) => {
        const posted = await conversations.createActivity(conversation, activityOf(message));
        return z.object({ id: z.string() }).parse(posted).id;
      }),
    update: async (target, id, message, isProgress = false) => {
      await send(
        target,
        ({ conversations }, conversation) =>
          conversations.updateActivity(conversation, id, activityOf(message)),
        isProgress ? 1 : TRIES,
      );
    },
    remove: (target, id) =>
      send(target, ({ conversations }, conversation) => conversations.deleteActivity(conversation, id)).catch(
        (thrown) => {
          if (!(thrown instanceof JuryError) || thrown.code !== 'usage') throw thrown;
        },
      ),
    react: (target, id, reaction) =>
      send(target, ({ reactions }, conversation) => reactions.add(conversation, id, reaction), 1),
  };
}
