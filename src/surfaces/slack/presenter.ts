import { setTimeout as wait } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { WebClient } from '@slack/web-api';
import pLimit from 'p-limit';
import type { CasePlan } from '../../judging/judge-case.ts';
import type { VerdictRecord } from '../../labels/verdict-record.ts';
import { isOpenToAll } from '../../labels/visible-verdict.ts';
import type { VoteTally } from '../../labels/vote.ts';
import type { CheckProblem, Presenter, Watcher } from '../../requests/presenter.ts';
import { findPeople, type SpotCheck } from '../../requests/spot-check.ts';
import { keepDraft } from '../drafts.ts';
import type { UnclearPaste } from '../notices.ts';
import { advanced, type CheckProgress, waitingJudges } from '../progress.ts';
import { summaryLineOf } from '../summary.ts';
import { standardOf } from '../wording.ts';
import { rateLimitMs, slackError } from './clients.ts';
import { type Cards, hasModel, type SlackParts } from './context.ts';
import { kindOf, SLACK } from './ids.ts';
import { permalinkOf } from './messages.ts';
import { blindMessage } from './render/blind.ts';
import { quietPost, type SlackMessage } from './render/blocks.ts';
import { type CardInput, cardMessage } from './render/card.ts';
import {
  answerMessage,
  budgetMessage,
  errorMessage,
  problemMessage,
  unreadableMessage,
  unshowableMessage,
  welcomeMessage,
} from './render/notices.ts';
import { hiddenProgressMessage, progressMessage, receivedMessage } from './render/progress.ts';
import { summaryMessage } from './render/summary.ts';

/** How long a reaction on a card is known to be about its verdict. */
const CARD_KNOWN_MS = 400 * 86_400_000;
/** Where the store keeps the verdict whose card a message is. */
export const cardKey = (channel: string, ts: string): string => `card:${channel}:${ts}`;

/**
 * Least time between two changes because of votes, over all cards: Slack takes about one a second of a workspace in the long
 * run and more in bursts. One card changes at once; where many are voted on at the same time they take turns.
 */
const BETWEEN_REFRESHES_MS = 100;

export function createCards(parts: SlackParts): Cards {
  const { store, messages, clients, refreshes, texts, library, nameOf, now } = parts;
  const turn = pLimit(1);

  async function inputOf(record: VerdictRecord, tally: VoteTally): Promise<CardInput> {
    const people = await findPeople(store, record.id, now());
    const name = async (user: string | null) => (user === null ? null : nameOf(user));
    const [askedBy, stoppedBy] = await Promise.all([
      name(people?.askedBy ?? null),
      name(people?.stoppedBy ?? null),
    ]);
    return { record, tally, texts, setting: { hasModel: hasModel(parts), askedBy, stoppedBy } };
  }

  async function put(record: VerdictRecord, tally: VoteTally, client?: WebClient): Promise<void> {
    const { channel, message } = record.source;
    if (message !== null)
      await messages.update(channel, message, cardMessage(await inputOf(record, tally)), client);
  }

  /** Shows the newest count, and looks once more: another replica may have shown a newer one before this older one arrived. */
  async function refresh(record: VerdictRecord): Promise<void> {
    const tally = await store.tally(record.id);
    await put(record, tally, clients.background);
    if (!isDeepStrictEqual(await store.tally(record.id), tally)) schedule(record);
  }

  function schedule(record: VerdictRecord): void {
    // What is hidden looks the same whoever has answered: not even that somebody has is told.
    if (record.source.surface !== SLACK || record.source.message === null || !isOpenToAll(record)) return;
    refreshes.schedule(record.id, async () => {
      await turn(() => Promise.all([refresh(record), wait(BETWEEN_REFRESHES_MS)]));
    });
  }

  return {
    show: async (record) => {
      const { channel, message } = record.source;
      if (!isOpenToAll(record)) {
        // No card to react on: a reaction is an answer that everybody sees.
        if (message !== null)
          await messages.update(
            channel,
            message,
            blindMessage(record, standardOf(record.verdict, library.rubrics)),
          );
        return;
      }
      if (message !== null)
        await store.setIfAbsent(cardKey(channel, message), record.id, now(), CARD_KNOWN_MS);
      await put(record, await store.tally(record.id));
    },
    refresh: schedule,
    inputOf: async (record) => inputOf(record, await store.tally(record.id)),
  };
}

