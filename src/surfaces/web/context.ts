import type { Request } from 'express';
import { belongs, benchmarkIds } from '../../benchmark/benchmark-definition.ts';
import { plannedTrials, type RunManifest, RunName, subjectOf } from '../../benchmark/run.ts';
import { standingVote, type VoteStore } from '../../labels/cast-vote.ts';
import {
  type Actor,
  type Roles,
  type Viewer,
  type VisibleVerdict,
  viewerFor,
  visibleVerdict,
} from '../../labels/permissions.ts';
import { caseWords, type VerdictQuery, type VerdictRecord } from '../../labels/verdict-record.ts';
import { settledSide } from '../../labels/vote.ts';
import type { SpotChecks } from '../../requests/take-up.ts';
import type { Cards, ChatParts } from '../chat-presenter.ts';
import { type SurfaceHost, surfaceOf } from '../surface.ts';
import type { Voting } from '../vote-desk.ts';
import { standardOf } from '../wording.ts';
import { visitor, voterOf } from './access.ts';
import { LOCAL_USER, PAGE, personOf } from './ids.ts';
import type { ListedRun, RunShelf, RunSummary } from './run-shelf.ts';
import type { Shown } from './view.tsx';
import type { Views } from './views.ts';

/** What the routes of the console and the API work with. */
export interface PageContext extends ChatParts {
  cards: Cards;
  checks: SpotChecks;
  views: Views;
  runs: RunShelf;
  /** Aborts when the service takes no more requests. */
  leaving: AbortSignal;
}

/** Surfaces without members of their own: what was judged there is for everyone who may use the console. */
const OPEN_SURFACES: readonly string[] = [PAGE, 'terminal'];

/**
 * Who may do what at the console. A person on the machine itself is everywhere; what was judged in the console, through the API and
 * with `jury judge --save` is for everyone; of chats, people come to the conversations that their sign-in proves them to be in. What
 * was judged again at the console stays with the conversation that it was first judged in.
 */
export const consoleRoles = ({ roles, surfaces }: Pick<SurfaceHost, 'roles' | 'surfaces'>): Roles => ({
  ...roles,
  membership: async (actor, { surface, channel }) => {
    const isLocal = actor.people.some(({ user }) => user === LOCAL_USER);
    const at = { surface: surfaceOf(surfaces, { surface, channel }), channel };
    if (isLocal || OPEN_SURFACES.includes(at.surface)) return 'member';
    // No platform signs what is done here.
    const found = await roles.membership(actor, at);
    return found === 'owner' || found === 'member' || found === 'guest' ? found : 'outsider';
  },
});

/** Who makes a request. */
export function actorOf(request: Request): Actor {
  const { user, person, email } = visitor(request);
  return { people: person === null ? [personOf(user)] : [personOf(user), person], email, at: null };
}

export const viewerOf = (
  { pseudonym, roles }: PageContext,
  request: Request,
  action: Parameters<typeof viewerFor>[1] = 'read',
): Viewer => viewerFor(roles, action, actorOf(request), voterOf(pseudonym, visitor(request)));

/** Who votes with a request. */
export const votingOf = (context: PageContext, request: Request): Voting => ({
  ...viewerOf(context, request, 'vote'),
  surface: PAGE,
  at: context.now(),
});

