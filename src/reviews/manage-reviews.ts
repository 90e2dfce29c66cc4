import { createHash } from 'node:crypto';
import {
  isCaseErased,
  placesOf,
  plannedTrials,
  type ReviewSettings,
  type TrialStore,
  yardstickHash,
} from '../benchmark/index.ts';
import { type EvalCase, GROUP_TAG } from '../case/index.ts';
import { DAY_MS, FOREVER_MS, type KeyValue, memoized } from '../common/index.ts';
import { caseIdOf } from '../judging/index.ts';
import { withoutAnswer } from '../labels/voting/index.ts';
import type { Library } from '../prompting/index.ts';
import { type DecidedAnswer, decidedAnswer, drawSample } from './draw-sample.ts';
import {
  type ClaimOn,
  changeSample,
  changeWeek,
  choiceOf,
  choose,
  claim,
  claimedBy,
  deleteChoice,
  deleteOffers,
  deletePerson,
  findSample,
  forgetAsked,
  keepSample,
  listSamples,
  type ReviewChoice,
  readWeeks,
  release,
  type Week,
} from './kept-reviews.ts';
import {
  isSampleOf,
  madeOf,
  openSlots,
  type ReviewDesign,
  type ReviewEntry,
  type ReviewLabel,
  type ReviewSample,
  reviewedRun,
} from './review-sample.ts';

/** What checking answers needs. */
export interface ReviewParts {
  store: KeyValue;
  /** As people may see them: redacted, and without what was erased. */
  runs: Pick<TrialStore, 'readRun' | 'readTrials' | 'totals' | 'caseAt'>;
  library: Pick<Library, 'rubrics'>;
  /** ms since the epoch. */
  now: () => number;
}

/** How a run is sampled, and who is asked. */
export interface ReviewWish extends Omit<ReviewSettings, 'people'> {
  /** Pseudonyms; null: anyone who may run commands. */
  people: readonly string[] | null;
  /** How long labels are kept, in days; 0: for good. */
  retentionDays: number;
}

/**
 * `known`: the run has a sample already, which stands. `other-run`: another run of the same name has one, which stands. `undecided`: no answer has
 * a decision of pass or fail.
 */
export type BegunReview =
  | { kind: 'begun' | 'known'; design: ReviewDesign }
  | { kind: 'no-run' | 'other-run' | 'undecided' }
  | { kind: 'incomplete'; trials: number; planned: number };

/** Equal for cases that belong together, in all runs: those with the same tag `group`, of which only a hash is kept, or the same id. */
function unitOf(evalCase: EvalCase): string {
  const group = evalCase.tags?.[GROUP_TAG];
  if (group === undefined) return caseIdOf(evalCase);
  return createHash('sha256').update(`group ${group}`).digest('base64url').slice(0, 22);
}

/**
 * Draws answers of a finished run for people to check: the first repeat of its first configuration. Calling it again changes nothing.
 *
 * @throws JuryError `store-unavailable`
 */
export async function beginReview(
  {
    store,
    runs,
    now,
  }: Pick<ReviewParts, 'store' | 'now'> & {
    runs: Pick<TrialStore, 'readRun' | 'readTrials' | 'totals' | 'caseAt'>;
  },
  run: string,
  wish: ReviewWish,
): Promise<BegunReview> {
  const manifest = await runs.readRun(run);
  if (manifest === null) return { kind: 'no-run' };
  const standing = await findSample(store, run, now());
  if (standing !== null) {
    if (!isSampleOf(standing, manifest)) return { kind: 'other-run' };
    const { sample } = await keepSample(store, standing, now());
    return { kind: 'known', design: reviewedRun(sample).design };
  }
  const { trials } = await runs.totals(run);
  const planned = plannedTrials(manifest);
  if (trials < planned) return { kind: 'incomplete', trials, planned };
  const [first] = manifest.configurations;
  const decided: DecidedAnswer[] = [];
  let judged = 0;
  for await (const trial of runs.readTrials(run)) {
    const places = placesOf(trial.key);
    if (places === null || trial.configuration !== first?.id) continue;
    judged += 1;
    const answer = decidedAnswer(trial, places.index);
    if (answer !== null) decided.push(answer);
  }
  if (decided.length === 0) return { kind: 'undecided' };
  const { strata, drawn } = drawSample(run, decided, wish.size);
  const units = await Promise.all(drawn.map(async ({ place }) => unitOf(await runs.caseAt(run, place))));
  const rubrics = [...new Set(decided.map(({ rubric }) => rubric))].sort();
  const at = now();
  const fresh: ReviewSample = {
    version: 1,
    run,
    made: madeOf(manifest),
    at,
    until: at + (wish.retentionDays === 0 ? FOREVER_MS : wish.retentionDays * DAY_MS),
    people: wish.people === null ? null : [...new Set(wish.people)].sort(),
    votes: wish.votes,
    perWeek: wish.perWeek,
    days: wish.days,
    signatures: Object.fromEntries(rubrics.map((rubric) => [rubric, yardstickHash(manifest, rubric)])),
    undecided: judged - decided.length,
    strata,
    entries: drawn.map((answer, index) => ({ ...answer, unit: units[index] ?? answer.caseId, labels: [] })),
  };
  const { isNew, sample } = await keepSample(store, fresh, at);
  return { kind: isNew ? 'begun' : 'known', design: reviewedRun(sample).design };
}

