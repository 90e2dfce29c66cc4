import { type RunManifest, seriesOf, subjectOf, type TrialStore, trialKey } from '../../benchmark/index.ts';
import { caseHash, lastRequest, requestHash, responseHash } from '../../case/index.ts';
import { groupedBy } from '../../common/index.ts';
import { firstSentence, shortened } from '../../common/text/index.ts';
import { caseIdOf } from '../../judging/index.ts';
import type { Verdict } from '../../judging/verdict/index.ts';
import { sum } from '../../statistics/index.ts';
import { matchSetups, type Side, sideOf } from '../comparison/index.ts';
import { byCase, commonest, countOutcomes } from '../estimates/index.ts';
import { type ReadingWishes, type Setup, type TrialFacts, takenOverNotes } from '../facts/index.ts';
import type { Check } from './thresholds.ts';

/** Where a case is in its dataset. */
export interface CasePlace {
  file: string;
  /** Null if it is not known. */
  line: number | null;
}

/** What a configuration made of a case: `pass`, `fail`, `not decided`, `no answer`, or a mean score. */
type Standing = 'pass' | 'fail' | 'not decided' | 'no answer' | number;

/**
 * What became of a case. `unsteady`: the answer is the one that the earlier run judged, and judges now decide otherwise. `wrong`: as before, or
 * nothing is compared.
 */
export type CaseTurn = 'now wrong' | 'now right' | 'unsteady' | 'wrong' | 'right';

/** A case as one configuration judged it. */
export interface BuildCase {
  turn: CaseTurn;
  /** Id of the configuration. */
  setup: string;
  caseId: string;
  /** Index in the dataset. */
  index: number;
  after: Standing;
  /** Null if it is not compared. */
  before: Standing | null;
  /** What it is labeled, where labels say what is right; otherwise null. */
  label: 'pass' | 'fail' | null;
  /** The beginning of what the user asked, the title of the criterion that counts, and why. Empty for a case that is and was right. */
  request: string;
  criterion: string;
  reason: string;
}

/** What a build says about a run: whether it is good enough, and which cases broke it. Every format is a function of it. */
export interface Build {
  run: string;
  series: string;
  /** When the run began, ISO 8601. */
  createdAt: string;
  /** Null: thresholds alone are checked. */
  baseline: { run: string; series: string } | null;
  passes: boolean;
  checks: readonly Check[];
  /** Caveats for readers, in sentences. */
  notes: readonly string[];
  /** If the run is not finished, why nothing is known; otherwise null. */
  unfinished: string | null;
  /** By configuration, in the order of the dataset. */
  cases: readonly BuildCase[];
  /** The address of the run's page, where there is one. */
  page: string | null;
  placeOf: (one: Pick<BuildCase, 'caseId'>) => CasePlace | null;
}

/** What a build is read from. */
export interface BuildSource {
  store: TrialStore;
  side: Side;
  base: Side | null;
  checks: readonly Check[];
  wishes: ReadingWishes;
}

/** Maximum length of a request, in characters. */
const MAX_REQUEST = 160;

/** Scores of decisions against labels: a case is wrong if its decision is not its label. Of the others, if it does not pass. */
const ABOUT_ANSWERS: ReadonlySet<string> = new Set([
  'pass-rate',
  'coverage',
  'mean score',
  'share with a score',
]);

/** Whether labels say what is right: they do where a missed threshold, or else any, is about labels. */
function isByLabel(checks: readonly Check[], manifest: RunManifest): boolean {
  const missed = checks.filter(({ met }) => !met);
  const metrics = (missed.length > 0 ? missed : checks).map(({ metric }) => metric);
  const { dataset } = manifest;
  return (
    metrics.some((metric) => !ABOUT_ANSWERS.has(metric)) ||
    (subjectOf(manifest) === 'judges' && dataset.labeled > 0)
  );
}