/** Shows in a message how the judges get on. */
function watchCase(
  { messages, changes, texts, clients }: SlackParts,
  check: SpotCheck,
  message: string,
  plan: CasePlan,
): Watcher {
  const { channel } = check;
  let progress: CheckProgress = {
    checkId: check.id,
    stage: 'panel',
    round: 0,
    rounds: plan.method.rounds,
    judges: waitingJudges(plan.panel, texts),
    stopping: false,
  };
  let ended = false;
  /** Slack wants no changes before this moment of the process. */
  let silentUntil = 0;
  const key = `${channel} ${message}`;

  async function show(): Promise<void> {
    // Nothing of what judges answer, and not when: how long and how often they are asked tells how they agree.
    const shown = check.blind === true ? hiddenProgressMessage(progress) : progressMessage(progress);
    // Tried once: the next change shows what this one would have.
    await messages.update(channel, message, shown, clients.once);
  }
  async function showUnlessLimited(): Promise<void> {
    if (performance.now() < silentUntil) return;
    try {
      await show();
    } catch (thrown) {
      const ms = rateLimitMs(thrown);
      if (ms === null) throw thrown;
      silentUntil = performance.now() + ms;
    }
  }
  function changed(next: CheckProgress): void {
    progress = next;
    if (!ended) changes.schedule(key, showUnlessLimited);
  }
  changed(progress);
  return {
    saw: (event) => {
      if (check.blind !== true) changed(advanced(progress, event));
    },
    stopping: () => changed({ ...progress, stopping: true }),
    end: async () => {
      ended = true;
      await changes.drop(key);
    },
  };
}

const markerOf = (check: SpotCheck, part: string): string => `${check.id} ${part}`;

/** Shows checks in Slack. */
export function createSlackPresenter(parts: SlackParts & { cards: Cards }): Presenter {
  const { store, clients, messages, cards, changes } = parts;
  const client = clients.now;

  async function unclear(check: SpotCheck, about: Omit<UnclearPaste, 'format'>): Promise<SlackMessage> {
    const { wish, team, channel, thread, again } = check;
    const { understood, problem } = about;
    const draft = { understood, wish, team, channel, thread, again, problem };
    // Without the store there is no form to open; what was understood is shown all the same.
    const draftId = await keepDraft(store, draft, parts.now(), check.id).catch(() => null);
    return problemMessage({ ...about, draftId, format: parts.library.caseFormat });
  }

  async function messageOf(check: SpotCheck, problem: CheckProblem): Promise<SlackMessage> {
    switch (problem.kind) {
      case 'unclear':
        return unclear(check, problem);
      case 'refused': {
        const { message, missing = [], evalCase: understood } = problem;
        return understood === undefined
          ? errorMessage(message)
          : unclear(check, { problem: message, missing, understood });
      }
      case 'failed':
        return errorMessage(problem.message);
      case 'nothing':
        return welcomeMessage();
      case 'unreadable':
        return unreadableMessage();
      case 'budget':
        return budgetMessage({ limitUsd: parts.env.settings.JURY_DAILY_BUDGET_USD ?? 0 });
      case 'stopped':
        return errorMessage('Stopped before anything was judged.');
    }
  }

  /** In a conversation with the app Slack shows at once that it is at work; a nicety, and not everywhere. */
  function showBusy({ channel, thread }: SpotCheck): void {
    if (kindOf(channel) !== 'direct' || thread === null) return;
    const status = { channel_id: channel, thread_ts: thread, status: 'is judging …' };
    client.assistant.threads.setStatus(status).catch(() => {});
  }

  return {
    placeholder: async (check, isRetry) => {
      showBusy(check);
      const marker = { text: markerOf(check, 'card'), stops: check.id };
      return messages.postOnce(check, receivedMessage(check.id), marker, isRetry);
    },
    unshowable: async ({ requestedBy, progress }, record) => {
      const message = unshowableMessage(progress.placeholder !== null, record);
      await client.chat.postMessage({ channel: requestedBy, ...quietPost, ...message });
    },
    watch: (check, message, plan) => watchCase(parts, check, message, plan),
    permalink: ({ channel, thread }, message) =>
      permalinkOf(parts.identity.workspaceUrl, channel, message, thread),
    card: (_check, _message, record) => cards.show(record),
    summary: async ({ id, channel }, message, states, final) => {
      const key = `${channel} ${message}`;
      const shown = summaryMessage(id, states.map(summaryLineOf));
      const show = (by: WebClient) => messages.update(channel, message, shown, by);
      if (!final) return changes.schedule(key, () => show(clients.once));
      await changes.drop(key);
      await show(client);
    },
    problem: async (check, message, problem) => {
      await messages.update(check.channel, message, await messageOf(check, problem));
    },
    answer: async ({ channel }, message, answer) => {
      await messages.update(channel, message, answerMessage(answer, parts.texts));
    },
    withdraw: async ({ channel, messages: shown }) => {
      for (const ts of shown) {
        await client.chat.delete({ channel, ts }).catch((thrown) => {
          if (slackError(thrown) !== 'message_not_found') throw thrown;
        });
      }
    },
    thank: async ({ channel, input }) => {
      if (input.kind !== 'message') return;
      // Without the scope reactions:write, or if it was done before a crash, nothing is missing.
      await clients.once.reactions
        .add({ channel, timestamp: input.message, name: 'heart' })
        .catch((thrown) => parts.log.debug({ error: slackError(thrown) }, 'slack: no reaction'));
    },
  };
}
