import type { Request } from 'express';
import { type RunManifest, RunName } from '../../benchmark/index.ts';
import {
  type Actor,
  type Roles,
  type Viewer,
  type VisibleVerdict,
  viewerFor,
  visibleVerdict,
} from '../../labels/access/index.ts';
import { caseWords, type VerdictQuery, type VerdictRecord } from '../../labels/record/index.ts';
import { standingVote, type VoteStore } from '../../labels/voting/index.ts';
import type { SpotChecks } from '../../requests/index.ts';
import type { Cards, ChatParts } from '../chat/index.ts';
import type { Voting } from '../desks/index.ts';
import { type RunSummary, type SurfaceHost, surfaceOf } from '../index.ts';
import { standardOf } from '../wording/index.ts';
import { visitor, voterOf } from './access.ts';
import { LOCAL_USER, PAGE, personOf } from './ids.ts';
import type { Views } from './live-views.ts';
import type { ListedRun, RunShelf } from './run-summaries.ts';
import type { Shown } from './verdict-view.tsx';

/** What the routes of the console and the API need. */
export interface PageContext extends ChatParts {
  cards: Cards;
  checks: SpotChecks;
  views: Views;
  runs: RunShelf;
  /** Aborts when the service stops taking requests. */
  leaving: AbortSignal;
}

/** Surfaces without members of their own: everyone with access to the console may read what was judged there. */
const OPEN_SURFACES: readonly string[] = [PAGE, 'terminal'];

/**
 * Who may do what in the console. Holders of the console's key are members of every conversation. What was judged in the console, through
 * the API or with `jury judge --save` is open to everyone; conversations in chats, only to people whose sign-in proves that they are in
 * them. A case that is judged again in the console stays in its original conversation.
 */
export const consoleRoles = ({ roles, surfaces }: Pick<SurfaceHost, 'roles' | 'surfaces'>): Roles => ({
  ...roles,
  membership: async (actor, { surface, channel }) => {
    const isLocal = actor.people.some(({ user }) => user === LOCAL_USER);
    const at = { surface: surfaceOf(surfaces, { surface, channel }), channel };
    if (isLocal || OPEN_SURFACES.includes(at.surface)) return 'member';
    // No platform vouches for requests to the console, so anything short of proven membership counts as none.
    const membership = await roles.membership(actor, at);
    return membership === 'owner' || membership === 'member' || membership === 'guest'
      ? membership
      : 'outsider';
  },
});

/** The visitor as an actor, under all of their identities. */
export function actorOf(request: Request): Actor {
  const { user, person, email } = visitor(request);
  return { people: person === null ? [personOf(user)] : [personOf(user), person], email, at: null };
}

export const viewerOf = (
  { pseudonym, roles }: PageContext,
  request: Request,
  action: Parameters<typeof viewerFor>[1] = 'read',
): Viewer => viewerFor(roles, action, actorOf(request), voterOf(pseudonym, visitor(request)));

/** The visitor as a voter, at the current time. */
export const votingOf = (
  context: PageContext,
  request: Request,
  place: Voting['place'] = 'card',
): Voting => ({
  ...viewerOf(context, request, 'vote'),
  people: actorOf(request).people,
  surface: PAGE,
  at: context.now(),
  place,
});

/** What the visitor may see of a verdict; null if it doesn't exist or is not for them. @throws JuryError `store-unavailable` */
export async function shownTo(context: PageContext, request: Request, id: string): Promise<Shown | null> {
  const { store, cards, library, now } = context;
  const viewer = viewerOf(context, request);
  const visible = await visibleVerdict(store, id, viewer, now());
  if (visible === null) return null;
  const { record } = visible;
  return {
    visible,
    input: await cards.inputOf(record),
    standard: standardOf(record.verdict, library.rubrics, 'en'),
    own: visible.kind === 'open' ? await standingVote(store, id, viewer.voter) : null,
  };
}

/** The criteria of a search for verdicts. */
export type Search = Omit<VerdictQuery, 'limit'> & {
  /** Only verdicts that more people find wrong than right. */
  isDoubted?: boolean;
};

/** A page of search results. */
export interface FoundVerdicts {
  found: VisibleVerdict[];
  /** The id after which the next page begins; null if this is the last one. */
  next: string | null;
  /** The number of verdicts searched, if none of them matched and there are more. */
  lookedAt?: number;
}

/** How many verdicts are read at a time, and at most for one page. */
const READ = { atOnce: 100, most: 2_000 } as const;

/** Whether a match reveals nothing about a hidden verdict: the search names no outcome, and all its words are in the case. */
function isTellingNothing(
  { record }: VisibleVerdict,
  { words = [], decision, isSplit, isDoubted }: Search,
): boolean {
  if (decision !== undefined || isSplit === true || isDoubted === true) return false;
  const wordsOfCase = new Set(caseWords(record));
  return words.every((word) => wordsOfCase.has(word));
}

