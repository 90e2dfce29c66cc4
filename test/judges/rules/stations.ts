import type { EvalCase } from '../../../src/case/case.ts';
import { createRulesJudge } from '../../../src/judges/rules/rules-judge.ts';
import { entry } from '../../../src/judging/standards/library.ts';
import { criteriaInForce, fittedTo } from '../../../src/judging/standards/rubric.ts';
import { withDeclared } from '../../support/builders.ts';
import { builtInLibrary } from '../../support/built-in.ts';
import { aQuestion } from './world.ts';

export const library = builtInLibrary();
const ask = createRulesJudge(library.lexicons(), library.caseFormat, () => 'sha256:test');

const situation = { date: '2024-03-04', time: '19:00' };
const right: Readonly<Record<string, object>> = {
  'fuel-station': {
    recommendation: {
      durationMin: 5,
      openingHours: { monday: '06:00-22:00' },
      fuels: ['Diesel', 'Super E10'],
      pricePerLiter: 1.679,
      brand: 'Aral',
      amenities: ['Shop', 'Toilette'],
    },
  },
  'charging-station': {
    recommendation: {
      durationMin: 5,
      distanceKm: 3,
      openingHours: { monday: '00:00-24:00' },
      plugs: ['CCS'],
      powerKw: 150,
      freePoints: 2,
      pricePerKwh: 0.59,
      amenities: ['Toilet', 'Café'],
    },
  },
  'car-function': { action: { result: 'done', alsoChanged: [] } },
};

/** A request in the situation that is right by the rubric, with changes to the station or to the action. */
export function aRequest(rubric: string, text: string, changes: object = {}): EvalCase {
  const [key = '', value] = Object.entries(right[rubric] ?? {})[0] ?? [];
  return withDeclared(
    { conversation: [{ role: 'user', text }], response: 'Done.', context: situation },
    { [key]: { ...value, ...changes } },
  );
}

/** What the exact checks find on each criterion that the case has the data for. */
export async function findingsOn(rubricId: string, evalCase: EvalCase) {
  const rubric = fittedTo(entry('rubric', library.rubrics, rubricId), evalCase);
  const { inForce } = criteriaInForce(rubric, evalCase, library.caseFormat);
  const { criteria } = await ask(aQuestion(evalCase, { rubric, criteria: inForce }));
  return criteria;
}

/** The same in short: the criteria that fail, `?` with those left open, or `pass`. */
export async function found(rubricId: string, evalCase: EvalCase): Promise<string> {
  const criteria = await findingsOn(rubricId, evalCase);
  const ids = (decision: string) => criteria.filter((one) => one.decision === decision).map(({ id }) => id);
  if (ids('fail').length > 0) return ids('fail').join();
  return ids('unscored').length > 0 ? `? ${ids('unscored').join()}` : 'pass';
}