/** Answers of older runs are no longer offered. */
const OFFERED_MS = 30 * DAY_MS;

/** An answer for one person to check, without what the judges said. */
export interface ReviewOffer {
  run: string;
  /** Index of the case in the dataset; with the run it identifies the offer. */
  place: number;
  /** How many answers the person has been offered this week, this one included, and how many they are offered at most. */
  number: number;
  most: number;
  /** Without label, id and tags. */
  evalCase: EvalCase;
  /** What the rubric asks; without criteria if the rubric no longer exists. */
  standard: { title: string; task: string; criteria: { title: string; rule: string }[] };
}

/**
 * - `offer`: what to check next; the same one until it is answered, skipped or too late.
 * - `not-volunteer`, `never`: the person has not volunteered, or wants never to be asked.
 * - `not-this-week`: they skip this week. `enough`: they have been offered as many as the setting allows in a week.
 * - `not-asked`: the named run has no sample, or does not ask them. `past`: it was drawn too long ago. `none`: nothing is left to check.
 */
export type NextReview =
  | { kind: 'offer'; offer: ReviewOffer }
  | { kind: 'not-volunteer' | 'never' | 'not-this-week' | 'enough' | 'not-asked' | 'past' | 'none' };

/** @param run the one that was named; a sample without a list of people is only offered by name */
const asks = ({ people }: ReviewSample, voter: string, run: string | null): boolean =>
  people === null ? run !== null : people.includes(voter);

/**
 * Samples that ask this person, newest first.
 *
 * @param run only this one; null: all that name them
 * @param keptMs only those drawn in this time before now
 */
export async function samplesFor(
  store: KeyValue,
  voter: string,
  run: string | null,
  now: number,
  keptMs = OFFERED_MS,
): Promise<ReviewSample[]> {
  const listed = await listSamples(store, now);
  const offered = listed.filter((one) => (run === null || one.run === run) && one.at > now - keptMs);
  const samples = await Promise.all(offered.map((one) => findSample(store, one.run, now)));
  return samples.filter((sample) => sample !== null).filter((sample) => asks(sample, voter, run));
}

/** Whether a sample that is still offered names a person. @throws JuryError `store-unavailable` */
export const isNamedReviewer = async (
  { store, now }: Pick<ReviewParts, 'store' | 'now'>,
  voter: string,
): Promise<boolean> => (await samplesFor(store, voter, null, now())).length > 0;

export const isSaidBy = ({ labels }: Pick<ReviewEntry, 'labels'>, voter: string): boolean =>
  labels.some((label) => label.voter === voter);

/** The slot of an answer that is a person's own and not answered yet; null if there is none. */
async function ownSlot(
  store: KeyValue,
  { run, votes }: ReviewSample,
  entry: ReviewEntry,
  voter: string,
  now: number,
): Promise<number | null> {
  if (isSaidBy(entry, voter)) return null;
  for (const slot of openSlots(entry, votes))
    if ((await claimedBy(store, { run, place: entry.place, slot }, now)) === voter) return slot;
  return null;
}

/** What a person was offered and has neither answered nor let go, oldest first. */
export async function standingOffers(store: KeyValue, voter: string, weeks: readonly Week[], now: number) {
  const sampleOf = memoized((run: string) => findSample(store, run, now));
  const standing: { sample: ReviewSample; entry: ReviewEntry; slot: number }[] = [];
  for (const { run, place } of weeks.toReversed().flatMap(({ offers }) => offers)) {
    const sample = await sampleOf(run);
    const entry = sample?.entries.find((one) => one.place === place);
    const slot =
      sample === null || entry === undefined ? null : await ownSlot(store, sample, entry, voter, now);
    if (sample !== null && entry !== undefined && slot !== null) standing.push({ sample, entry, slot });
  }
  return standing;
}

