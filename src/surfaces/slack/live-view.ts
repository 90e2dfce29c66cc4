import type { WebClient } from '@slack/web-api';
import type { CardTexts } from '../../judging/card.ts';
import type { CasePlan } from '../../judging/judge-case.ts';
import type { Watcher } from '../../requests/presenter.ts';
import type { SpotCheck } from '../../requests/spot-check.ts';
import type { Coalescer } from '../coalesce.ts';
import { advanced, type CheckProgress, waitingJudges } from '../progress.ts';
import { titleOf } from '../wording.ts';
import { rateLimitMs } from './clients.ts';
import type { Messages } from './messages.ts';
import { hiddenProgressMessage, placeholderMessage, planTitle, progressTasks } from './render/progress.ts';
import type { Streams } from './streams.ts';

interface LiveViewParts {
  messages: Messages;
  streams: Streams;
  /** At most one change a second for each message. */
  changes: Coalescer;
  texts: CardTexts;
  /** A client that tries each call once: the next change shows what this one would have. */
  once: WebClient;
}

/** Shows in a message how the judges get on: as a native stream, else by changing the message. */
export function watchCase(
  { messages, streams, changes, texts, once }: LiveViewParts,
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
    if (check.blind === true) return showHidden();
    if (streams.has(channel, message)) {
      const chunks = [
        { type: 'plan_update' as const, title: planTitle(progress) },
        ...progressTasks(progress),
      ];
      if (await streams.append(channel, message, chunks)) return;
    }
    await messages.update(channel, message, placeholderMessage(progress), once);
  }
  /** Nothing of what judges answer, and not when: how long and how often they are asked tells how they agree. */
  async function showHidden(): Promise<void> {
    const hidden = hiddenProgressMessage(progress);
    if (streams.has(channel, message)) {
      const chunks = [{ type: 'plan_update' as const, title: hidden.text }];
      if (await streams.append(channel, message, chunks)) return;
    }
    await messages.update(channel, message, hidden, once);
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
