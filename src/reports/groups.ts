import type { Trial } from '../benchmark/index.ts';
import type { EvalCase } from '../case/index.ts';
import { JuryError } from '../common/index.ts';
import { grouped, naturalOrder } from '../common/text/index.ts';
import { isFailure } from '../judging/verdict/index.ts';
import type { Outcome } from '../statistics/raters/index.ts';
import { NONE } from './estimates/index.ts';
import { createRows, type Setup, type TrialFacts } from './facts/index.ts';
import {
  type Cell,
  type Column,
  criterionOf,
  everyMetric,
  meanCell,
  plain,
  type ReportTable,
  type SetupReport,
  setupReport,
  unique,
} from './metrics/index.ts';
import type { GroupValues, Report } from './report.ts';

/** What the trials of a report are grouped by: a tag of their cases, their rubric, or who judged in the last round. */
export type Dimension = 'rubric' | 'persona' | 'model' | `tags.${string}`;

const isDimension = (text: string): text is Dimension =>
  ['rubric', 'persona', 'model'].includes(text) || /^tags\../.test(text);

/** @throws JuryError `usage` for an unknown dimension */
export function readDimensions(texts: readonly string[]): Dimension[] {
  const wrong = texts.find((text) => !isDimension(text));
  if (wrong !== undefined)
    throw new JuryError(
      'usage',
      `--by ${wrong}: Must be tags.NAME, such as tags.system, or rubric, persona or model.`,
    );
  return [...new Set(texts.filter(isDimension))];
}

/** More groups than this would make an unreadable table, and each takes time to compute. */
const MAX_GROUPS = 100;

const tooMany = (by: readonly string[]): JuryError =>
  new JuryError(
    'usage',
    `${by.join(' × ')} makes more than ${MAX_GROUPS} groups: choose tags with fewer values.`,
  );

const outcomes = ['pass', 'fail', 'undecided', 'unanswered'] as const satisfies Outcome[];

/** A judge's answer in a trial, as numbers; with the trial's number, they form a row. */
function answerOf({ decision, score, confidence, reason, costUsd, latencyMs }: Trial['judgements'][number]) {
  const isDecided = decision === 'pass' || decision === 'fail';
  const outcome = isDecided ? decision : isFailure(reason) ? 'unanswered' : 'undecided';
  return [outcomes.indexOf(outcome), score, confidence, costUsd, latencyMs];
}

type Rows = ReturnType<typeof createRows>;

const NO_ROUND: TrialFacts['firstRound'] = { pass: 0, fail: 0 };
const NO_CRITERIA: TrialFacts['criteria'] = [];

/**
 * A trial as if decided by one judge alone. Its facts are read when asked for (a spread copies none of them): objects that hold them,
 * one for each judge of each trial, take five times the memory.
 */