/** The case as it is shown; null if it was erased, or its run is gone or was replaced by another of the same name. */
async function shownCase(
  { runs }: Pick<ReviewParts, 'runs'>,
  sample: ReviewSample,
  place: number,
): Promise<EvalCase | null> {
  const manifest = await runs.readRun(sample.run);
  if (manifest === null || !isSampleOf(sample, manifest)) return null;
  const evalCase = await runs.caseAt(sample.run, place);
  if (isCaseErased(evalCase)) return null;
  const { tags: _, ...shown } = withoutAnswer(evalCase);
  return shown;
}

function standardOf({ library }: Pick<ReviewParts, 'library'>, id: string): ReviewOffer['standard'] {
  const rubric = library.rubrics.get(id);
  if (rubric === undefined) return { title: id, task: '', criteria: [] };
  const { title, task, criteria } = rubric;
  return { title, task, criteria: criteria.map((one) => ({ title: one.title, rule: one.rule })) };
}

export const isOffered = (weeks: readonly Week[], run: string, place: number): boolean =>
  weeks.some(({ offers }) => offers.some((one) => one.run === run && one.place === place));

/** An answer to check, as it is shown; null if its case can no longer be shown. */
async function offerOf(
  parts: ReviewParts,
  sample: ReviewSample,
  { place, rubric }: ReviewEntry,
  number: number,
): Promise<ReviewOffer | null> {
  const { run, perWeek: most } = sample;
  const evalCase = await shownCase(parts, sample, place);
  return evalCase === null
    ? null
    : { run, place, number, most, evalCase, standard: standardOf(parts, rubric) };
}

/** Takes back an offer to a person who was erased, or wants never to be asked, while it was made. */
async function takeBack(store: KeyValue, claim: ClaimOn, voter: string, now: number): Promise<void> {
  await release(store, claim, voter, now);
  if ((await choiceOf(store, voter, now)) === null) await deleteOffers(store, voter, now);
}

/**
 * Claims an answer and notes it as offered. Null: others are asked about it, or it cannot be shown. `changed`: the person asked twice at
 * once, and the other call was first, or they no longer volunteer.
 */
async function claimEntry(
  parts: ReviewParts,
  sample: ReviewSample,
  entry: ReviewEntry,
  voter: string,
  offered: number,
  now: number,
): Promise<ReviewOffer | 'changed' | null> {
  const { store } = parts;
  const { run, votes, days } = sample;
  const { place } = entry;
  for (const slot of openSlots(entry, votes)) {
    const claimed = await claim(store, { run, place, slot }, voter, now, days);
    if (claimed === 'taken') continue;
    const offer = await offerOf(parts, sample, entry, offered + 1);
    const note = (week: Week): Week | null =>
      week.skipped || week.offers.length !== offered
        ? null
        : { ...week, offers: [...week.offers, { run, place }] };
    if (offer !== null && (await changeWeek(store, voter, note, now))) {
      // Someone who is erased meanwhile must not come back: erasing deletes the choice first, then the offers.
      if ((await choiceOf(store, voter, now)) === 'volunteer') return offer;
      await takeBack(store, { run, place, slot }, voter, now);
      return 'changed';
    }
    const isNoted = isOffered(await readWeeks(store, voter, now), run, place);
    if (claimed === 'fresh' && !isNoted) await release(store, { run, place, slot }, voter, now);
    return offer === null ? null : 'changed';
  }
  return null;
}

/** Takes the first answer that is left. People are not asked again about one that they let go, and never twice. */
async function takeNext(
  parts: ReviewParts,
  samples: readonly ReviewSample[],
  voter: string,
  weeks: readonly [Week, ...Week[]],
  now: number,
): Promise<ReviewOffer | 'changed' | null> {
  const offered = weeks[0].offers.length;
  for (const sample of samples)
    for (const entry of sample.entries) {
      if (isOffered(weeks, sample.run, entry.place) || isSaidBy(entry, voter)) continue;
      const taken = await claimEntry(parts, sample, entry, voter, offered, now);
      if (taken !== null) return taken;
    }
  return null;
}

