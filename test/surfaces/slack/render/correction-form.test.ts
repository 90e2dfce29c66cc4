import { describe, expect, test } from 'vitest';
import type { Correction } from '../../../../src/labels/vote.ts';
import {
  CorrectionMetadata,
  correctionForm,
  readCorrection,
} from '../../../../src/surfaces/slack/render/correction-form.ts';
import { aPanel, fail, judgementOf, mute, pass, type Said } from '../../../support/builders.ts';
import { filledForm, inputsOf } from '../../../support/fill-form.ts';
import { aRecord, verdictFrom } from '../../../support/records.ts';
import { textsIn, viewProblems } from '../../../support/slack-limits.ts';

const texts = { personaTitle: (id: string) => id.toUpperCase() };
const rubric = { errorTypes: [{ id: 'made-up', title: 'Made up', meaning: 'not in the documents' }] };

const formFor = (said: readonly Said[], correction?: Correction) =>
  correctionForm({
    record: aRecord(verdictFrom([said])),
    rubric,
    texts,
    ...(correction === undefined ? {} : { correction }),
  });

const sent = (said: readonly Said[], answers = {}) =>
  readCorrection(filledForm(formFor(said), answers), verdictFrom([said]).decision);

describe('the form after a thumb down', () => {
  test('asks what is right, which criteria and judges were wrong, and for a comment', () => {
    const form = formFor([fail, fail, pass]);
    expect(viewProblems(form)).toEqual([]);
    expect(inputsOf(form)).toEqual(['right', 'criteria', 'error_type', 'judges', 'comment']);
    expect(CorrectionMetadata.parse(JSON.parse(form.private_metadata ?? ''))).toEqual({ verdict: 'v1' });
  });

  test('offers the opposite decision first', () => {
    expect(sent([fail])).toEqual({
      value: 'disagree',
      correction: { decision: 'pass', criteria: [], judges: [] },
    });
    expect(sent([pass])).toMatchObject({ correction: { decision: 'fail' } });
  });

  test('offers no decision where there was none', () => {
    expect(sent([fail, pass])).toEqual({ value: 'unsure', correction: { criteria: [], judges: [] } });
  });

  test('reads everything that was filled in', () => {
    const answers = {
      right: 'pass',
      criteria: ['second'],
      error_type: 'made-up',
      judges: ['p0@test/model', 'p1@test/model'],
      comment: 'open until nine on Mondays',
    };
    expect(sent([fail, fail, pass], answers)).toEqual({
      value: 'disagree',
      correction: {
        decision: 'pass',
        criteria: ['second'],
        errorType: 'made-up',
        judges: ['p0@test/model', 'p1@test/model'],
        comment: 'open until nine on Mondays',
      },
    });
  });

  test('lets somebody be unsure, or find the decision right after all', () => {
    expect(sent([fail], { right: 'unsure' })).toMatchObject({ value: 'unsure' });
    expect(sent([fail], { right: 'fail', criteria: ['first'] })).toEqual({
      value: 'agree',
      correction: { decision: 'fail', criteria: ['first'], judges: [] },
    });
  });

  test('names only judges that gave an answer', () => {
    const offered = textsIn(formFor([fail, fail, mute])).join('\n');
    expect(offered).toContain('P0');
    expect(offered).not.toContain('P2');
  });

  test('offers a criterion and an error type of the same id once', () => {
    const form = correctionForm({
      record: aRecord(verdictFrom([[fail]])),
      rubric: { errorTypes: [{ id: 'first', title: 'First', meaning: 'the same' }] },
      texts,
    });
    expect(viewProblems(form)).toEqual([]);
  });

  test('holds what was said before', () => {
    const correction: Correction = { decision: 'fail', criteria: ['first'], judges: [], comment: 'because' };
    expect(readCorrection(filledForm(formFor([fail], correction)), 'fail').correction).toEqual(correction);
  });

  test('asks for a score where scores were given', () => {
    const panel = aPanel(1);
    const judge = panel.seats[0]?.judge ?? { persona: null, model: '', sample: 0 };
    const verdict = {
      ...verdictFrom([[pass]]),
      decision: 'scored' as const,
      score: 3,
      judgements: [judgementOf({ judge, round: 0 }, { score: 3 })],
    };
    const form = correctionForm({ record: aRecord(verdict), rubric: null, texts });
    expect(viewProblems(form)).toEqual([]);
    expect(readCorrection(filledForm(form, { score: '2.5' }), 'scored')).toMatchObject({
      value: 'disagree',
      correction: { score: 2.5 },
    });
  });
});