/** Whether a verdict matches the criteria that the store does not check itself. */
async function isLookedFor(
  store: Pick<VoteStore, 'tally'>,
  visible: VisibleVerdict,
  search: Search,
): Promise<boolean> {
  if (visible.kind === 'hidden' && !isTellingNothing(visible, search)) return false;
  if (search.isDoubted !== true) return true;
  const { agree, disagree } = await store.tally(visible.record.id);
  return disagree > agree;
}

/** Searches only surfaces where the visitor may see anything at all, so that the others cost no time. Newest first. */
async function searched(
  { store }: PageContext,
  request: Request,
  query: VerdictQuery,
): Promise<VerdictRecord[]> {
  const { user, person } = visitor(request);
  if (user === LOCAL_USER || query.surface !== undefined) return store.searchVerdicts(query);
  const surfaces = [...OPEN_SURFACES, ...(person === null ? [] : [person.surface])];
  const each = surfaces.map((surface) => store.searchVerdicts({ ...query, surface }));
  const all = (await Promise.all(each)).flat();
  return all.sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1)).slice(0, query.limit);
}

/**
 * The verdicts that match a search and that the visitor may see, newest first. Hidden verdicts are found by their case alone.
 * @throws JuryError `store-unavailable`
 */
export async function findFor(
  context: PageContext,
  request: Request,
  search: Search,
  limit: number,
): Promise<FoundVerdicts> {
  const { store, now } = context;
  // Something was typed, but no word.
  if (search.words?.length === 0) return { found: [], next: null };
  const viewer = viewerOf(context, request);
  const matching: VisibleVerdict[] = [];
  let after = search.after;
  for (let read = 0; read < READ.most; read += READ.atOnce) {
    const page = await searched(context, request, {
      ...search,
      ...(after === undefined ? {} : { after }),
      limit: READ.atOnce,
    });
    // In parallel, because checking a membership may take a request to the chat platform.
    const all = await Promise.all(page.map(({ id }) => visibleVerdict(store, id, viewer, now())));
    for (const visible of all) {
      if (visible === null || !(await isLookedFor(store, visible, search))) continue;
      // Only once there is one more visible verdict: a next page without any would reveal that others exist.
      if (matching.length === limit) return { found: matching, next: matching.at(-1)?.record.id ?? null };
      matching.push(visible);
    }
    if (page.length < READ.atOnce) return { found: matching, next: null };
    after = page.at(-1)?.id;
  }
  const last = matching.at(-1);
  return last === undefined
    ? { found: matching, next: null, lookedAt: READ.most }
    : { found: matching, next: last.record.id };
}

const isLocal = (request: Request): boolean => visitor(request).user === LOCAL_USER;

/** The address of the cases of a run, with `{row}` for a row number. */
export const caseAddress = (run: string): string => `/ui/runs/${run}/cases/{row}`;

/** The runs as the visitor may read them. Only holders of the console's key see copies of cases whose verdict is gone. */
export const runsOf = ({ runs }: PageContext, request: Request): PageContext['runs']['whole'] =>
  isLocal(request) ? runs.whole : runs.withoutGone;

/**
 * Whether the visitor may see a run. Runs are open to everyone with access to the console, except that cases copied from chats are only
 * for people who may see the verdicts they came from. Holders of the console's key see every run. A verdict that is gone does not hide
 * the run: its case is then withheld from everyone else (see {@link runsOf}).
 */
async function maySee(context: PageContext, request: Request, run: RunManifest): Promise<boolean> {
  if (isLocal(request)) return true;
  const viewer = viewerOf(context, request);
  const { ids, gone } = await context.runs.copies(run);
  for (const id of ids) {
    if (gone.has(id)) continue;
    const visible = await visibleVerdict(context.store, id, viewer, context.now());
    if (visible === null || visible.kind === 'hidden') return false;
  }
  return true;
}

/** A run's manifest; null if there is no such run or the visitor may not see it. */
export async function runFor(
  context: PageContext,
  request: Request,
  name: unknown,
): Promise<RunManifest | null> {
  const runName = RunName.safeParse(name).data;
  const manifest = runName === undefined ? null : await (await context.runs.whole.store()).readRun(runName);
  return manifest !== null && (await maySee(context, request, manifest)) ? manifest : null;
}

/** The runs that the visitor may see, newest first. */
export async function listedRunsFor(context: PageContext, request: Request): Promise<ListedRun[]> {
  const seen: ListedRun[] = [];
  for (const run of await context.runs.list())
    if (await maySee(context, request, run.manifest)) seen.push(run);
  return seen;
}

/** Summaries of the runs that the visitor may see, newest first. Scores that would take too long are null. */
export const runsFor = async (context: PageContext, request: Request): Promise<RunSummary[]> =>
  context.runs.summaries(await listedRunsFor(context, request));
