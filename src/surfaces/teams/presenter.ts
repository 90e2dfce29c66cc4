import { isDeepStrictEqual } from 'node:util';
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
import { standardOf, wordsOf } from '../wording.ts';
import { type Cards, hasModel, type TeamsParts } from './context.ts';
import { TEAMS } from './ids.ts';
import type { Target, TeamsMessage } from './messages.ts';
import { blindMessage } from './render/blind.ts';
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
export const cardKey = (channel: string, message: string): string => `card:${channel}:${message}`;

const targetOf = ({ source: { channel, thread } }: Pick<VerdictRecord, 'source'>): Target => ({
  channel,
  thread,
});

export function createCards(parts: TeamsParts): Cards {
  const { store, messages, refreshes, texts, library, nameOf, now } = parts;

  async function inputOf(record: VerdictRecord, tally: VoteTally): Promise<CardInput> {
    const people = await findPeople(store, record.id, now());
    const name = (user: string | null | undefined) =>
      user === null || user === undefined ? null : nameOf(user);
    const setting = {
      hasModel: hasModel(parts),
      askedBy: name(people?.askedBy),
      stoppedBy: name(people?.stoppedBy),
    };
    return { record, tally, texts, setting };
  }

  /** Shows the newest count, and looks once more: another replica may have shown a newer one before this older one arrived. */
  async function refresh(record: VerdictRecord): Promise<void> {
    const { message } = record.source;
    if (message === null) return;
    const tally = await store.tally(record.id);
    await messages.update(targetOf(record), message, cardMessage(await inputOf(record, tally)));
    if (!isDeepStrictEqual(await store.tally(record.id), tally)) schedule(record);
  }

  function schedule(record: VerdictRecord): void {
    if (record.source.surface !== TEAMS || record.source.message === null || !isOpenToAll(record)) return;
    refreshes.schedule(record.id, () => refresh(record));
  }

  return {
    show: async (record) => {
      const { channel, message } = record.source;
      if (message === null) return;
      const target = targetOf(record);
      if (!isOpenToAll(record)) {
        const standard = standardOf(record.verdict, library.rubrics);
        await messages.update(target, message, blindMessage(record, standard));
        return;
      }
      await store.setIfAbsent(cardKey(channel, message), record.id, now(), CARD_KNOWN_MS);
      const tally = await store.tally(record.id);
      await messages.update(target, message, cardMessage(await inputOf(record, tally)));
    },
    refresh: schedule,
    inputOf: async (record) => inputOf(record, await store.tally(record.id)),
  };
}

function watchCase(
  { messages, changes, texts }: TeamsParts,
  check: SpotCheck,
  message: string,
  plan: CasePlan,
): Watcher {
  let progress: CheckProgress = {
    checkId: check.id,
    stage: 'panel',
    round: 0,
    rounds: plan.method.rounds,
    judges: waitingJudges(plan.panel, texts),
    stopping: false,
  };
  let ended = false;
  const key = `${check.channel} ${message}`;

  function changed(next: CheckProgress): void {
    progress = next;
    if (ended) return;
    changes.schedule(key, () => {
      // Nothing of what judges answer, and not when: how long and how often they are asked tells how they agree.
      const shown = check.blind === true ? hiddenProgressMessage(progress) : progressMessage(progress);
      return messages.update(check, message, shown, true);
    });
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

/** What the person asked, as far as it is known before anything was read. */
const wordsIn = ({ input }: SpotCheck): string =>
  input.kind === 'message'
    ? input.text
    : input.cases[0] === undefined
      ? ''
      : wordsOf(input.cases[0].evalCase);

/** Shows checks in Teams. */
export function createTeamsPresenter(parts: TeamsParts & { cards: Cards }): Presenter {
  const { store, messages, places, cards, changes, library, env, now } = parts;

  async function unclear(check: SpotCheck, about: Omit<UnclearPaste, 'format'>): Promise<TeamsMessage> {
    const { wish, team, channel, thread, again } = check;
    const { understood, problem } = about;
    const draft = { understood, wish, team, channel, thread, again, problem };
    const draftId = await keepDraft(store, draft, now(), check.id).catch(() => null);
    return problemMessage({ ...about, draftId, format: library.caseFormat });
  }

  async function messageOf(check: SpotCheck, problem: CheckProblem): Promise<TeamsMessage> {
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
        return budgetMessage({ limitUsd: env.settings.JURY_DAILY_BUDGET_USD ?? 0 });
      case 'stopped':
        return errorMessage('Stopped before anything was judged.');
    }
  }

  return {
    placeholder: (check) => messages.post(check, receivedMessage(wordsIn(check))),
    unshowable: async ({ team, requestedBy, progress }, record) => {
      const channel = await places.personal(team, requestedBy);
      if (channel === null) return;
      const message = unshowableMessage(progress.placeholder !== null, record);
      await messages.post({ channel, thread: null }, message);
    },
    watch: (check, message, plan) => watchCase(parts, check, message, plan),
    permalink: () => undefined,
    card: (_check, _message, record) => cards.show(record),
    summary: async (check, message, states, final) => {
      const key = `${check.channel} ${message}`;
      const shown = summaryMessage(check.id, states.map(summaryLineOf));
      if (!final) return changes.schedule(key, () => messages.update(check, message, shown, true));
      await changes.drop(key);
      await messages.update(check, message, shown);
    },
    problem: async (check, message, problem) => {
      await messages.update(check, message, await messageOf(check, problem));
    },
    answer: (check, message, answer) => messages.update(check, message, answerMessage(answer, parts.texts)),
    withdraw: async ({ channel, messages: shown }) => {
      for (const id of shown) await messages.remove({ channel, thread: null }, id);
    },
    thank: async ({ channel, thread, input }) => {
      // Where Teams does not let the app react, nothing is missing.
      if (input.kind === 'message')
        await messages.react({ channel, thread }, input.message, 'heart').catch(() => {});
    },
  };
}
