import { Chalk } from 'chalk';
import { expect, test } from 'vitest';
import { cardOf } from '../../../src/judging/card.ts';
import { renderCard } from '../../../src/surfaces/cli/card-text.ts';
import { aRecord } from '../../support/store-builders.ts';

test('a card in a terminal says how often colleagues agreed with such verdicts, where that is known', () => {
  const { verdict, evalCase } = aRecord();
  const screen = { width: 60, colors: new Chalk({ level: 0 }) };
  const card = cardOf(verdict, evalCase, { personaTitle: (id) => id }, { agreed: 108, n: 124, days: 180 });
  const text = renderCard(screen, card);
  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    '2 of 3 judges: closed Colleagues agreed with 87 % (80–92, n = 124) of similar verdicts (same rubric, method, models and decision, in the 180 days before)',
  );
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(60);
});
