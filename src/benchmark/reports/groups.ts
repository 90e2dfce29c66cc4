import type { EvalCase } from '../../case/case.ts';
import { JuryError } from '../../common/errors.ts';
import { isFailure } from '../../judging/verdict.ts';
import type { Outcome } from '../../statistics/classification.ts';
import type { Trial } from '../trial.ts';
import type { GroupValues } from './measures.ts';
import type { Report } from './report.ts';
import { setupReport } from './setup-report.ts';
import { NO_CRITERIA, type Setup, type TrialFacts } from './trial-facts.ts';

/** What the trials of a report are grouped by: a tag of their cases, their rubric, or who judged in the last round. */
export type Dimension = 'rubric' | 'persona' | 'model' | `tags.${string}`;

const isDimension = (text: string): text is Dimension =>
  ['rubric', 'persona', 'model'].includes(text) || /^tags\../.test(text);

/** @throws JuryError `usage` for what nothing can be grouped by */
export function readDimensions(texts: readonly string[]): Dimension[] {
  const wrong = texts.find((text) => !isDimension(text));
  if (wrong !== undefined)
    throw new JuryError(
      'usage',
      `--by ${wrong}: Must be tags.NAME, such as tags.system, or rubric, persona or model.`,
    );
  return [...new Set(texts.filter(isDimension))];
}

/** With more groups a table is no longer read, and each takes time. */
const MAX_GROUPS = 100;

const tooMany = (by: readonly string[]): JuryError =>
  new JuryError(
    'usage',
    `${by.join(' × ')} makes more than ${MAX_GROUPS} groups: choose tags with fewer values.`,
  );

const NO_ROUND = { pass: 0, fail: 0 };

/**
 * What judges said, each in a trial. Their numbers are in one block, because a panel of five has five times as many of them as there are
 * trials, and as objects they would take most of the memory.
 */
function createAnswers() {
  const trials: TrialFacts[] = [];
  const outcomes: Outcome[] = [];
  let numbers = new Float64Array(256);
  /** The places of numbers that are not known. */
  const UNKNOWN = Number.NaN;
  const numberAt = (at: number, column: 0 | 1 | 2 | 3): number | null => {
    const value = numbers[4 * at + column] ?? UNKNOWN;
    return Number.isNaN(value) ? null : value;
  };
  return {
    add(
      facts: TrialFacts,
      { decision, score, confidence, reason, costUsd, latencyMs }: Trial['judgements'][number],
    ): void {
      const isDecided = decision === 'pass' || decision === 'fail';
      const row = [score, confidence, costUsd, latencyMs].map((value) => value ?? UNKNOWN);
      const at = trials.length * row.length;
      if (at + row.length > numbers.length) {
        const larger = new Float64Array(2 * numbers.length);
        larger.set(numbers);
        numbers = larger;
      }
      numbers.set(row, at);
      trials.push(facts);
      outcomes.push(isDecided ? decision : isFailure(reason) ? 'unanswered' : 'undecided');
    },
    /** The trials as each judge alone decided them. */
    facts: (): TrialFacts[] =>
      trials.map((facts, at) => {
        const { place, unit, repeat, truth, category, labelScore, fromCache } = facts;
        const ms = fromCache ? null : numberAt(at, 3);
        // Written out: with a spread, so many objects take several times the memory.
        return {
          place,
          unit,
          repeat,
          truth,
          category,
          labelScore,
          fromCache,
          savedCalls: 0,
          outcome: outcomes[at] ?? 'unanswered',
          score: numberAt(at, 0),
          confidence: numberAt(at, 1),
          firstRound: NO_ROUND,
          calls: 1,
          tokens: null,
          outputTokens: null,
          costUsd: fromCache ? null : numberAt(at, 2),
          latencyMs: ms,
          sequentialMs: ms,
          criteria: NO_CRITERIA,
        };
      }),
  };
}

const byValues = new Intl.Collator('en', { numeric: true }).compare;

