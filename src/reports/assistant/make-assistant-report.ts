import type { RunManifest, TrialStore } from '../../benchmark/index.ts';
import { lastRequest } from '../../case/index.ts';
import { groupedBy, memoized } from '../../common/index.ts';
import { firstSentence, fold, shortened } from '../../common/text/index.ts';
import { betterOf, type Verdict } from '../../judging/verdict/index.ts';
import { settledSide } from '../../labels/index.ts';
import type { CountRow } from '../../labels/record/index.ts';
import {
  clusteredShareInterval,
  effectiveItems,
  itemsIn,
  measured,
  medianInterval,
  quantileOfSorted,
  type Share,
  signFlipTest,
  sum,
  unmeasured,
} from '../../statistics/index.ts';
import type { BinaryCounts } from '../../statistics/raters/index.ts';
import { type CaseCounts, caseBins, countCases, countPasses, countsIn } from '../estimates/index.ts';
import { decisionsOf, flipsOf, scoresOf } from '../metrics/index.ts';
import {
  answerChange,
  type RateKind,
  type RawChange,
  type RawGroup,
  rateKindOf,
  resultOf,
} from './answer-changes.ts';
import {
  type Answer,
  type AnswerFacts,
  type Answers,
  buildsOf,
  type Compared,
  meanScore,
  readAnswers,
} from './answers.ts';
import type {
  AssistantChange,
  AssistantReport,
  ChangedAnswer,
  ChangedGroup,
  PreferenceReport,
} from './assistant-report.ts';
import { answerKey, newBlockers } from './blockers.ts';
import { slicesOf } from './slices.ts';
import { correctedChange, type ReviewedRun, trueRate } from './true-rate.ts';

/** Maximum number of changed answers shown per group; the rest are counted. */
const MAX_ANSWERS = 50;
const MAX_SLOWEST = 3;
/** Maximum length of a request or answer, in characters. */
const MAX_TEXT = 500;

/** Texts of the answers: from cases by place, from verdicts by key. */
interface Texts {
  cases: Map<number, { request: string; answer: string }>;
  verdicts: Map<string, Pick<Verdict, 'why' | 'criteria'>>;
}

async function readTexts(
  store: Pick<TrialStore, 'readCases' | 'readVerdicts'>,
  run: string,
  shown: readonly Answer[],
): Promise<Texts> {
  const texts: Texts = { cases: new Map(), verdicts: new Map() };
  if (shown.length === 0) return texts;
  const keys = new Set(shown.map(({ key }) => key));
  for await (const { key, verdict } of store.readVerdicts(run, keys)) texts.verdicts.set(key, verdict);
  const places = new Set(shown.map((answer) => answer.place));
  let place = -1;
  for await (const evalCase of store.readCases(run)) {
    place += 1;
    if (!places.has(place)) continue;
    texts.cases.set(place, {
      request: shortened(lastRequest(evalCase), MAX_TEXT),
      answer: shortened(evalCase.response, MAX_TEXT),
    });
  }
  return texts;
}

/** The reason that shares the most words with the others. */
function typicalReason(reasons: readonly string[]): string | null {
  const stated = reasons.filter((reason) => reason !== '');
  const words = stated.map((reason) => new Set(fold(reason).split(/[^\p{L}\p{N}]+/u)));
  const likeness = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => {
    const both = [...one].filter((word) => other.has(word)).length;
    return both / (one.size + other.size - both);
  };
  const scores = words.map((one) => sum(words.map((other) => likeness(one, other))));
  return stated[scores.indexOf(Math.max(...scores))] ?? null;
}

function groupOf({ criterion, n, shared, answers }: RawGroup, { cases, verdicts }: Texts): ChangedGroup {
  const shown = answers.slice(0, MAX_ANSWERS);
  const findings = shown.map(({ key }) => verdicts.get(key)?.criteria.find(({ id }) => id === criterion));
  const changed = shown.map(({ place, caseId, key }, at): ChangedAnswer => {
    const reason = findings[at]?.rationale || verdicts.get(key)?.why || '';
    return { caseId, request: '', answer: '', ...cases.get(place), reason: firstSentence(reason) };
  });
  return {
    title: findings.find((finding) => finding !== undefined)?.title ?? criterion,
    n,
    reason: typicalReason(changed.map(({ reason }) => reason)),
    shared,
    answers: changed,
  };
}

/** Counts over decided trials, weighted so that the repeats of an answer, which are not independent, count as one answer. */
function partsOf(
  answers: readonly Answer[],
  count: (facts: readonly AnswerFacts[], by: 'place' | 'unit') => CaseCounts,
) {
  const facts = answers.flatMap((answer) => answer.facts);
  const bins = caseBins(count(facts, 'place'));
  const all = countsIn(bins, 'exclude');
  const trials = all.tp + all.fp + all.fn + all.tn;
  const each = trials === 0 ? 1 : Math.min(1, itemsIn(bins) / trials);
  const scaled = ({ tp, fp, fn, tn }: BinaryCounts): BinaryCounts => ({
    tp: tp * each,
    fp: fp * each,
    fn: fn * each,
    tn: tn * each,
  });
  return {
    counts: scaled(all),
    /** Effective number of independent answers behind a share. */
    independent: (shareOf: (counts: BinaryCounts) => Share): number =>
      effectiveItems(
        caseBins(count(facts, 'unit')).map(({ value, items }) => ({
          value: shareOf(scaled(countsIn([{ value, items: 1 }], 'exclude'))),
          items,
        })),
      ),
  };
}

