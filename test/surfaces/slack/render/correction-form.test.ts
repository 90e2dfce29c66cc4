import { describe, expect, test } from 'vitest';
import type { Verdict } from '../../../../src/judging/verdict/verdict.ts';
import { whyOf } from '../../../../src/judging/verdict/verdict-reason.ts';
import type { Correction } from '../../../../src/labels/record/vote.ts';
import { correctionForm, readCorrectionForm } from '../../../../src/surfaces/forms/corrections.ts';
import type { Form } from '../../../../src/surfaces/forms/form.ts';
import { forms, formView, readAbout, readFormState } from '../../../../src/surfaces/slack/render/form.ts';
import { aPanel, fail, judgementOf, mute, pass, type Said } from '../../../support/builders.ts';
import { filledForm, inputsOf } from '../../../support/fill-form.ts';
import { verdictFrom } from '../../../support/records.ts';
import { textsIn, viewProblems } from '../../../support/slack-limits.ts';

const texts = { language: 'en', personaTitle: (id: string) => id.toUpperCase() } as const;
const standard = { title: 'Test', criteria: [], levels: {} };
const rubric = { errorTypes: [{ id: 'made-up', title: 'Made up', meaning: 'not in the documents' }] };

const formFor = (said: readonly Said[], correction?: Correction) =>
  correctionForm({
    verdict: verdictFrom([said]),
    rubric,
    standard,
    texts,
    said: { value: 'disagree', correction },
  });

const viewOf = (form: Form) => formView(forms.correction, { verdict: 'v1' }, form);

function readAs(form: Form, verdict: Verdict, answers = {}) {
  const read = readCorrectionForm(form, readFormState(filledForm(viewOf(form), answers)), verdict);
  return 'said' in read ? read.said : read;
}

const sent = (said: readonly Said[], answers = {}) => readAs(formFor(said), verdictFrom([said]), answers);

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
      viewOf(correctionForm({ verdict: { ...decided, why: whyOf(decided) }, rubric, standard, texts }));
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

  test('asks for the vote itself where the panel did not decide, and suggests none', () => {
    const form = formFor([fail, pass]);
    expect(textsIn(viewOf(form)).join('\n')).toMatch(/^Nothing counts before you send this\./m);
    expect(sent([fail, pass])).toEqual({ errors: { right: 'Say what is right, or that you are not sure.' } });
    expect(sent([fail, pass], { right: 'pass' })).toEqual({ right: { kind: 'decision', decision: 'pass' } });
    expect(sent([fail, pass], { right: 'unsure', comment: 'hard to say' })).toEqual({
      right: { kind: 'unsure' },
      correction: { criteria: [], judges: [], comment: 'hard to say' },
    });
  });

  test('offers the levels of the scale where the panel did not decide on a score', () => {
    const verdict = { ...verdictFrom([[fail, pass]]), scale: { min: 0, max: 3 } };
    const form = correctionForm({ verdict, rubric: null, standard, texts });
    expect(viewProblems(viewOf(form))).toEqual([]);
    expect(readAs(form, verdict, { right: '2' })).toEqual({ right: { kind: 'score', score: 2 } });
    expect(readAs(form, verdict, { right: '9' })).toHaveProperty('errors');
  });

  test('holds what was answered before', () => {
    const verdict = verdictFrom([[fail, pass]]);
    const said = { right: { kind: 'decision', decision: 'fail' } } as const;
    expect(readAs(correctionForm({ verdict, rubric: null, standard, texts, said }), verdict)).toEqual(said);
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
      standard,
      texts,
    });
    expect(viewProblems(viewOf(form))).toEqual([]);
  });

  test('holds what was said before', () => {
    const correction: Correction = { decision: 'fail', criteria: ['first'], judges: [], comment: 'because' };
    expect(readAs(formFor([fail], correction), verdictFrom([[fail]]))).toMatchObject({ correction });
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
    const form = correctionForm({ verdict, rubric: null, standard, texts });
    expect(viewProblems(viewOf(form))).toEqual([]);
    expect(readAs(form, verdict, { score: '2.5' })).toMatchObject({
      value: 'disagree',
      correction: { score: 2.5 },
    });
  });
});