/** Groups by their values; those without one last. */
export const inOrder = (
  { values: a }: { values: GroupValues },
  { values: b }: { values: GroupValues },
): number => {
  const at = a.findIndex((value, index) => value !== b[index]);
  const [one, other] = [a[at] ?? null, b[at] ?? null];
  return one === null || other === null
    ? Number(one === null) - Number(other === null)
    : byValues(one, other);
};

/** The values of some tags by the place of the case. @throws JuryError `usage` if no case has one of them */
export function tagsOf(
  cases: Iterable<Pick<EvalCase, 'tags'>>,
  by: readonly Dimension[],
): (place: number) => GroupValues {
  if (by.length === 0) return () => [];
  const rows: GroupValues[] = [];
  const names = new Set<string>();
  const kept = new Map<string, GroupValues>();
  for (const { tags = {} } of cases) {
    for (const name of Object.keys(tags)) names.add(name);
    const row = by.map((one) => tags[one.slice(5)] ?? null);
    const key = JSON.stringify(row);
    kept.set(key, kept.get(key) ?? row);
    rows.push(kept.get(key) ?? row);
    if (kept.size > MAX_GROUPS) throw tooMany(by);
  }
  for (const [at, one] of by.entries())
    if (rows.every((row) => row[at] === null))
      throw new JuryError(
        'usage',
        `No case has the tag "${one.slice(5)}". ${names.size === 0 ? 'The cases have no tags.' : `There are: ${[...names].sort().slice(0, 20).join(', ')}.`}`,
      );
  return (place) => rows[place] ?? by.map(() => null);
}

/** The trials of a group, or where judges count one by one, what they said in them. */
interface Group {
  values: GroupValues;
  trials: TrialFacts[];
  answers: ReturnType<typeof createAnswers>;
}

/**
 * Collects the trials of each group of each setup. A panel's judges count one by one where they are a dimension.
 *
 * @param tagsAt the values of the tags among the dimensions, in their order
 */
export function createGroups(by: readonly Dimension[], tagsAt: (place: number) => GroupValues) {
  const bySetup = new Map<string, Map<string, Group>>();
  const groupOf = (setup: string, values: GroupValues): Group => {
    const groups = bySetup.get(setup) ?? new Map<string, Group>();
    bySetup.set(setup, groups);
    const key = JSON.stringify(values);
    const known = groups.get(key);
    if (known !== undefined) return known;
    if (groups.size >= MAX_GROUPS) throw tooMany(by);
    const group = { values, trials: [], answers: createAnswers() };
    groups.set(key, group);
    return group;
  };
  const ofJudges = by.includes('persona') || by.includes('model');
  return {
    add(trial: Trial, setup: string, facts: TrialFacts): void {
      const valuesOf = (judge?: Trial['judgements'][number]['judge']): GroupValues => {
        const tags = tagsAt(facts.place).values();
        return by.map((one) => {
          if (one === 'rubric') return trial.rubric;
          if (one === 'persona') return judge?.persona ?? null;
          return one === 'model' ? (judge?.model ?? null) : (tags.next().value ?? null);
        });
      };
      if (!ofJudges) {
        groupOf(setup, valuesOf()).trials.push(facts);
        return;
      }
      const last = Math.max(...trial.judgements.map(({ round }) => round));
      for (const judgement of trial.judgements)
        if (judgement.round === last) groupOf(setup, valuesOf(judgement.judge)).answers.add(facts, judgement);
    },
    /** In the order of the setups and of the values. */
    result: (setups: readonly Setup[]): NonNullable<Report['groups']> => ({
      by: [...by],
      reports: setups.flatMap((setup) =>
        [...(bySetup.get(setup.id)?.values() ?? [])].sort(inOrder).map(({ values, trials, answers }) => {
          const facts = ofJudges ? answers.facts() : trials;
          return { values: [...values], setup: { ...setupReport(setup, facts, 0), planned: facts.length } };
        }),
      ),
    }),
  };
}