function independentOf(answers: readonly Answer[]): AssistantReport['independent'] {
  if (new Set(answers.map(({ unit }) => unit)).size === answers.length) return null;
  const [passes, labels] = [partsOf(answers, countPasses), partsOf(answers, countCases)];
  return {
    passed: passes.independent(({ tp, fn }) => ({ successes: tp, n: tp + fn })),
    agreed: labels.independent(({ tp, fp, fn, tn }) => ({ successes: tp + tn, n: tp + fp + fn + tn })),
    right: labels.independent(({ tp, fn }) => ({ successes: tp, n: tp + fn })),
    wrong: labels.independent(({ fp, tn }) => ({ successes: tn, n: fp + tn })),
  };
}

export function rateOf(kind: RateKind, { answers }: Pick<Answers, 'answers'>): AssistantReport['rate'] {
  const facts = answers.flatMap((answer) => answer.facts);
  const estimate = kind === 'score' ? scoresOf(facts)?.mean : decisionsOf(facts)?.decided;
  const none = unmeasured('no answer was decided', 0);
  return { kind, ...(estimate ?? { measure: none, interval: none }) };
}

const decidedOf = (kind: RateKind, answers: readonly Answer[]): number =>
  answers.filter((answer) => resultOf(kind)(answer) !== null).length;

/** The answers by value of a tag, and the change of each since an earlier run. */
export function slicesReport(
  kind: RateKind,
  now: Answers,
  then: Answers | null,
  tag: string,
): AssistantReport['slices'] {
  const values = slicesOf(now, then, tag).map(({ answers, difference, ...slice }) => {
    const { kind: _, ...rate } = rateOf(kind, { answers });
    const change =
      difference === null
        ? null
        : { value: difference.value, n: difference.n, interval: difference.interval };
    return { ...slice, decided: decidedOf(kind, answers), rate, difference: change };
  });
  return { tag, values };
}

/** The report with the settled votes on verdicts with the same rubrics, method and models. */
export function withVotes(report: AssistantReport, rows: readonly CountRow[]): AssistantReport {
  const { rubrics, method, models } = report;
  const seated = [...new Set(models)].sort().join(',');
  const votes = { tp: 0, fp: 0, fn: 0, tn: 0 };
  for (const { key, tally, items } of rows) {
    const side = settledSide(tally);
    const isOwn = key.kind === 'verdict' && key.method === method && key.models === seated;
    if (!isOwn || !rubrics.includes(key.rubric) || (side !== 'agree' && side !== 'disagree')) continue;
    if (key.decision === 'pass') votes[side === 'agree' ? 'tp' : 'fp'] += items;
    else if (key.decision === 'fail') votes[side === 'agree' ? 'tn' : 'fn'] += items;
  }
  return { ...report, votes };
}

const slowestOf = ({ answers }: Answers): Answer[] =>
  answers
    .filter(({ latencyMs }) => latencyMs !== null)
    .sort((a, b) => (b.latencyMs ?? 0) - (a.latencyMs ?? 0))
    .slice(0, MAX_SLOWEST);

function latencyOf(
  { answers }: Answers,
  slowest: readonly Answer[],
  texts: Texts,
): AssistantReport['latency'] {
  const times = answers.flatMap(({ latencyMs }) => latencyMs ?? []).sort((a, b) => a - b);
  if (times.length === 0) return null;
  const interval = medianInterval(times);
  return {
    n: times.length,
    median: quantileOfSorted(times, 0.5),
    interval: interval.defined ? { ...interval, by: 'ranks' } : interval,
    slowest: slowest.map(({ caseId, place, latencyMs }) => ({
      caseId,
      request: texts.cases.get(place)?.request ?? '',
      ms: latencyMs ?? 0,
    })),
  };
}

/**
 * Null if no request has two answers. Repeats of a request count as one.
 * @param inBothOrders false if the judgements were made elsewhere, in orders that are not known
 */
