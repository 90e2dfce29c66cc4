import type { Request } from 'express';
import { standingVote } from '../../labels/cast-vote.ts';
import type { VerdictRecord } from '../../labels/verdict-record.ts';
import { type Viewer, visibleVerdict } from '../../labels/visible-verdict.ts';
import type { MessageSource } from '../../requests/read-message.ts';
import type { SpotChecks } from '../../requests/take-up.ts';
import type { Cards, ChatParts } from '../chat-presenter.ts';
import type { Voting } from '../vote-desk.ts';
import { standardOf } from '../wording.ts';
import { visitor } from './access.ts';
import type { Shown } from './card.tsx';
import { LOCAL_USER, PAGE, personOf } from './ids.ts';
import type { Views } from './views.ts';

/** What the routes of the console and the API work with. */
export interface PageContext extends ChatParts {
  cards: Cards;
  checks: SpotChecks;
  views: Views;
  paste: MessageSource['paste'];
  /** Aborts when the service takes no more requests. */
  leaving: AbortSignal;
}

/** Surfaces without members of their own: what was judged there is for everyone who may use the console. */
const OPEN_SURFACES: readonly string[] = [PAGE, 'terminal'];

/**
 * Who looks. A person on the machine itself may see everything that is kept there; programs and people elsewhere see what was
 * judged in the console, through the API and with `jury judge --save`.
 */
function viewerOf({ pseudonym }: PageContext, user: string): Viewer {
  return {
    voter: pseudonym(personOf(user)),
    maySee: async ({ source }) => user === LOCAL_USER || OPEN_SURFACES.includes(source.surface),
  };
}

/** Who votes with a request. */
export const votingOf = (context: PageContext, request: Request): Voting => ({
  ...viewerOf(context, visitor(request).user),
  surface: PAGE,
  at: context.now(),
});

/** What the visitor may see of a verdict; null if there is none for them. @throws JuryError `store-unavailable` */
export async function shownTo(context: PageContext, request: Request, id: string): Promise<Shown | null> {
  const { store, cards, library, now } = context;
  const viewer = viewerOf(context, visitor(request).user);
  const visible = await visibleVerdict(store, id, viewer, now());
  if (visible === null) return null;
  const { record } = visible;
  return {
    visible,
    input: await cards.inputOf(record),
    standard: standardOf(record.verdict, library.rubrics),
    own: visible.kind === 'open' ? await standingVote(store, id, viewer.voter) : null,
  };
}

/** The verdicts that the visitor may see, newest first. @throws JuryError `store-unavailable` */
export async function listedTo(
  context: PageContext,
  request: Request,
  limit: number,
): Promise<VerdictRecord[]> {
  const { maySee } = viewerOf(context, visitor(request).user);
  const recent = await context.store.recentVerdicts({ channel: null, limit });
  const seen = await Promise.all(recent.map(maySee));
  return recent.filter((_, index) => seen[index]);
}