class TrialOfJudge implements TrialFacts {
  private readonly trial: TrialFacts;
  private readonly answers: Rows;
  private readonly row: number;
  /** @param answers the trial's number and the judge's `answerOf`, by column */
  constructor(trial: TrialFacts, answers: Rows, row: number) {
    this.trial = trial;
    this.answers = answers;
    this.row = row;
  }
  get place() {
    return this.trial.place;
  }
  get unit() {
    return this.trial.unit;
  }
  get repeat() {
    return this.trial.repeat;
  }
  get truth() {
    return this.trial.truth;
  }
  get category() {
    return this.trial.category;
  }
  get labelScore() {
    return this.trial.labelScore;
  }
  get fromCache() {
    return this.trial.fromCache;
  }
  get takenFrom() {
    return this.trial.takenFrom;
  }
  get outcome() {
    return outcomes[this.answers.at(this.row, 1) ?? -1] ?? 'unanswered';
  }
  get score() {
    return this.answers.at(this.row, 2);
  }
  get confidence() {
    return this.answers.at(this.row, 3);
  }
  private get isFresh() {
    return !this.trial.fromCache && this.trial.takenFrom === null;
  }
  get costUsd() {
    return this.isFresh ? this.answers.at(this.row, 4) : null;
  }
  get latencyMs() {
    return this.isFresh ? this.answers.at(this.row, 5) : null;
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
  get pooledCalls() {
    return 0;
  }
  get ownCostUsd() {
    return this.costUsd;
  }
  get stopped() {
    return this.trial.stopped;
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
  rows: Rows;
}

/**
 * Collects the trials of each group of each setup. A panel's judges count one by one if personas or models are a dimension.
 *
 * @param tagsAt the values of the tags among the dimensions, in their order
 */
export function createGroups(by: readonly Dimension[], tagsAt: (place: number) => GroupValues) {
  const bySetup = new Map<string, Map<string, Group>>();
  const ofJudges = by.includes('persona') || by.includes('model');
  /** Number of trials added, by setup. */
  const counts = new Map<string, number>();
  let anyStopped = false;
  const groupOf = (setup: string, values: GroupValues): Group => {
    const groups = bySetup.get(setup) ?? new Map<string, Group>();
    bySetup.set(setup, groups);
    const key = JSON.stringify(values);
    const existing = groups.get(key);
    if (existing !== undefined) return existing;
    if (groups.size >= MAX_GROUPS) throw tooMany(by);
    const group = { values, rows: createRows(ofJudges ? 6 : 1) };
    groups.set(key, group);
    return group;
  };
  return {
    by,
    /** Whether a panel stopped once the majority was decided, also in a run from which it is taken over. */
    anyStopped: (): boolean => anyStopped,
    /** Trials in the order in which they were read, all of them. */
    add(trial: Trial, setup: string, { place, stopped }: Pick<TrialFacts, 'place' | 'stopped'>): void {
      anyStopped ||= stopped;
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

type GroupReports = NonNullable<Report['groups']>;

const dimensionTitle = (dimension: string): string => dimension.replace(/^tags\./, '');

/** The columns of a group; those that are empty for every group are left out. */
const columns: readonly (Column & { of: (setup: SetupReport) => Cell | null })[] = [
  { title: 'Trials', of: ({ trials }) => plain(grouped(trials)) },
  ...everyMetric.flatMap(({ groupColumns = [] }) => groupColumns),
];

/** Each setup's trials by group. */
export function groupsTable({ groups }: Pick<Report, 'groups'>): ReportTable | null {
  if (groups === null) return null;
  const { by, reports, anyStopped } = groups;
  const ofJudges = by.includes('persona') || by.includes('model');
  const shown = columns.filter(({ of }) => reports.some(({ setup }) => of(setup) !== null));
  return {
    title: `By ${by.map(dimensionTitle).join(' and ')}`,
    head: 'Configuration',
    file: 'groups.csv',
    columns: [...by.map((one) => ({ title: dimensionTitle(one) })), ...shown],
    rows: reports.map(({ values, setup }) => ({
      head: setup,
      cells: [
        ...values.map((value) => plain(value ?? NONE)),
        ...shown.map(({ of }) => of(setup) ?? plain(NONE)),
      ],
    })),
    ...(ofJudges
      ? {
          note: `Each judge’s own answer in the last round.${anyStopped ? ' Panels stopped once the majority was decided, so judges asked later answered mostly what the others disagreed on: do not compare them with those asked first.' : ''}`,
        }
      : {}),
  };
}

const groupName = (values: readonly (string | null)[]): string =>
  values.map((value) => value ?? NONE).join(', ');

/** A setup's mean scores, criteria by groups, as in tables 21 to 23 of Chen et al. */
function criteriaOfGroups({ by, reports }: GroupReports, id: string): ReportTable | null {
  const ofSetup = reports.filter(({ setup }) => setup.id === id);
  const scored = ofSetup.flatMap(({ setup }) => setup.criteria.filter(({ scores }) => scores !== null));
  const criteria = unique(scored.map((one) => one.id));
  if (criteria.length === 0) return null;
  return {
    title: `Mean scores (SD) by ${by.map(dimensionTitle).join(' and ')}: ${id}`,
    head: 'Criterion',
    file: 'group-criteria.csv',
    columns: ofSetup.map(({ values }) => ({ title: groupName(values) })),
    rows: criteria.map((criterion) => ({
      head: criterion,
      cells: ofSetup.map(({ setup }) => meanCell(criterionOf(setup, criterion)?.scores)),
    })),
  };
}

export const groupCriteriaTables = ({ groups, setups }: Report): (ReportTable | null)[] =>
  groups === null ? [] : setups.map(({ id }) => criteriaOfGroups(groups, id));
