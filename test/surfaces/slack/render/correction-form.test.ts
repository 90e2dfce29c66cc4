import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../../../src/judging/verdict.ts';
import { whyOf } from '../../../../src/judging/why.ts';
import type { Correction } from '../../../../src/labels/vote.ts';
import type { Form } from '../../../../src/surfaces/form.ts';
import { correctionForm, readCorrectionForm } from '../../../../src/surfaces/forms/corrections.ts';
import { forms, formView, readAbout, readFormState } from '../../../../src/surfaces/slack/render/form.ts';
import { aPanel, fail, judgementOf, mute, pass, type Said } from '../../../support/builders.ts';
import { filledForm, inputsOf } from '../../../support/fill-form.ts';
import { verdictFrom } from '../../../support/records.ts';
import { textsIn, viewProblems } from '../../../support/slack-limits.ts';

const texts = { personaTitle: (id: string) => id.toUpperCase() };
const rubric = { errorTypes: [{ id: 'made-up', title: 'Made up', meaning: 'not in the documents' }] };

const formFor = (said: readonly Said[], correction?: Correction) =>
  correctionForm({ verdict: verdictFrom([said]), rubric, texts, correction });

const viewOf = (form: Form) => formView(forms.correction, { verdict: 'v1' }, form);

const readAs = (form: Form, decided: Verdict['decision'], answers = {}) =>
  readCorrectionForm(form, readFormState(filledForm(viewOf(form), answers)), decided);

const sent = (said: readonly Said[], answers = {}) =>
  readAs(formFor(said), verdictFrom([said]).decision, answers);

describe('the form after a thumb down', () => {
  test('asks what is right, which criteria and judges were wrong, and for a comment', () => {
    const form = viewOf(formFor([fail, fail, pass]));
    expect(viewProblems(form)).toEqual([]);
    expect(inputsOf(form)).toEqual(['right', 'criteria', 'error_type', 'judges', 'comment']);
    expect(readAbout(forms.correction, { private_metadata: form.private_metadata ?? '' })).toEqual({
      verdict: 'v1',
    });
  });

  test('says who decided, and asks about no judge where exact checks did', () => {
    const verdict = verdictFrom([[fail, fail, pass]]);
    const of = (model: string) => {
      const judgements = verdict.judgements.map((one) => ({ ...one, judge: { ...one.judge, model } }));
      return { ...verdict, judgements };
    };
    const form = (decided: Verdict) =>
      viewOf(correctionForm({ verdict: { ...decided, why: whyOf(decided) }, rubric, texts }));
    expect(textsIn(form(of('a/b'))).join('\n')).toMatch(/^2 of 3 judges said fail: /m);
    expect(textsIn(form(of('rules'))).join('\n')).toMatch(/^Exact checks said fail: /m);
    expect(textsIn(form(of('rules'))).join('\n')).not.toMatch(/judges/);
    expect(inputsOf(form(of('rules')))).toEqual(['right', 'criteria', 'error_type', 'comment']);
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

  test('lets a person be unsure, or find the decision right after all', () => {
    expect(sent([fail], { right: 'unsure' })).toMatchObject({ value: 'unsure' });
    expect(sent([fail], { right: 'fail', criteria: ['first'] })).toEqual({
      value: 'agree',
      correction: { decision: 'fail', criteria: ['first'], judges: [] },
    });
  });

  test('names only judges that gave an answer', () => {
    const offered = textsIn(viewOf(formFor([fail, fail, mute]))).join('\n');
    expect(offered).toContain('P0');
    expect(offered).not.toContain('P2');
  });

  test('offers a criterion and an error type of the same id once', () => {
    const form = correctionForm({
      verdict: verdictFrom([[fail]]),
      rubric: { errorTypes: [{ id: 'first', title: 'First', meaning: 'the same' }] },
      texts,
    });
    expect(viewProblems(viewOf(form))).toEqual([]);
  });

  test('holds what was said before', () => {
    const correction: Correction = { decision: 'fail', criteria: ['first'], judges: [], comment: 'because' };
    expect(readAs(formFor([fail], correction), 'fail')).toMatchObject({ correction });
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
    const form = correctionForm({ verdict, rubric: null, texts });
    expect(viewProblems(viewOf(form))).toEqual([]);
    expect(readAs(form, 'scored', { score: '2.5' })).toMatchObject({
      value: 'disagree',
      correction: { score: 2.5 },
    });
  });
});
