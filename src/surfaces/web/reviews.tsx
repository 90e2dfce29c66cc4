import type { Request, Router } from 'express';
import * as z from 'zod';
import { RunName } from '../../benchmark/index.ts';
import { counted } from '../../common/text/index.ts';
import type { CardTexts } from '../../judging/card/index.ts';
import {
  checkedThisWeek,
  choiceOf,
  countToReview,
  type NextReview,
  nextReview,
  noReviewText,
  type ReviewInvitation,
  type ReviewOffer,
  reviewChoices,
  reviewInvitation,
} from '../../reviews/index.ts';
import { keepReview, reviewPartsFor } from '../desks/index.ts';
import { showInvisible } from '../wording/index.ts';
import { visitor, voterOf } from './access.ts';
import { Case } from './card.tsx';
import { type PageContext, viewerOf } from './context.ts';
import { fragmentHtml, saying } from './page.tsx';

/** What a person presses, as `browser/reviews.ts` sends it. */
const Pressed = z.discriminatedUnion('does', [
  z.strictObject({ does: z.literal('start'), again: z.boolean() }),
  z.strictObject({ does: z.enum(['week', 'never']) }),
  z.strictObject({
    does: z.literal('answer'),
    run: RunName,
    place: z.int().min(0),
    right: z.enum(['pass', 'fail', 'unsure']),
  }),
]);
type Pressed = z.infer<typeof Pressed>;

/** A button with what it sends. @param press the number key that presses it, too */
function Press({ does, text, press }: { does: Pressed; text: string; press?: number }) {
  return (
    <button type="button" data-do="review" data-press={JSON.stringify(does)} data-key={press}>
      {press === undefined ? null : <kbd>{press}</kbd>} {text}
    </button>
  );
}

const skips: readonly { does: 'week' | 'never'; text: string }[] = [
  { does: 'week', text: 'Not this week' },
  { does: 'never', text: 'Never' },
];

/** What the buttons of an invitation do. A start from an old tab leaves a later "Never" alone. */
const invited = {
  start: { does: 'start', again: false },
  'skip-week': { does: 'week' },
  never: { does: 'never' },
} as const satisfies Record<ReviewInvitation['buttons'][number]['does'], Pressed>;

/** Asks a person to check answers. */
const Invitation = ({ invitation: { text, about, buttons } }: { invitation: ReviewInvitation }) => (
  <section class="card" aria-labelledby="review-title">
    <h2 id="review-title" class="still">
      {text}
    </h2>
    {about === null ? null : <p>{about}</p>}
    <div class="actions">
      {buttons.map(({ does, text: label }) => (
        <Press key={does} does={invited[does]} text={label} />
      ))}
    </div>
  </section>
);

/** What the rubric asks. */
const Asked = ({ standard: { title, task, criteria } }: Pick<ReviewOffer, 'standard'>) => (
  <>
    <h3>{title}</h3>
    {task === '' ? null : <p class="pre">{task}</p>}
    <dl class="entries">
      {criteria.map((criterion) => (
        <div key={criterion.title}>
          <dt>{criterion.title}</dt>
          <dd class="pre">{criterion.rule}</dd>
        </div>
      ))}
    </dl>
  </>
);

/** An answer to check, without what the judges said, with a key for each thing to say of it. */
export function ReviewItem({ offer, texts }: { offer: ReviewOffer; texts: CardTexts }) {
  const { run, place, number, most, evalCase, standard } = offer;
  return (
    <article class="card" data-offer={`${place} ${run}`} aria-labelledby="review-title">
      <h2 id="review-title" class="still" tabIndex={-1}>
        Answer {number} of at most {most} this week
      </h2>
      <div class="beside">
        <Case evalCase={evalCase} texts={texts} />
        <div>
          <p>
            <b>Is the response right?</b>
          </p>
          <div class="actions">
            {reviewChoices.map(({ right, text }, index) => (
              <Press key={right} does={{ does: 'answer', run, place, right }} text={text} press={index + 1} />
            ))}
          </div>
          <div class="actions">
            {skips.map(({ does, text }) => (
              <Press key={does} does={{ does }} text={text} />
            ))}
          </div>
          <Asked standard={standard} />
        </div>
      </div>
    </article>
  );
}

/** Why there is nothing to check, and how many the person has checked. */
function Rest({ kind, checked }: { kind: Exclude<NextReview['kind'], 'offer'>; checked: number }) {
  const many = checked === 0 ? '' : `You checked ${counted(checked, 'answer')} this week. `;
  return (
    <section class={kind === 'never' ? 'pale' : 'card'} aria-label="Answers to check">
      <p id="review-title" tabIndex={-1}>
        {many}
        {noReviewText[kind]}
      </p>
      {kind !== 'never' ? null : (
        <div class="actions">
          <Press does={{ does: 'start', again: true }} text="Ask me again" />
        </div>
      )}
    </section>
  );
}

/**
 * What the queue asks the visitor to check, as HTML; empty if there is nothing. Reading it claims no answer.
 *
 * @throws JuryError `store-unavailable`
 */
export async function reviewAsked(context: PageContext, request: Request): Promise<string> {
  const { store, now, pseudonym } = context;
  const voter = voterOf(pseudonym, visitor(request));
  const count = await countToReview({ store, now }, voter);
  if (count === 0) return '';
  const choice = await choiceOf(store, voter, now());
  return choice === 'never'
    ? fragmentHtml(<Rest kind="never" checked={0} />)
    : fragmentHtml(<Invitation invitation={reviewInvitation(count, choice === null, 'en')} />);
}

/** Registers the route of review samples. */
export function registerReviews(router: Router, context: PageContext): void {
  router.post(
    '/ui/reviews',
    saying(async (request, response) => {
      const pressed = Pressed.parse(request.body);
      const viewer = viewerOf(context, request);
      const { voter } = viewer;
      const said = await keepReview(context, voter, pressed);
      const parts = await reviewPartsFor(context, viewer);
      const next = await nextReview(parts, voter);
      const html = fragmentHtml(
        next.kind === 'offer' ? (
          <ReviewItem offer={next.offer} texts={context.texts} />
        ) : (
          <Rest kind={next.kind} checked={await checkedThisWeek(parts, voter)} />
        ),
      );
      response.json({ html: showInvisible(html), ...(said === null ? {} : { said }) });
    }),
  );
}
