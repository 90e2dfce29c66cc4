import type { EvalCase } from '../../case/case.ts';
import { JuryError } from '../../common/errors.ts';
import { naturalOrder } from '../../common/text.ts';
import { isFailure } from '../../judging/verdict.ts';
import type { Outcome } from '../../statistics/classification.ts';
import type { Trial } from '../trial.ts';
import { createRows } from './fact-list.ts';
import type { GroupValues } from './measures.ts';
import type { Report } from './report.ts';
import { setupReport } from './setup-report.ts';
import type { Setup, TrialFacts } from './trial-facts.ts';

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

const outcomes = ['pass', 'fail', 'undecided', 'unanswered'] as const satisfies Outcome[];

/** What one judge said in a trial, in numbers: with the number of the trial they make a row. */
function answerOf({ decision, score, confidence, reason, costUsd, latencyMs }: Trial['judgements'][number]) {
  const isDecided = decision === 'pass' || decision === 'fail';
  const outcome = isDecided ? decision : isFailure(reason) ? 'unanswered' : 'undecided';
  return [outcomes.indexOf(outcome), score, confidence, costUsd, latencyMs];
}

const NO_ROUND: TrialFacts['firstRound'] = { pass: 0, fail: 0 };
const NO_CRITERIA: TrialFacts['criteria'] = [];

/** A trial as one judge alone decided it. It reads what it is asked for: as many objects with all of it would take most of the memory. */
class TrialOfJudge implements TrialFacts {
  readonly #trial: TrialFacts;
  readonly #rows: Group['rows'];
  readonly #row: number;

  constructor(trial: TrialFacts, rows: Group['rows'], row: number) {
    this.#trial = trial;
    this.#rows = rows;
    this.#row = row;
  }

  #said(column: number): number | null {
    return this.#rows.at(this.#row, column);
  }

  get place() {
    return this.#trial.place;
  }
  get unit() {
    return this.#trial.unit;
  }
  get repeat() {
    return this.#trial.repeat;
  }
  get truth() {
    return this.#trial.truth;
  }
  get category() {
    return this.#trial.category;
  }
  get labelScore() {
    return this.#trial.labelScore;
  }
  get fromCache() {
    return this.#trial.fromCache;
  }
  get outcome() {
    return outcomes[this.#said(1) ?? -1] ?? 'unanswered';
  }
  get score() {
    return this.#said(2);
  }
  get confidence() {
    return this.#said(3);
  }
  get costUsd() {
    return this.fromCache ? null : this.#said(4);
  }
  get latencyMs() {
    return this.fromCache ? null : this.#said(5);
  }
  get sequentialMs() {
    return this.latencyMs;
  }
  get calls() {
    return 1;
  }
  get savedCalls() {
    return 0;
  }
  get tokens() {
    return null;
  }
  get outputTokens() {
    return null;
  }
  get firstRound() {
    return NO_ROUND;
  }
  get criteria() {
    return NO_CRITERIA;
  }
}

/** Groups by their values; those without one last. */
export const inOrder = (
  { values: a }: { values: GroupValues },
  { values: b }: { values: GroupValues },
): number => {
  const at = a.findIndex((value, index) => value !== b[index]);
  const [one, other] = [a[at] ?? null, b[at] ?? null];
  return one === null || other === null
    ? Number(one === null) - Number(other === null)
    : naturalOrder(one, other);
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

interface Group {
  values: GroupValues;
  /** The numbers of its setup's trials, and where judges count one by one, what they said in them. */
  rows: ReturnType<typeof createRows>;
}

/**
 * Collects the trials of each group of each setup. A panel's judges count one by one where they are a dimension.
 *
 * @param tagsAt the values of the tags among the dimensions, in their order
 */
export function createGroups(by: readonly Dimension[], tagsAt: (place: number) => GroupValues) {
  const bySetup = new Map<string, Map<string, Group>>();
  const ofJudges = by.includes('persona') || by.includes('model');
  /** How many trials of a setup were added. */
  const counts = new Map<string, number>();
  const groupOf = (setup: string, values: GroupValues): Group => {
    const groups = bySetup.get(setup) ?? new Map<string, Group>();
    bySetup.set(setup, groups);
    const key = JSON.stringify(values);
    const known = groups.get(key);
    if (known !== undefined) return known;
    if (groups.size >= MAX_GROUPS) throw tooMany(by);
    const group = { values, rows: createRows(ofJudges ? 6 : 1) };
    groups.set(key, group);
    return group;
  };
  return {
    by,
    /** Trials in the order in which they were read, all of them. */
    add(trial: Trial, setup: string, { place }: Pick<TrialFacts, 'place'>): void {
      const number = counts.get(setup) ?? 0;
      counts.set(setup, number + 1);
      const valuesOf = (judge?: Trial['judgements'][number]['judge']): GroupValues => {
        const tags = tagsAt(place).values();
        return by.map((one) => {
          if (one === 'rubric') return trial.rubric;
          if (one === 'persona') return judge?.persona ?? null;
          return one === 'model' ? (judge?.model ?? null) : (tags.next().value ?? null);
        });
      };
      if (!ofJudges) {
        groupOf(setup, valuesOf()).rows.add([number]);
        return;
      }
      const last = Math.max(...trial.judgements.map(({ round }) => round));
      for (const judgement of trial.judgements)
        if (judgement.round === last)
          groupOf(setup, valuesOf(judgement.judge)).rows.add([number, ...answerOf(judgement)]);
    },
    /** Of one setup, in the order of the values. @param trials all of the setup */
    reportsOf: (setup: Setup, trials: readonly TrialFacts[]): NonNullable<Report['groups']>['reports'] =>
      [...(bySetup.get(setup.id)?.values() ?? [])].sort(inOrder).map(({ values, rows }) => {
        const facts = Array.from({ length: rows.length }, (_, row) => {
          const trial = trials[rows.at(row, 0) ?? -1];
          return trial !== undefined && ofJudges ? new TrialOfJudge(trial, rows, row) : trial;
        }).filter((trial) => trial !== undefined);
        return { values: [...values], setup: { ...setupReport(setup, facts, 0), planned: facts.length } };
      }),
  };
}

export type Groups = ReturnType<typeof createGroups>;
