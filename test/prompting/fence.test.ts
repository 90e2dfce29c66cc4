import { describe, expect, test } from 'vitest';
import type { EvalCase } from '../../src/case/case.ts';
import { createRenderer } from '../../src/prompting/render.ts';
import { aQuestion } from '../judges/rules/world.ts';
import { withDeclared } from '../support/builders.ts';
import { builtInLibrary } from '../support/built-in.ts';

const library = builtInLibrary();
const render = createRenderer(library);

/** The names of the blocks that a judge reads, in their order. */
function blocksOf(evalCase: EvalCase): string[] {
  const { user } = render(aQuestion(evalCase));
  return [...user.matchAll(/^\[\[(?!\/)\S+ (.+)\]\]$/gm)].map(([, name = '']) => name);
}

describe('what a judge reads', () => {
  test('tells the answer to judge from the turns that led to it', () => {
    const evalCase: EvalCase = {
      conversation: [
        { role: 'user', text: 'A place to eat?' },
        { role: 'system', text: 'The grill.' },
        { role: 'user', text: 'Cheaper.' },
      ],
      response: 'The diner.',
    };
    expect(blocksOf(evalCase)).toEqual([
      'turn 1, user',
      'turn 2, system',
      'turn 3, user',
      'response to judge',
    ]);
    expect(render(aQuestion(evalCase)).user).toContain(
      '`response to judge` is the one answer that you judge',
    );
  });

  test('holds the fields that files declare, beside those of every case', () => {
    const evalCase = withDeclared(
      { conversation: [{ role: 'user', text: 'Open it.' }], response: 'Done.' },
      { action: { device: ['window'] }, context: { rangeKm: 48 } },
    );
    expect(blocksOf(evalCase)).toEqual(['turn 1, user', 'response to judge', 'action', 'context']);
    expect(render(aQuestion(evalCase)).user).toContain('"rangeKm": 48');
  });

  test('asks for reasons in English, whatever the case is in', () => {
    const { system } = render(
      aQuestion({ conversation: [{ role: 'user', text: 'Hallo' }], response: 'Servus' }),
    );
    expect(system).toContain('Write your reasons in English');
  });
});
