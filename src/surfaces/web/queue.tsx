import type { Request, Router } from 'express';
import * as z from 'zod';
import { capital } from '../../common/text/index.ts';
import type { CardTexts } from '../../judging/card/index.ts';
import { visibleVerdict } from '../../labels/access/index.ts';
import { type QueuedVerdict, readVoteQueue } from '../../labels/queue/index.ts';
import { CaseAnswer, VoteValue } from '../../labels/record/index.ts';
import { firstOffered, standingVote, voteOf } from '../../labels/voting/index.ts';
import { wordsIn } from '../../words/index.ts';
import type { CardInput } from '../chat/index.ts';
import { castAnswer, castThumb, isUndecided, offeredAt, thumbText, voted } from '../desks/index.ts';
import { ownText } from '../views/index.ts';
import { ballotChoices, blindQuestion, type Standard, standardOf } from '../wording/index.ts';
import { Case, VerdictCard } from './card.tsx';
import { type PageContext, votingOf } from './context.ts';
import { fragmentHtml, saying, sendPage } from './page.tsx';
import { reviewAsked } from './reviews.tsx';

/** How many cases are sent at a time, so that the next one shows at once. */
const AHEAD = 8;

const THUMBS = [
  { text: '👍 The verdict is right', vote: { value: 'agree' } },
  { text: '👎 The verdict is wrong', vote: { value: 'disagree' } },
  { text: '🤷 Not sure', vote: { value: 'unsure' } },
] as const;

interface QueueItemProps {
  queued: QueuedVerdict;
  /** What its card shows; null if people answer before they see the verdict. */
  input: CardInput | null;
  standard: Standard;
  texts: CardTexts;
}

/** One case of the queue, with a key for each answer. */
export function QueueItem({ queued: { record, reason }, input, standard, texts }: QueueItemProps) {
  const { verdict, evalCase } = record;
  const asksWhatIsRight = input === null || verdict.preference !== undefined || isUndecided(record);
  const choices = asksWhatIsRight
    ? ballotChoices(verdict, standard, 'en').map(({ text, answer }) => ({ text, vote: { answer } }))
    : THUMBS;
  return (
    <div class="beside">
      <Case evalCase={evalCase} texts={texts} />
      <div>
        {input === null ? null : <VerdictCard input={input} own={null} isStill />}
        <p>{asksWhatIsRight ? blindQuestion(verdict, standard, 'en') : 'Is the panel right?'}</p>
        <div class="actions">
          {choices.map(({ text, vote }, index) => (
            <button
              type="button"
              key={text}
              data-do="queue-vote"
              data-vote={JSON.stringify(vote)}
              data-key={index + 1}
            >
              <kbd>{index + 1}</kbd> {text}
            </button>
          ))}
          <button type="button" data-do="queue-skip" data-key="s">
            <kbd>S</kbd> Skip
          </button>
        </div>
        {input === null ? null : <p class="pale">{capital(reason)}</p>}
      </div>
    </div>
  );
}

async function itemHtml(context: PageContext, queued: QueuedVerdict, isBlind: boolean): Promise<string> {
  const { texts, cards, library } = context;
  const { record } = queued;
  const input = isBlind ? null : await cards.inputOf(record);
  const standard = standardOf(record.verdict, library.rubrics, 'en');
  return fragmentHtml(<QueueItem queued={queued} input={input} standard={standard} texts={texts} />);
}

const Asked = z.object({ blind: z.enum(['on', 'off']).default('off').catch('off') });

/** In a body, not in the address: one browser may have dealt with more cases than an address can name. */
const AskedForMore = Asked.extend({
  /** Ids of cases to leave out: those that the browser has or has dealt with. */
  without: z.array(z.string()),
});

/** The verdicts that wait for the visitor's vote, except some that the browser already has. @throws JuryError `store-unavailable` */
async function waitingFor(
  context: PageContext,
  request: Request,
  { blind }: z.infer<typeof Asked>,
  without: readonly string[] = [],
) {
  const { store, now } = context;
  const { queue, own, lookedAt } = await readVoteQueue(
    store,
    votingOf(context, request),
    now(),
    blind === 'on',
  );
  const shownIds = new Set(without);
  const left = queue.filter(({ record }) => !shownIds.has(record.id));
  const items = await Promise.all(
    left.slice(0, AHEAD).map(async (queued) => ({
      id: queued.record.id,
      html: await itemHtml(context, queued, blind === 'on' || queued.record.blind === true),
    })),
  );
  return { items, waiting: left.length, lookedAt, own: ownText(own, 'en'), isBlind: blind === 'on' };
}