/** How a setup judged a case, over its repeats. */
interface Judged {
  standing: Standing;
  truth: TrialFacts['truth'];
  /** The first repeat with this outcome. */
  repeat: number;
}

function judgedOf(facts: readonly TrialFacts[]): Judged | null {
  const [first] = [...facts].sort((a, b) => a.repeat - b.repeat);
  if (first === undefined) return null;
  const { truth } = first;
  const scores = facts.flatMap(({ score }) => score ?? []);
  const outcome = commonest(countOutcomes(facts));
  const repeat = facts.find((one) => one.outcome === outcome)?.repeat ?? first.repeat;
  if (outcome === 'pass' || outcome === 'fail') return { standing: outcome, truth, repeat };
  if (scores.length > 0) return { standing: sum(scores) / scores.length, truth, repeat: first.repeat };
  return { standing: outcome === 'unanswered' ? 'no answer' : 'not decided', truth, repeat };
}

/** The key of a setup's trial. */
function keyOf(manifest: RunManifest, setup: Setup, repeat: number, index: number): string | null {
  const id = setup.configurations.find((one) => one.repeat === repeat)?.id;
  const place = manifest.configurations.findIndex((one) => one.id === id);
  return place < 0 ? null : trialKey(place, index);
}

/** What is known of a case without its texts. */
interface Mark {
  caseId: string;
  /** Equal for cases that are compared. */
  asked: string;
  response: string;
}

async function readMarks(store: TrialStore, run: string, isOfAnswers: boolean): Promise<Mark[]> {
  const marks: Mark[] = [];
  for await (const evalCase of store.readCases(run))
    marks.push({
      caseId: caseIdOf(evalCase),
      // The same request can be answered otherwise; judges are compared on the same case.
      asked: isOfAnswers
        ? JSON.stringify([evalCase.id ?? null, requestHash(evalCase)])
        : JSON.stringify([caseIdOf(evalCase), caseHash(evalCase)]),
      response: responseHash(evalCase),
    });
  return marks;
}

/** The index of each case's counterpart in the earlier run. If one occurs several times, the first are paired, then the second, and so on. */
function counterparts(before: readonly Mark[], after: readonly Mark[]): Map<number, number> {
  const earlier = groupedBy(before.keys(), (index) => before[index]?.asked ?? '');
  return new Map(
    after.flatMap(({ asked }, index) => {
      const found = earlier.get(asked)?.shift();
      return found === undefined ? [] : [[index, found] as const];
    }),
  );
}

/** How much better the second standing is; 0 if neither is. */
function gainOf(before: Judged, after: Judged, isRight: (one: Judged) => boolean): number {
  if (typeof before.standing === 'number' && typeof after.standing === 'number')
    return after.standing - before.standing;
  return Number(isRight(after)) - Number(isRight(before));
}

/** A case before its texts are read. */
interface Turned extends Omit<BuildCase, 'request' | 'criterion' | 'reason'> {
  /** The trials that say why; of a case that is now right, the earlier one. */
  key: string | null;
  earlierKey: string | null;
}

type Words = Pick<BuildCase, 'criterion' | 'reason'>;

/** The first criterion that fails now and did not before, or else the first that fails. */
function wordsOf(verdict: Verdict | undefined, other: Verdict | undefined): Words {
  if (verdict === undefined) return { criterion: '', reason: '' };
  const failing = verdict.criteria.filter(({ decision }) => decision === 'fail');
  const failedThen = new Set(
    other?.criteria.flatMap(({ id, decision }) => (decision === 'fail' ? [id] : [])) ?? [],
  );
  const found = failing.find(({ id }) => !failedThen.has(id)) ?? failing[0];
  return {
    criterion: found?.title ?? '',
    reason: firstSentence(found?.rationale || verdict.why),
  };
}

async function readVerdicts(
  store: TrialStore,
  run: string,
  keys: ReadonlySet<string>,
): Promise<Map<string, Verdict>> {
  const verdicts = new Map<string, Verdict>();
  if (keys.size === 0) return verdicts;
  for await (const { key, verdict } of store.readVerdicts(run, keys)) verdicts.set(key, verdict);
  return verdicts;
}

