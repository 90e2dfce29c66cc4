import type { WebClient } from '@slack/web-api';
import type { Understood } from '../../case/paste/draft.ts';
import type { CasePlan } from '../../judging/judge-case.ts';
import type { CheckProblem, Presenter, Watcher } from '../../requests/presenter.ts';
import type { SpotCheck } from '../../requests/spot-check.ts';
import { keepDraft } from '../drafts.ts';
import { summaryLineOf } from '../lists.ts';
import { advanced, type CheckProgress, waitingJudges } from '../progress.ts';
import { titleOf } from '../wording.ts';
import { rateLimitMs } from './clients.ts';
import type { Cards, SlackParts } from './context.ts';
import { kindOf } from './ids.ts';
import { permalinkOf, type StreamStart } from './messages.ts';
import { quietPost, type SlackMessage } from './render/blocks.ts';
import {
  budgetMessage,
  errorMessage,
  problemMessage,
  unshowableMessage,
  welcomeMessage,
} from './render/notices.ts';
import {
  hiddenProgressMessage,
  placeholderMessage,
  planTitle,
  progressTasks,
  receivedMessage,
  stopRow,
} from './render/progress.ts';
import { summaryMessage } from './render/summary.ts';

/** Shows in a message how the judges get on: as a native stream, else by changing the message. */
function watchCase(
  { messages, streams, changes, texts, clients }: SlackParts,
  check: SpotCheck,
  message: string,
  plan: CasePlan,
): Watcher {
  const { channel } = check;
  let progress: CheckProgress = {
    checkId: check.id,
    title: titleOf(plan.evalCase),
    method: plan.method.id,
    rubric: plan.rubric.id,
    stage: 'panel',
    round: 0,
    rounds: plan.method.rounds,
    judges: waitingJudges(plan.panel, texts),
    of: null,
    stopping: false,
  };
  let ended = false;
  /** Slack wants no changes before this moment of the process. */
  let silentUntil = 0;
  const key = `${channel} ${message}`;

  async function show(): Promise<void> {
    // Nothing of what judges answer, and not when: how long and how often they are asked tells how they agree.
    const hidden = check.blind === true ? hiddenProgressMessage(progress) : null;
    if (streams.has(channel, message)) {
      const title = { type: 'plan_update' as const, title: hidden?.text ?? planTitle(progress) };
      const chunks = hidden === null ? [title, ...progressTasks(progress)] : [title];
      if (await streams.append(channel, message, chunks)) return;
    }
    // Tried once: the next change shows what this one would have.
    await messages.update(channel, message, hidden ?? placeholderMessage(progress), clients.once);
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
      await streams.end(channel, message);
    },
  };
}

const none: StreamStart = { kind: 'none', mayHaveArrived: false };

const markerOf = (check: SpotCheck, part: string): string => `${check.id} ${part}`;

/** Shows checks in Slack. */
export function createSlackPresenter(parts: SlackParts & { cards: Cards }): Presenter {
  const { store, clients, messages, streams, cards, changes } = parts;
  const client = clients.now;

  async function draftFor(check: SpotCheck, understood: Understood, problem: string): Promise<string | null> {
    const { wish, team, channel, thread, again } = check;
    const draft = { understood, wish, team, channel, thread, again, problem };
    // Without the store there is no form to open; what was understood is shown all the same.
    return keepDraft(store, draft, parts.now(), check.id).catch(() => null);
  }

  async function messageOf(check: SpotCheck, problem: CheckProblem): Promise<SlackMessage> {
    switch (problem.kind) {
      case 'unclear': {
        const draftId = await draftFor(check, problem.understood, problem.problem);
        return problemMessage({ ...problem, draftId, format: parts.library.caseFormat });
      }
      case 'refused': {
        if (problem.evalCase === undefined) return errorMessage(problem.message);
        const draftId = await draftFor(check, problem.evalCase, problem.message);
        return problemMessage({
          problem: problem.message,
          missing: problem.missing ?? [],
          understood: problem.evalCase,
          draftId,
          format: parts.library.caseFormat,
        });
      }
      case 'failed':
        return errorMessage(problem.message);
      case 'nothing':
        return welcomeMessage();
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
      const streamed = isRetry ? none : await streams.start(check);
      if (streamed.kind === 'open') return streamed.ts;
      const marker = { text: markerOf(check, 'card'), stops: check.id };
      return messages.postOnce(check, receivedMessage(check.id), marker, isRetry || streamed.mayHaveArrived);
    },
    unshowable: async ({ requestedBy, progress }, record) => {
      const message = unshowableMessage(progress.placeholder !== null, record);
      await client.chat.postMessage({ channel: requestedBy, ...quietPost, ...message });
    },
    watch: (check, message, plan) => watchCase(parts, check, message, plan),
    reply: (check, index, isRetry) => {
      const { channel, at, progress } = check;
      const place = { channel, at, thread: check.thread ?? progress.placeholder };
      const waiting = summaryMessage([{ kind: 'pending', title: `case ${index + 1}`, permalink: null }]);
      return messages.postOnce(place, waiting, { text: markerOf(check, String(index)) }, isRetry);
    },
    permalink: ({ channel, thread }, message) =>
      permalinkOf(parts.identity.workspaceUrl, channel, message, thread),
    card: async ({ channel }, message, record) => {
      await streams.end(channel, message);
      await cards.show(record);
    },
    summary: async ({ id, channel }, message, states, final) => {
      await streams.end(channel, message);
      const key = `${channel} ${message}`;
      const isOpen = states.some(({ kind }) => kind === 'pending');
      const { text, blocks } = summaryMessage(states.map(summaryLineOf));
      const shown = { text, blocks: isOpen ? [...blocks, stopRow(id)] : blocks };
      const show = (by: WebClient) => messages.update(channel, message, shown, by);
      if (!final) return changes.schedule(key, () => show(clients.once));
      await changes.drop(key);
      await show(client);
    },
    problem: async (check, message, problem) => {
      await streams.end(check.channel, message);
      await messages.update(check.channel, message, await messageOf(check, problem));
    },
  };
}
