import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { recallOf } from '../../src/reports/recall.ts';
import { jury, scratch } from '../support/run-jury.ts';

/** Made samples in the formats of the public data sets; no word is theirs. */
const sample = (name: string) => fileURLToPath(new URL(`dialogs/${name}`, import.meta.url));
const cwd = scratch();

async function imported(file: string) {
  const ran = await jury(['dataset', 'import', file, '-r', 'core'], { cwd });
  const cases = ran.out
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  return { ...ran, cases };
}

describe('conversations with recommenders', () => {
  test('of ReDial name their movies, with what was recommended by turn and what was liked', async () => {
    const { code, cases, err } = await imported(sample('redial.jsonl'));
    expect(code).toBe(0);
    expect(err).toContain('ReDial: the recommender is a person.');
    expect(err).toContain('recall cannot be counted');
    expect(cases).toEqual([
      {
        id: 'redial-101',
        rubric: 'core',
        conversation: [
          { role: 'user', text: 'Hi! I want something calm for tonight.\nI loved The Quiet Harbor (1999).' },
          { role: 'system', text: 'Then try Night Ferry (2004), it is slow too.' },
          { role: 'user', text: 'Seen it, not for me.' },
        ],
        response: 'How about Paper Lanterns (2011)? It is about a small shop by the sea.',
        closing: 'That sounds right, thank you!',
        recommendations: [['Night Ferry (2004)'], ['Paper Lanterns (2011)']],
        // The recommender named it, so it is not what recall can be counted of.
        tags: { dataset: 'ReDial', liked: 'Paper Lanterns (2011)' },
      },
      // Lists instead of dictionaries; the recommender begins, and the seeker did not say whether they liked it.
      {
        id: 'redial-102',
        rubric: 'core',
        conversation: [
          { role: 'system', text: 'Hello, what do you like?' },
          { role: 'user', text: 'Westerns, the older the better.' },
        ],
        response: 'Then watch Copper Sky (1987).',
        recommendations: [[], ['Copper Sky (1987)']],
        tags: { dataset: 'ReDial' },
      },
    ]);
  });

  test('of OpenDialKG recommend where the assistant’s path leads; one without an answer is left out', async () => {
    const { code, cases, err } = await imported(sample('opendialkg.csv'));
    expect(code).toBe(1);
    expect(err).toContain('Row 3: has no answer of the assistant to judge');
    expect(err).toContain('the data does not say what the user wanted');
    expect(cases).toEqual([
      {
        rubric: 'core',
        conversation: [
          { role: 'user', text: 'Do you know a book like The Salt Road?' },
          { role: 'system', text: 'Ida Brandt wrote The Glass Well as well.' },
          { role: 'user', text: 'Is it a novel?' },
        ],
        response: 'Yes, a short one.',
        closing: 'I will read it.',
        recommendations: [['The Glass Well'], []],
        tags: { dataset: 'OpenDialKG', userRating: '5' },
      },
    ]);
  });

  test('of iEvaLM are the simulated dialog with its list and target, or what it begins with', async () => {
    const { code, cases, err } = await imported(sample('ievalm.jsonl'));
    expect(code).toBe(0);
    expect(err).toContain('iEvaLM, simulated: the ground truth is the target');
    expect(err).toContain('iEvaLM, not simulated: the answer is the one of the source data');
    expect(cases[0]).toMatchObject({
      id: '7_2',
      closing: 'That is the one.',
      recommendations: [[], ['Paper Lanterns (2011)', 'Night Ferry (2004)']],
      groundTruth: 'Paper Lanterns (2011)',
      tags: { persuasiveness: '2' },
    });
    expect(cases[0].conversation).toHaveLength(3);
    expect(cases[1]).toMatchObject({
      id: '8_1',
      response: 'Watch Copper Sky.',
      tags: { target: 'Copper Sky (1987)' },
    });
    // The answer of the source data names it.
    expect(cases[1].groundTruth).toBeUndefined();
    expect(cases[1].recommendations).toBeUndefined();
  });

  test('can be judged, and recall is counted only where the target is not the recommender’s own', async () => {
    const folder = mkdtempSync(join(cwd, 'judged-'));
    const { cases } = await imported(sample('redial.jsonl'));
    writeFileSync(join(folder, 'crs.jsonl'), cases.map((one) => JSON.stringify(one)).join('\n'));
    const plan = await jury(
      ['bench', 'run', 'crs.jsonl', '--methods', 'core-factors', '--models', 'openai/gpt-4o-mini', '--plan'],
      { cwd: folder },
    );
    // Of twelve factors, all but the one that needs what the user wanted.
    expect(plan.err).toContain('22 calls');
    expect(recallOf(cases, () => [])).toEqual([]);
    const simulated = await imported(sample('ievalm.jsonl'));
    expect(recallOf(simulated.cases, () => []).map((one) => one.cases)).toEqual([1]);
  });

  test('are told from other tables that have some of the same columns', async () => {
    const folder = mkdtempSync(join(cwd, 'other-'));
    writeFileSync(join(folder, 'other.csv'), 'Messages,response\nHow are you?,Fine.\n');
    const ran = await jury(
      ['dataset', 'import', join(folder, 'other.csv'), '--map', 'Messages=conversation'],
      { cwd },
    );
    expect(ran.code, ran.err).toBe(0);
    expect(JSON.parse(ran.out).response).toBe('Fine.');
    expect(readFileSync(sample('redial.jsonl'), 'utf8')).toContain('@1002');
  });
});