const keysIn = (turned: readonly Turned[], key: 'key' | 'earlierKey'): Set<string> =>
  new Set(turned.filter(({ turn }) => turn !== 'right').flatMap((one) => one[key] ?? []));

/** Adds the texts of the cases that are, or were, wrong. */
async function withTexts(
  { store, side, base }: Pick<BuildSource, 'store' | 'side' | 'base'>,
  turned: readonly Turned[],
): Promise<BuildCase[]> {
  const verdicts = await readVerdicts(store, side.run, keysIn(turned, 'key'));
  const earlier =
    base === null
      ? new Map<string, Verdict>()
      : await readVerdicts(store, base.run, keysIn(turned, 'earlierKey'));
  const indexes = new Set(turned.flatMap(({ turn, index }) => (turn === 'right' ? [] : index)));
  const requests = new Map<number, string>();
  let index = 0;
  for await (const evalCase of indexes.size === 0 ? [] : store.readCases(side.run)) {
    if (indexes.has(index)) requests.set(index, shortened(lastRequest(evalCase), MAX_REQUEST));
    index += 1;
  }
  return turned.map(({ key, earlierKey, ...one }) => {
    if (one.turn === 'right') return { ...one, request: '', criterion: '', reason: '' };
    const [now, then] = [verdicts.get(key ?? ''), earlier.get(earlierKey ?? '')];
    // Why it is right now says less than why it was wrong.
    const words = one.turn === 'now right' ? wordsOf(then, now) : wordsOf(now, then);
    return { ...one, request: requests.get(one.index) ?? '', ...words };
  });
}

/** A run, or what is compared of it. */
type Read = Awaited<ReturnType<typeof sideOf>>;

interface Reading {
  after: Read;
  marks: readonly Mark[];
  /** Null if nothing is compared. */
  baseline: {
    before: Read;
    /** Whether one of its configurations is named. */
    isNamed: boolean;
    marks: readonly Mark[];
    places: ReadonlyMap<number, number>;
  } | null;
  isOfAnswers: boolean;
  byLabel: boolean;
}

/** How the earlier run judged what a setup judges: by the index of a case in the later run. */
function earlierBy({ after, baseline }: Reading, setup: Setup) {
  if (baseline === null) return () => null;
  const { before, isNamed, marks, places } = baseline;
  const paired = matchSetups(before.setups, after.setups).pairs.find(([, other]) => other === setup)?.[0];
  // Everything is compared with a configuration that is named.
  const own = isNamed ? before.setups[0] : paired;
  if (own === undefined) return () => null;
  const facts = byCase(before.table.factsOf(own.id));
  return (index: number) => {
    const place = places.get(index);
    const judged = place === undefined ? null : judgedOf(facts.get(place) ?? []);
    if (place === undefined || judged === null) return null;
    const key = keyOf(before.manifest, own, judged.repeat, place);
    return { judged, key, response: marks[place]?.response };
  };
}

