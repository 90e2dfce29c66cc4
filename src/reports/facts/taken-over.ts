import { andList, counted, grouped } from '../../common/text/index.ts';

/**
 * How many trials of a run were judged by it, and how many were taken over from which runs, in a sentence; empty if none was.
 * @param takenOver by the run that judged them
 */
export function takenOverNotes(takenOver: ReadonlyMap<string, number>, trials: number): string[] {
  const taken = [...takenOver.values()].reduce((all, n) => all + n, 0);
  if (taken === 0) return [];
  const runs = [...takenOver].sort(([, a], [, b]) => b - a).map(([run]) => run);
  return [
    `${grouped(trials - taken)} of ${counted(trials, 'trial')} judged in this run, ${grouped(taken)} taken over from ${andList(runs)}: request, answer, rubric, prompts and judges are the same there. Such a judgement is no second look: it counts as no change.`,
  ];
}
