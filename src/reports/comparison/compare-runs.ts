import { type RunManifest, runDifferences, subjectOf, type TrialStore } from '../../benchmark/index.ts';
import { groupedBy, JuryError } from '../../common/index.ts';
import { designEffectOf, type Measure, sum } from '../../statistics/index.ts';
import { assistantReport, changeSections, type ReviewedRun, readAnswers } from '../assistant/index.ts';
import { countCases } from '../estimates/index.ts';
import {
  type CaseMark,
  markOf,
  type ReadingWishes,
  readCaseFacts,
  readingOf,
  requireRun,
  type TrialFacts,
  tabulate,
  takenOverNotes,
} from '../facts/index.ts';
import { type SetupReport, setupReport } from '../metrics/index.ts';
import { type Comparison, comparePairs, findSetup, matchCases, matchSetups } from './comparison.ts';
import { comparisonLeadText } from './lead.ts';
import { isRight } from './pair-report.ts';

/** A run, or one of its setups. */
export interface Side {
  run: string;
  /** ID of a setup or the start of one; null: all setups. */
  setup: string | null;
}

/** What a comparison reads. */
type Runs = Pick<TrialStore, 'names' | 'readRun' | 'readCases' | 'readTrials' | 'readVerdicts'>;

export async function sideOf(store: Runs, { run, setup }: Side, wishes: ReadingWishes = {}) {
  const manifest = await requireRun(store, run);
  const marks: CaseMark[] = [];
  const cases = await readCaseFacts(store, run, (one) => marks.push(markOf(one)));
  const { reading, notes } = readingOf(cases, wishes);
  const table = await tabulate(manifest, store.readTrials(run), undefined, null, reading);
  const setups = setup === null ? table.setups : [findSetup(table.setups, setup)];
  return { manifest, table, setups, notes, marks };
}

interface ComparisonWishes extends ReadingWishes {
  /** The checked answers that say how far a run's judges are right; default: none. */
  reviewed?: (manifest: RunManifest) => Promise<readonly ReviewedRun[]>;
}

/**
 * Compares two runs: an assistant on the requests that are the same in both and on other requests of the same kinds, judges on the cases that
 * are the same.
 * @returns the comparison, and the reports of the second side's compared setups
 * @throws JuryError `usage` if there is no such run or setup, or nothing to compare
 */
export async function compareRuns(
  store: Runs,
  first: Side,
  second: Side,
  { reviewed = async () => [], ...wishes }: ComparisonWishes = {},
): Promise<{ comparison: Comparison; setups: SetupReport[]; createdAt: string }> {
  const one = await sideOf(store, first, wishes);
  const other = await sideOf(store, second, wishes);
  const { places, cases } = matchCases(one.marks, other.marks);
  const whole = first.setup === null && second.setup === null && first.run !== second.run;
  const assistant =
    whole && subjectOf(other.manifest) === 'assistant'
      ? await assistantReport(
          store,
          await readAnswers(store, other.manifest, wishes.clusterBy),
          [{ manifest: one.manifest, baseline: null }],
          await reviewed(other.manifest),
        )
      : null;
  const asked = assistant?.changes.some(({ requests, mix }) => requests.shared > 0 || mix !== null) === true;
  const { pairs, unmatched } = matchSetups(one.setups, other.setups);
  if (pairs.length === 0 && !asked)
    throw new JuryError(
      'usage',
      `The runs share no configuration. Name one of each, such as "${first.run}:${one.setups[0]?.id ?? ''}" and "${second.run}:${other.setups[0]?.id ?? ''}".`,
    );
  if (places.size === 0 && !asked)
    throw new JuryError(
      'usage',
      `The runs have no case in common, so there is nothing to compare${cases.changed.length === 0 ? '' : `: ${cases.changed.length} with the same id ${cases.changed.length === 1 ? 'differs' : 'differ'} in content or label`}.`,
    );
  const { dataset } = other.manifest;
  const compared = places.size === 0 ? [] : comparePairs(pairs, one.table, other.table, places, one.marks);
  return {
    comparison: {
      first: first.run,
      second: second.run,
      lead:
        assistant === null
          ? comparisonLeadText({ pairs: compared })
          : (changeSections(assistant)[0]?.headline ?? null),
      changes: first.run === second.run ? [] : runDifferences(one.manifest, other.manifest),
      notes: [
        ...(one.notes.length > 0 ? one.notes : other.notes),
        ...takenOverNotes(other.table.takenOver, other.table.trials),
      ],
      cases,
      assistant,
      pairs: compared,
      unmatched,
    },
    setups: pairs.map(([, setup]) => setupReport(setup, other.table.factsOf(setup.id), dataset.cases)),
    createdAt: other.manifest.createdAt,
  };
}

/** Estimates from a run for planning the size of a comparison. */
export interface RunPower {
  run: string;
  configurations: number;
  cases: number;
  /** Number of groups of related cases; equals `cases` if every case is independent. */
  groups: number;
  /** Mean share of cases that a configuration gets right; no decision counts as wrong. */
  accuracy: number;
  /** Mean share of cases on which two configurations differ; null if there is only one. */
  discordance: number | null;
  designEffect: number;
}

const mean = (values: readonly number[]): number => sum(values) / values.length;

const isKnown = (measure: Measure): measure is Measure & { defined: true } => measure.defined;

/** Case values, split by group. */
const inGroups = (values: ReadonlyMap<number, number>, units: ReadonlyMap<number, number>): number[][] =>
  [...groupedBy(values, ([place]) => units.get(place) ?? place).values()].map((own) =>
    own.map(([, value]) => value),
  );

/** 1 for each case whose most common outcome is right, else 0. */
const rightsOf = (facts: readonly TrialFacts[]): Map<number, number> =>
  new Map([...countCases(facts, 'place')].map(([place, own]) => [place, Number(isRight(own))]));

/**
 * Estimates from a run the quantities that a later comparison's sample size depends on.
 * @throws JuryError `usage` if there is no such run, or no case with a label
 */
export async function estimatePower(store: TrialStore, side: Side, wishes: ReadingWishes): Promise<RunPower> {
  const { table, setups } = await sideOf(store, side, wishes);
  const facts = setups.map(({ id }) => table.factsOf(id));
  const units = new Map(facts.flat().map(({ place, unit }) => [place, unit]));
  const judged = facts.map(rightsOf).filter((rights) => rights.size > 0);
  if (judged.length === 0)
    throw new JuryError('usage', `${side.run} has no trials with labels, so it says nothing about accuracy.`);
  const differences = judged.flatMap((one, at) =>
    judged.slice(at + 1).flatMap((other) => {
      const both = [...one].flatMap(([place, right]): [number, number][] => {
        const second = other.get(place);
        return second === undefined ? [] : [[place, second - right]];
      });
      return both.length === 0 ? [] : [new Map(both)];
    }),
  );
  const effects = (differences.length > 0 ? differences : judged)
    .map((values) => designEffectOf(inGroups(values, units)))
    .filter(isKnown);
  const places = new Set(judged.flatMap((rights) => [...rights.keys()]));
  return {
    run: side.run,
    configurations: judged.length,
    cases: places.size,
    groups: new Set([...places].map((place) => units.get(place) ?? place)).size,
    accuracy: mean(judged.map((rights) => mean([...rights.values()]))),
    discordance:
      differences.length === 0
        ? null
        : mean(differences.map((values) => mean([...values.values()].map(Math.abs)))),
    designEffect: effects.length === 0 ? 1 : mean(effects.map(({ value }) => value)),
  };
}