async function lookForNext(
  parts: ReviewParts,
  voter: string,
  run: string | null,
): Promise<NextReview | 'changed'> {
  const { store, now } = parts;
  const at = now();
  const choice = await choiceOf(store, voter, at);
  if (choice === 'never') return { kind: choice };
  const weeks = await readWeeks(store, voter, at);
  const [week] = weeks;
  if (week.skipped) return { kind: 'not-this-week' };
  if (choice === null) return { kind: 'not-volunteer' };
  for (const { sample, entry } of await standingOffers(store, voter, weeks, at)) {
    const isWanted = run === null || sample.run === run;
    const offer = isWanted ? await offerOf(parts, sample, entry, Math.max(1, week.offers.length)) : null;
    if (offer !== null) return { kind: 'offer', offer };
  }
  const samples = await samplesFor(store, voter, run, at);
  if (run !== null && samples.length === 0) {
    const older = await samplesFor(store, voter, run, at, FOREVER_MS);
    return { kind: older.length > 0 ? 'past' : 'not-asked' };
  }
  const left = samples.filter(({ perWeek }) => week.offers.length < perWeek);
  const taken = await takeNext(parts, left, voter, weeks, at);
  if (taken === 'changed') return taken;
  if (taken !== null) return { kind: 'offer', offer: taken };
  return { kind: left.length < samples.length ? 'enough' : 'none' };
}

/**
 * The next answer for a person to check, claimed for them alone. Safe against others who ask at the same time, and against asking twice.
 *
 * @param run only answers of this run
 * @throws JuryError `store-unavailable`
 */
export async function nextReview(
  parts: ReviewParts,
  voter: string,
  run: string | null = null,
): Promise<NextReview> {
  for (;;) {
    const next = await lookForNext(parts, voter, run);
    if (next !== 'changed') return next;
  }
}

/**
 * - `kept`: it counts; also where the same answer arrives again. `stood`: the person said otherwise before, and that stands.
 * - `late`: someone else has since been asked. `gone`: it was never offered to them, or is no longer kept.
 */
export type AnsweredReview = { kind: 'kept' | 'stood' | 'late' | 'gone' };

/** Keeps what a person says of an answer that they were offered. @throws JuryError `store-unavailable`: nothing was kept */
export async function answerReview(
  { store, now }: Pick<ReviewParts, 'store' | 'now'>,
  voter: string,
  { run, place }: Pick<ReviewOffer, 'run' | 'place'>,
  right: ReviewLabel['right'],
): Promise<AnsweredReview> {
  const at = now();
  const sample = await findSample(store, run, at);
  const entry = sample?.entries.find((one) => one.place === place);
  if (sample === null || entry === undefined) return { kind: 'gone' };
  const said = ({ labels }: ReviewEntry) => labels.find((label) => label.voter === voter)?.right;
  const before = said(entry);
  if (before !== undefined) return { kind: before === right ? 'kept' : 'stood' };
  if (!isOffered(await readWeeks(store, voter, at), run, place)) return { kind: 'gone' };
  for (const slot of openSlots(entry, sample.votes)) {
    if ((await claim(store, { run, place, slot }, voter, at, sample.days)) === 'taken') continue;
    const changed = await changeSample(
      store,
      run,
      (now) => {
        const own = now.entries.find((one) => one.place === place);
        if (own === undefined || isSaidBy(own, voter) || !openSlots(own, now.votes).includes(slot))
          return now;
        const labels = [...own.labels, { right, slot, voter, at }];
        return { ...now, entries: now.entries.map((one) => (one === own ? { ...own, labels } : one)) };
      },
      at,
    );
    const after = changed?.entries.find((one) => one.place === place);
    const kept = after === undefined ? undefined : said(after);
    // Someone who was erased meanwhile must not come back: erasing deletes the offers first, then the answers.
    if (!isOffered(await readWeeks(store, voter, at), run, place)) {
      await changeSample(store, run, (now) => withoutPerson(now, voter), at);
      await release(store, { run, place, slot }, voter, at);
      return { kind: 'gone' };
    }
    if (kept !== undefined) return { kind: kept === right ? 'kept' : 'stood' };
  }
  return { kind: 'late' };
}

/** The sample itself if it does not name the person. */
function withoutPerson(sample: ReviewSample, voter: string): ReviewSample {
  const isNamed = sample.people?.includes(voter) === true;
  if (!isNamed && !sample.entries.some((entry) => isSaidBy(entry, voter))) return sample;
  return {
    ...sample,
    people: sample.people?.filter((one) => one !== voter) ?? null,
    entries: sample.entries.map((entry) => ({
      ...entry,
      labels: entry.labels.filter((label) => label.voter !== voter),
    })),
  };
}

