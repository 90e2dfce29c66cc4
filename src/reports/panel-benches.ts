import { IMPORTED, type RunManifest, type Trial } from '../benchmark/index.ts';
import { groupedBy } from '../common/index.ts';
import { type Setup, setupsOf, type TrialFacts } from './facts/index.ts';

/** What the judges of a panel said about a case. Null: no answer. */
export interface BenchCase<T> {
  place: number;
  /** Equal for cases that belong together. */
  unit: number;
  truth: T;
  said: readonly (T | null)[];
}

/** Judges who judged the same labeled cases. */
export interface Bench<T> {
  /** Of a panel within a setup its id; otherwise what the setups have in common, which are then the judges. */
  id: string;
  names: readonly string[];
  rows: readonly BenchCase<T>[];
}

interface Seated<T> {
  unit: number;
  truth: T;
  /** The trial's own answer. */
  decided: T | null;
  /** Its judges, if there are several, and their answers in the first round. */
  names: readonly string[];
  said: readonly (T | null)[];
}

type TrialJudgement = Trial['judgements'][number];

const nameOf = (judge: TrialJudgement['judge'], models: readonly string[]): string => {
  const { persona, model, sample } = judge;
  const who = persona === null ? model : models.length > 1 ? `${persona} × ${model}` : persona;
  return sample === 0 ? who : `${who} (${sample + 1})`;
};

const NOBODY: readonly never[] = [];

const isSameList = <T>(one: readonly T[], other: readonly T[]): boolean =>
  one.length === other.length && one.every((value, at) => value === other[at]);

/**
 * Whether what these judges said is all in another bench. Where they gave no answer there, they may have been asked again for this one:
 * that makes no other panel.
 */
function isWithin<T>({ names, rows }: Bench<T>, whole: Bench<T>): boolean {
  const wholeAt = new Map(whole.rows.map((row) => [row.place, row.said]));
  return (
    isSameList(names, whole.names) &&
    rows.every(({ place, said }) =>
      wholeAt.get(place)?.every((answer, judge) => answer === null || answer === said[judge]),
    )
  );
}

/**
 * Collects what judges say about labeled cases, wherever several judge the same ones: the judges of one setup (their answers before they see
 * others'), and setups of one method with one model each. Of repeats, the first counts.
 */
export function createBenches<T>(manifest: Pick<RunManifest, 'configurations'>) {
  const trials = new Map<string, Map<number, Seated<T>>>();
  const known = new Map<string, readonly string[]>();
  const sameNames = (key: string, names: readonly string[]): readonly string[] => {
    const kept = known.get(key) ?? names;
    known.set(key, kept);
    return kept;
  };
  /** Setups that left judges unasked where the majority was decided: the answers of the others are no fair sample. */
  const stopped = new Set<string>();

  /** @param answers what is right, what the trial decided, and what a judge said */
  function add(
    trial: Trial,
    setup: string,
    { place, unit, repeat }: TrialFacts,
    answers: { truth: T; decided: T | null; saidBy: (judgement: TrialJudgement) => T | null },
  ): void {
    if (repeat !== 1) return;
    // Also where another run saved them, which taken-over trials do not count as saved.
    if ((trial.savedCalls ?? 0) > 0) stopped.add(setup);
    const first = trial.judgements.filter(({ round }) => round === 0);
    const models = [...new Set(first.map(({ judge }) => judge.model))];
    const names = first.map(({ judge }) => nameOf(judge, models));
    const own = trials.get(setup) ?? new Map<number, Seated<T>>();
    trials.set(setup, own);
    const { truth, decided, saidBy } = answers;
    own.set(place, {
      unit,
      truth,
      decided,
      // There may be 100,000 trials: most have one judge, and those with several mostly the same.
      names: names.length < 2 ? NOBODY : sameNames(names.join('\n'), names),
      said: names.length < 2 ? NOBODY : first.map(saidBy),
    });
  }

  /** Judges, if there are two and they judged at least two cases together. Trials end in any order: cases are in that of the dataset. */
  function benchOf(id: string, names: readonly string[], rows: readonly BenchCase<T>[]): Bench<T>[] {
    const sorted = rows.toSorted((a, b) => a.place - b.place);
    return names.length < 2 || rows.length < 2 ? [] : [{ id, names, rows: sorted }];
  }

  function withinSetup({ id }: Setup) {
    if (stopped.has(id)) return [];
    const own = [...(trials.get(id) ?? [])];
    const names = [...new Set(own.flatMap(([, trial]) => trial.names))].sort();
    const rows = own.flatMap(([place, { unit, truth, names: seated, said }]): BenchCase<T>[] => {
      const seats = names.map((name) => seated.indexOf(name));
      return seats.includes(-1)
        ? []
        : [{ place, unit, truth, said: seats.map((seat) => said[seat] ?? null) }];
    });
    return benchOf(id, names, rows);
  }

  function acrossSetups(setups: readonly Setup[]) {
    const alone = setups.filter(({ models, equalCallsOf }) => models.length === 1 && equalCallsOf === null);
    const groups = groupedBy(alone, ({ method, temperature }) => JSON.stringify([method, temperature]));
    return [...groups.values()].flatMap((group) => {
      const sorted = group.map((setup) => ({ ...setup, name: setup.models[0] ?? setup.id }));
      sorted.sort((a, b) => (a.name < b.name ? -1 : 1));
      const [one, ...others] = sorted;
      const rows = [...(trials.get(one?.id ?? '') ?? [])].flatMap(
        ([place, { unit, truth }]): BenchCase<T>[] => {
          const said = sorted.map(({ id }) => trials.get(id)?.get(place));
          return said.includes(undefined)
            ? []
            : [{ place, unit, truth, said: said.map((trial) => trial?.decided ?? null) }];
        },
      );
      const { method = '', temperature = null } = one ?? {};
      const differ = setups.some((other) => other.method === method && other.temperature !== temperature);
      const id = `${method === IMPORTED ? 'all judges' : method}${differ && temperature !== null ? ` at ${temperature}` : ''}`;
      return others.length === 0
        ? []
        : benchOf(
            id,
            sorted.map(({ name }) => name),
            rows,
          );
    });
  }

  return {
    add,
    benches(): Bench<T>[] {
      const setups = setupsOf(manifest);
      const across = acrossSetups(setups);
      // A setup that is pooled from others has their judges and answers: it is the same panel, and would count twice.
      const isKnown = (bench: Bench<T>) => across.some((other) => isWithin(bench, other));
      const within = setups.flatMap((setup) =>
        withinSetup(setup).filter((bench) => setup.pooledFrom.length === 0 || !isKnown(bench)),
      );
      return [...across, ...within];
    },
  };
}