export function preferenceReport(
  compared: readonly Compared[],
  inBothOrders = true,
): PreferenceReport | null {
  const [first, ...others] = compared;
  if (first === undefined) return null;
  const isSame = others.every(({ names }) => names.join('\n') === first.names.join('\n'));
  const [nameA, nameB] = isSame ? first.names : (['A', 'B'] as const);
  const counts = { A: 0, B: 0, same: 0 };
  for (const { score } of compared) if (score !== null) counts[betterOf(score)] += 1;
  const judges = inBothOrders ? compared.flatMap((one) => one.judges) : [];
  const { A, B } = counts;
  const n = A + B;
  const units = [...groupedBy(compared, ({ unit }) => unit).values()].map((own) => {
    const preferred = own.map(({ score }) => (score === null ? 'same' : betterOf(score)));
    const [a, b] = (['A', 'B'] as const).map((side) => preferred.filter((one) => one === side).length);
    return { a: a ?? 0, b: b ?? 0 };
  });
  const interval = clusteredShareInterval(
    units.map(({ a, b }) => ({ value: { successes: b, n: a + b }, items: 1 })),
  );
  const none = unmeasured('no answer is preferred', 0);
  return {
    names: [nameA, nameB],
    ...counts,
    changed: {
      n: sum(judges.map((one) => one.changed)),
      of: sum(judges.map((one) => one.A + one.B + one.same)),
    },
    share: {
      measure: n === 0 ? none : measured(B / n, n),
      interval: interval.defined ? { ...interval, by: 'wilson' } : none,
    },
    pValue: n === 0 ? none : signFlipTest(units.map(({ a, b }) => b - a)),
  };
}

/** A run to compare with, and the baseline's name if it is one. */
export interface Against {
  manifest: RunManifest;
  baseline: string | null;
}

const shownOf = ({ failing, passing }: Pick<RawChange, 'failing' | 'passing'>): Answer[] =>
  [...failing, ...passing].flatMap(({ answers }) => answers.slice(0, MAX_ANSWERS));

/**
 * Reports how good the assistant's answers are in a run, and what changed since the runs in `against`, each of which is read.
 * @param reviewed answers of this run and of others that were drawn for people to check
 * @param by the tag whose values are looked at one by one; null: none
 * @throws JuryError `store-unavailable`, or `bad-file` if data is damaged
 */
export async function assistantReport(
  store: Pick<TrialStore, 'readCases' | 'readTrials' | 'readVerdicts'>,
  now: Answers,
  against: readonly Against[],
  reviewed: readonly ReviewedRun[] = [],
  by: string | null = null,
): Promise<AssistantReport> {
  const { manifest } = now;
  const compared: (Pick<AssistantChange, 'baseline' | 'builds' | 'corrected'> & { change: RawChange })[] = [];
  const preference = preferenceReport(
    now.answers.flatMap((answer) =>
      answer.compared === null ? [] : [{ ...answer.compared, unit: answer.unit, score: meanScore(answer) }],
    ),
    manifest.imported === undefined,
  );
  const kind = rateKindOf(now);
  const isRated = preference === null;
  // Without an earlier run; replaced below if there is one.
  let blockers = isRated ? newBlockers(now, null) : null;
  let slices = isRated && by !== null ? slicesReport(kind, now, null, by) : null;
  // The baseline is often the run before, too.
  const read = memoized(
    (earlier: RunManifest) => readAnswers(store, earlier, now.clusterBy),
    ({ name }) => name,
  );
  for (const { manifest: earlier, baseline } of isRated ? against : []) {
    const then = await read(earlier);
    const change = answerChange(then, now);
    // The true rates are those of all answers, whatever the mix of requests.
    const isOtherMix = change.mix !== null && change.mix.adjusted.length + change.mix.unadjusted.length > 0;
    const corrected = change.difference === null || isOtherMix ? null : correctedChange(now, then, reviewed);
    compared.push({ baseline, builds: buildsOf(then), corrected, change });
    if (baseline !== null) continue;
    blockers = newBlockers(now, then);
    if (by !== null) slices = slicesReport(kind, now, then, by);
  }
  const slowest = slowestOf(now);
  const shown = [
    ...slowest,
    ...compared.flatMap(({ change }) => shownOf(change)),
    ...shownOf({ failing: blockers?.groups ?? [], passing: [] }),
  ];
  const texts = await readTexts(store, manifest.name, shown);
  const repeats = Math.max(0, ...now.answers.map(({ facts }) => facts.length));
  return {
    run: manifest.name,
    at: Date.parse(manifest.createdAt),
    builds: buildsOf(now),
    rubrics: manifest.rubrics,
    method: now.setup.method,
    models: [...now.setup.models],
    answers: now.answers.length,
    decided: decidedOf(kind, now.answers),
    rate: rateOf(kind, now),
    preference,
    labels: partsOf(now.answers, countCases).counts,
    independent: independentOf(now.answers),
    truth: trueRate(now, reviewed),
    votes: { tp: 0, fp: 0, fn: 0, tn: 0 },
    flips: repeats > 1 ? (flipsOf(now.answers.flatMap(({ facts }) => facts))?.anyFlip ?? null) : null,
    latency: latencyOf(now, slowest, texts),
    changes: compared.map(({ baseline, builds, corrected, change: { failing, passing, ...change } }) => ({
      ...change,
      baseline,
      builds,
      corrected,
      failing: failing.map((group) => groupOf(group, texts)),
      passing: passing.map((group) => groupOf(group, texts)),
    })),
    blockers:
      blockers === null
        ? null
        : {
            ...blockers,
            groups: blockers.groups.map((group) => ({
              ...groupOf(group, texts),
              keys: group.answers.map(answerKey),
            })),
          },
    slices,
  };
}