interface QueuePageProps extends Awaited<ReturnType<typeof waitingFor>> {
  /** What the visitor is asked to check, as HTML. */
  toCheck: string;
}

const QueuePage = ({ toCheck, ...waiting }: QueuePageProps) => (
  <>
    <h1>Queue</h1>
    <div id="reviews" dangerouslySetInnerHTML={{ __html: toCheck }} />
    <div id="votes">
      <Waiting {...waiting} />
    </div>
  </>
);

const Waiting = ({ items, waiting, lookedAt, own, isBlind }: Omit<QueuePageProps, 'toCheck'>) => (
  <>
    <p id="queue-left" role="status">
      {wordsIn('en').lists.waiting(waiting)}
    </p>
    <p class="pale">
      {isBlind ? (
        <>
          You answer before you see what the panel said. <a href="/queue">Show it first</a>.
        </>
      ) : (
        <>
          You see what the panel said. <a href="/queue?blind=on">Answer before you see it</a>.
        </>
      )}{' '}
      <span class="keys">
        Keys: a number answers, <kbd>S</kbd> skips, <kbd>Z</kbd> takes the last answer back.
      </span>
    </p>
    <p class="pale">{wordsIn('en').lists.lookedAt(lookedAt)}</p>
    {own === null ? null : <p class="pale">{own}</p>}
    <div id="queue" data-blind={isBlind ? 'on' : 'off'} data-waiting={waiting}>
      {items.map(({ id, html }, index) => (
        <article
          key={id}
          class="card"
          data-case={id}
          hidden={index > 0}
          dangerouslySetInnerHTML={{ __html: html }}
        />
      ))}
    </div>
    <p class="actions">
      <button type="button" id="queue-undo" data-do="queue-undo" data-key="z" hidden>
        <kbd>Z</kbd> Take the last answer back
      </button>
    </p>
  </>
);

const Voted = z.union([z.strictObject({ value: VoteValue }), z.strictObject({ answer: CaseAnswer })]);

/**
 * Casts an answer from the queue. In a blind queue, people answer about the case even if its verdict is open to others; such an answer
 * counts as a vote on the verdict.
 * @returns why it does not count, or null
 */
async function castQueued(
  context: PageContext,
  request: Request,
  id: string,
  vote: z.infer<typeof Voted>,
): Promise<string | null> {
  const { store, now } = context;
  const voting = votingOf(context, request, 'queue');
  if ('value' in vote) {
    const outcome = await castThumb(context, voting, id, vote.value);
    return outcome.kind === 'counted' ? null : thumbText(outcome, vote.value, 'en');
  }
  const visible = await visibleVerdict(store, id, voting, now());
  if (visible?.kind !== 'open' || visible.record.verdict.preference !== undefined)
    return castAnswer(context, voting, id, vote.answer);
  const { voter, surface, at } = voting;
  const ballot = voteOf(vote.answer, visible.record.verdict);
  const standing = await standingVote(store, id, voter);
  const offered = firstOffered(standing, await offeredAt(context, visible.record, voting));
  const { status } = await store.castVote({ verdictId: id, voter, surface, offered, at, ...ballot });
  voted(context, visible.record, status);
  return status === 'unknown-verdict' ? wordsIn('en').votes.gone : null;
}

/** Registers the routes of the queue. */
export function registerQueue(router: Router, context: PageContext): void {
  router.get(
    '/queue',
    saying(async (request, response) => {
      const waiting = await waitingFor(context, request, Asked.parse(request.query));
      const children = <QueuePage {...waiting} toCheck={await reviewAsked(context, request)} />;
      sendPage(request, response, { title: 'Queue', at: '/queue', children });
    }),
  );
  router.post(
    '/ui/queue',
    saying(async (request, response) => {
      const asked = AskedForMore.parse(request.body);
      const { items, waiting } = await waitingFor(context, request, asked, asked.without);
      response.json({ items, waiting });
    }),
  );
  router.post(
    '/ui/queue/:id',
    saying(async (request, response) => {
      const why = await castQueued(context, request, String(request.params.id), Voted.parse(request.body));
      response.json(why === null ? {} : { said: why });
    }),
  );
}