/** What became of a setup's cases, in the order of the dataset. */
function turnedBy(reading: Reading, setup: Setup): Turned[] {
  const { after, marks, isOfAnswers, byLabel } = reading;
  const isRight = ({ standing, truth }: Judged): boolean => {
    if (typeof standing === 'number') return true;
    // A case without a label counts for none of the scores.
    return byLabel ? truth === null || standing === truth : standing === 'pass';
  };
  const earlier = earlierBy(reading, setup);
  const turnOf = (now: Judged, then: ReturnType<typeof earlier>, { response }: Mark): CaseTurn => {
    const gain = then === null ? 0 : gainOf(then.judged, now, isRight);
    if (gain === 0) return isRight(now) ? 'right' : 'wrong';
    // A flip on an unchanged answer is the judges', not the assistant's.
    if (isOfAnswers && !byLabel && then?.response === response) return 'unsteady';
    return gain < 0 ? 'now wrong' : 'now right';
  };
  return [...byCase(after.table.factsOf(setup.id))]
    .sort(([a], [b]) => a - b)
    .flatMap(([index, facts]): Turned[] => {
      const [mark, now, then] = [marks[index], judgedOf(facts), earlier(index)];
      if (now === null || mark === undefined) return [];
      return [
        {
          turn: turnOf(now, then, mark),
          setup: setup.id,
          caseId: mark.caseId,
          index,
          after: now.standing,
          before: then?.judged.standing ?? null,
          label: byLabel ? now.truth : null,
          key: keyOf(after.manifest, setup, now.repeat, index),
          earlierKey: then?.key ?? null,
        },
      ];
    });
}

/** The cases of a run as its configurations judged them, and what became of them since a baseline. */
export async function readBuildCases(
  source: BuildSource,
): Promise<Pick<Build, 'run' | 'series' | 'baseline' | 'notes' | 'cases'>> {
  const { store, side, base, checks, wishes } = source;
  const after = await sideOf(store, side, wishes);
  const before = base === null ? null : await sideOf(store, base, wishes);
  const { manifest } = after;
  const isOfAnswers =
    subjectOf(manifest) === 'assistant' && side.setup === null && (base?.setup ?? null) === null;
  const marks = await readMarks(store, side.run, isOfAnswers);
  const earlier = base === null ? [] : await readMarks(store, base.run, isOfAnswers);
  const reading: Reading = {
    after,
    marks,
    baseline:
      before === null
        ? null
        : {
            before,
            isNamed: base?.setup !== null,
            marks: earlier,
            places: counterparts(earlier, marks),
          },
    isOfAnswers,
    byLabel: isByLabel(checks, manifest),
  };
  return {
    run: manifest.name,
    series: seriesOf(manifest),
    baseline: before === null ? null : { run: before.manifest.name, series: seriesOf(before.manifest) },
    notes: takenOverNotes(after.table.takenOver, after.table.trials),
    cases: await withTexts(
      source,
      after.setups.flatMap((setup) => turnedBy(reading, setup)),
    ),
  };
}

/** The cases that a build names, by what became of them. */
export const turnsOf = ({ cases }: Pick<Build, 'cases'>): Record<CaseTurn, BuildCase[]> => {
  const own = (turn: CaseTurn) => cases.filter((one) => one.turn === turn);
  return {
    'now wrong': own('now wrong'),
    'now right': own('now right'),
    unsteady: own('unsteady'),
    wrong: own('wrong'),
    right: own('right'),
  };
};

/** Whether a case is wrong now, or has a lower score than before. */
function isWrong({ turn, after, before, label }: BuildCase): boolean {
  if (turn !== 'unsteady') return turn === 'wrong' || turn === 'now wrong';
  return typeof after === 'number' && typeof before === 'number'
    ? after < before
    : after !== (label ?? 'pass');
}

/** The cases that are wrong, the newly wrong first. */
export const wrongIn = (build: Pick<Build, 'cases'>): BuildCase[] => [
  ...turnsOf(build)['now wrong'],
  ...build.cases.filter((one) => one.turn !== 'now wrong' && isWrong(one)),
];

/**
 * The cases that broke a build, of each configuration that misses a threshold: those that are newly wrong or, if there are none, all that
 * are wrong. Where thresholds are met, they say how many mistakes are allowed.
 */
export function brokenBy(build: Pick<Build, 'cases' | 'checks'>): BuildCase[] {
  const missed = new Set(build.checks.flatMap(({ met, setup }) => (met ? [] : setup)));
  const wrong = wrongIn(build).filter(({ setup }) => missed.has(setup));
  const fresh = wrong.filter(({ turn }) => turn === 'now wrong');
  return fresh.length > 0 ? fresh : wrong;
}