/** Lets go what a person was offered, so that other people are asked. */
async function letGo(store: KeyValue, voter: string, now: number): Promise<void> {
  const weeks = await readWeeks(store, voter, now);
  for (const { sample, entry, slot } of await standingOffers(store, voter, weeks, now))
    await release(store, { run: sample.run, place: entry.place, slot }, voter, now);
}

/** Gives up all claims of a person, also on what they have answered. */
async function releaseAll(store: KeyValue, voter: string, now: number): Promise<void> {
  const weeks = await readWeeks(store, voter, now);
  for (const { run, place } of weeks.flatMap(({ offers }) => offers)) {
    const sample = await findSample(store, run, now);
    // One more than the people asked, in case one was unsure.
    for (let slot = 0; slot <= (sample?.votes ?? 0); slot += 1)
      await release(store, { run, place, slot }, voter, now);
  }
}

/**
 * "Not this week" or "Never": the person is not asked until Monday (UTC), or until they volunteer again. Other people are asked about the
 * answers that were theirs.
 *
 * @throws JuryError `store-unavailable`
 */
export async function skipReviews(
  { store, now }: Pick<ReviewParts, 'store' | 'now'>,
  voter: string,
  until: 'week' | 'never',
): Promise<void> {
  const at = now();
  if (until === 'never') await choose(store, voter, () => 'never', at);
  else {
    await changeWeek(store, voter, (week) => ({ ...week, skipped: true }), at);
    // People who have not volunteered may be asked again in another week.
    await forgetAsked(store, voter);
  }
  await letGo(store, voter, at);
}

/**
 * Volunteers a person.
 *
 * @param evenIfNever also if they wanted never to be asked
 * @returns what they chose before
 */
export const volunteer = (
  { store, now }: Pick<ReviewParts, 'store' | 'now'>,
  voter: string,
  evenIfNever = true,
): Promise<ReviewChoice | null> =>
  choose(store, voter, (before) => (before === 'never' && !evenIfNever ? before : 'volunteer'), now());

/** How many of the answers that a person was offered this week they have checked. @throws JuryError `store-unavailable` */
export async function checkedThisWeek(
  { store, now }: Pick<ReviewParts, 'store' | 'now'>,
  voter: string,
): Promise<number> {
  const at = now();
  const [{ offers }] = await readWeeks(store, voter, at);
  const sampleOf = memoized((run: string) => findSample(store, run, at));
  const isChecked = async ({ run, place }: Week['offers'][number]): Promise<boolean> => {
    const entry = (await sampleOf(run))?.entries.find((one) => one.place === place);
    return entry !== undefined && isSaidBy(entry, voter);
  };
  return (await Promise.all(offers.map(isChecked))).filter((isOne) => isOne).length;
}

/** How far a sample is checked. Nothing in it is about a person. */
export interface ReviewStatus {
  design: ReviewDesign;
  /** Answers that someone is asked about now. */
  asked: number;
}

/** Null if the run has no sample. @throws JuryError `store-unavailable` */
export async function reviewStatus(
  { store, now }: Pick<ReviewParts, 'store' | 'now'>,
  run: string,
): Promise<ReviewStatus | null> {
  const at = now();
  const sample = await findSample(store, run, at);
  if (sample === null) return null;
  const isAsked = async (entry: ReviewEntry): Promise<boolean> => {
    const claims = openSlots(entry, sample.votes).map((slot) =>
      claimedBy(store, { run, place: entry.place, slot }, at),
    );
    return (await Promise.all(claims)).some((voter) => voter !== null);
  };
  const asked = await Promise.all(sample.entries.map(isAsked));
  return { design: reviewedRun(sample).design, asked: asked.filter((one) => one).length };
}

/**
 * Erases a person: what they said about answers, what they were offered and what they chose. Resolves to the number of answers of theirs.
 *
 * @throws JuryError `store-unavailable`
 */
export async function forgetReviewer(
  { store, now }: Pick<ReviewParts, 'store' | 'now'>,
  voter: string,
): Promise<number> {
  const at = now();
  // In this order: what offers answers looks at the choice again once it has written, and what invites looks at the samples.
  await deleteChoice(store, voter);
  await releaseAll(store, voter, at);
  await deletePerson(store, voter, at);
  let erased = 0;
  for (const { run } of await listSamples(store, at)) {
    let own = 0;
    const without = (sample: ReviewSample): ReviewSample => {
      own = sample.entries.filter((entry) => isSaidBy(entry, voter)).length;
      return withoutPerson(sample, voter);
    };
    await changeSample(store, run, without, at);
    erased += own;
  }
  await deletePerson(store, voter, at);
  return erased;
}
