import { counted } from '../../common/text/index.ts';

/** The sentence on a comparison of judges. */
export const comparison = {
  measures: { mean: 'The mean score', f1: 'F1', passRate: 'The pass rate' },
  notComparable: ({ measure, cases, why }: { measure: string; cases: number; why: string }) =>
    `${measure} cannot be compared on ${counted(cases, 'case')}: ${why}.`,
  same: (measure: string) => `${measure} is the same`,
  moved: ({ measure, isHigher, by }: { measure: string; isHigher: boolean; by: string }) =>
    `${measure} is ${isHigher ? 'higher' : 'lower'} by ${by}`,
  figures: (of: {
    range: string | null;
    before: string;
    after: string;
    cases: number;
    canBeChance: boolean;
  }) =>
    ` (${of.range ?? 'no interval'}): ${of.before} before, ${of.after} after, on ${counted(of.cases, 'case')}${of.canBeChance ? ', which can be chance' : ''}.`,
  noneTested: (configurations: number) =>
    `No change of ${counted(configurations, 'configuration')} could be tested`,
  among: ({ tested, all }: { tested: number; all: number }) =>
    tested === all
      ? `among ${counted(all, 'configuration')}`
      : `among the ${tested} of ${counted(all, 'configuration')} that could be tested`,
  noneBeyondChance: (among: string) => `No change beyond chance ${among}`,
  only: ({ among, name }: { among: string; name: string }) =>
    ` This is the only change beyond chance ${among}: ${name}.`,
  largest: ({ count, among, name }: { count: number; among: string; name: string }) =>
    ` This is the largest of ${count} changes beyond chance ${among}: ${name}.`,
};
