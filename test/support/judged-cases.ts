import type { EvalCase } from '../../src/case/case.ts';

/** A recommendation that the exact checks pass. */
export const right: EvalCase = {
  id: 'right',
  conversation: [{ role: 'user', text: 'Find me a high-end French restaurant rated at least 4.5' }],
  response: 'I recommend Chez Luc.',
  context: { date: '2024-03-04', time: '19:35' },
  recommendation: {
    name: 'Chez Luc',
    cuisine: 'French',
    cost: 'high',
    rating: 4.6,
    durationMin: 6,
    openingHours: { monday: '12:00-20:00' },
  },
};

/** They fail it: it has closed by then. */
export const closed: EvalCase = { ...right, id: 'closed', context: { date: '2024-03-04', time: '20:35' } };

/** They leave it undecided: nothing says how far it is. */
export const unclear: EvalCase = {
  ...right,
  id: 'unclear',
  recommendation: { ...right.recommendation, durationMin: undefined },
};

/** Cases as JSON Lines. */
export const lines = (...cases: object[]): string => cases.map((one) => JSON.stringify(one)).join('\n');