/** What the visitor may see of a verdict; null if there is none for them. @throws JuryError `store-unavailable` */
export async function shownTo(context: PageContext, request: Request, id: string): Promise<Shown | null> {
  const { store, cards, library, now } = context;
  const viewer = viewerOf(context, request);
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

/** What a visitor looks for. */
export type Search = Omit<VerdictQuery, 'limit'> & {
  /** Only those that more people find wrong than right. */
  isDoubted?: boolean;
};

/** A page of what a visitor looks for; `next`: where the next one begins, null if there is none. */
export interface FoundVerdicts {
  found: VisibleVerdict[];
  next: string | null;
  /** How many were looked at, where that was not all and nothing was found among them. */
  lookedAt?: number;
}

/** Verdicts are read so many at a time, and at most so many for one page. */
const READ = { atOnce: 100, most: 2_000 } as const;

/** Whether what is looked for tells nothing of a verdict that is hidden from the visitor. */
function isTellingNothing(
  { record }: VisibleVerdict,
  { words = [], decision, isSplit, isDoubted }: Search,
): boolean {
  if (decision !== undefined || isSplit === true || isDoubted === true) return false;
  const own = new Set(caseWords(record));
  return words.every((word) => own.has(word));
}

/** Whether a verdict that was found is one that is looked for, as far as the store does not know. */
async function isLookedFor(
  store: Pick<VoteStore, 'tally'>,
  visible: VisibleVerdict,
  search: Search,
): Promise<boolean> {
  if (visible.kind === 'hidden' && !isTellingNothing(visible, search)) return false;
  return search.isDoubted !== true || settledSide(await store.tally(visible.record.id)) === 'disagree';
}

/** A page of what is looked for, where the visitor may see anything at all: what is elsewhere costs them no time. */
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
 * The verdicts that the visitor looks for and may see, newest first. What is hidden from them is found by its case alone.
 * @throws JuryError `store-unavailable`
 */
export async function findFor(
  context: PageContext,
  request: Request,
  search: Search,
  limit: number,
): Promise<FoundVerdicts> {
  const { store, now } = context;
  // Nothing that was typed is a word.
  if (search.words?.length === 0) return { found: [], next: null };
  const viewer = viewerOf(context, request);
  const found: VisibleVerdict[] = [];
  let after = search.after;
  for (let read = 0; read < READ.most; read += READ.atOnce) {
    const page = await searched(context, request, {
      ...search,
      ...(after === undefined ? {} : { after }),
      limit: READ.atOnce,
    });
    // At once: who is in a conversation may have to be asked elsewhere.
    const all = await Promise.all(page.map(({ id }) => visibleVerdict(store, id, viewer, now())));
    for (const visible of all) {
      if (visible === null || !(await isLookedFor(store, visible, search))) continue;
      // There is a next page only if the visitor may see something of it: else it would tell of what they may not.
      if (found.length === limit) return { found, next: found.at(-1)?.record.id ?? null };
      found.push(visible);
    }
    if (page.length < READ.atOnce) return { found, next: null };
    after = page.at(-1)?.id;
  }
  const last = found.at(-1);
  return last === undefined ? { found, next: null, lookedAt: READ.most } : { found, next: last.record.id };
}

/** How long a list of runs takes for scores that are not known yet, ms; the others come later. */
const PATIENCE_MS = 1_500;

const isLocal = (request: Request): boolean => visitor(request).user === LOCAL_USER;

/** The runs as the visitor reads them: a person on the machine itself reads also copies of cases whose verdict is gone. */
export const runsOf = ({ runs }: PageContext, request: Request): PageContext['runs']['whole'] =>
  isLocal(request) ? runs.whole : runs.withoutGone;

/**
 * Whether a visitor may see a run. Runs are for everyone who may use the console, but copies of chats' cases only for those who may see
 * the verdicts that they were copied from; a person on the machine itself sees all. Where such a verdict is gone, no one else reads
 * its case, and it hides no run.
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

/** A run, if there is one that the visitor may see. */
export async function runFor(
  context: PageContext,
  request: Request,
  name: unknown,
): Promise<RunManifest | null> {
  const known = RunName.safeParse(name).data;
  const manifest = known === undefined ? null : await (await context.runs.whole.store()).readRun(known);
  return manifest !== null && (await maySee(context, request, manifest)) ? manifest : null;
}

/** The runs that the visitor may see, the newest first. */
export async function listedRunsFor(context: PageContext, request: Request): Promise<ListedRun[]> {
  const seen: ListedRun[] = [];
  for (const run of await context.runs.list())
    if (await maySee(context, request, run.manifest)) seen.push(run);
  return seen;
}

/** The same with what each came to. */
export async function runsFor(context: PageContext, request: Request): Promise<RunSummary[]> {
  const { env, now, runs } = context;
  const deadline = now() + PATIENCE_MS;
  const defined = benchmarkIds(env.promptFolders);
  const found: RunSummary[] = [];
  for (const run of await listedRunsFor(context, request)) {
    const { manifest, totals } = run;
    const { name, createdAt, dataset, configurations } = manifest;
    found.push({
      id: name,
      benchmark: defined.find((id) => belongs(id, name, defined)) ?? null,
      createdAt,
      subject: subjectOf(manifest),
      source: dataset.source,
      cases: dataset.cases,
      configurations: configurations.filter(({ repeat }) => repeat === 1).length,
      trials: totals.trials,
      planned: plannedTrials(manifest),
      score: await runs.score(run, deadline),
    });
  }
  return found;
}
