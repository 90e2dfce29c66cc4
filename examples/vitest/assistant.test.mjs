import { expect, test } from 'vitest';
import './to-pass-jury.mjs';

/** Stands in for your assistant, with what is known of the place that it recommends. */
const assistant = async (request, hours) => ({
  conversation: [{ role: 'user', text: request }],
  response: 'Da Mario is Italian, five minutes away.',
  context: { date: '2026-03-02', time: '20:35' },
  recommendation: {
    ...{ name: 'Da Mario', cuisine: 'Italian', cost: 'low', rating: 4.3, durationMin: 5 },
    openingHours: { monday: hours },
  },
});
const request = 'Find me a cheap Italian place';
const byExactChecks = { models: ['rules'] };

test('recommends a place that is open', async () => {
  await expect(await assistant(request, '10:00-23:00')).toPassJury(byExactChecks);
});

test('is caught if it recommends a place that is closed', async () => {
  await expect(await assistant(request, '10:00-20:00')).not.toPassJury(byExactChecks);
});
