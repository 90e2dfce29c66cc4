import { caseFormat } from '../../src/case/format/case-format.ts';
import type { Digest } from '../../src/digests/digest.ts';
import { noVotes } from '../../src/labels/record/vote.ts';
import type { Answer } from '../../src/requests/presenter.ts';
import { reviewInvitation } from '../../src/reviews/review-words.ts';
import { setForm } from '../../src/surfaces/desks/card-desk.ts';
import { scheduleForm } from '../../src/surfaces/desks/digest-command.ts';
import { offerMessage, reviewMessage, wholeOf } from '../../src/surfaces/desks/review-desk.ts';
import { askForm } from '../../src/surfaces/forms/ask-form.ts';
import { correctionForm } from '../../src/surfaces/forms/corrections.ts';
import { settingsForm } from '../../src/surfaces/forms/judging-fields.ts';
import { readingLines } from '../../src/surfaces/wording/model-reading.ts';
import type { Language } from '../../src/words/language.ts';
import { wordsIn } from '../../src/words/words.ts';
import { aCase, aRubric, fail, mute, pass } from './builders.ts';
import { words } from './format.ts';
import { aRecord, verdictFrom } from './records.ts';
import { aStudy } from './study-builders.ts';

/** The one address that is linked. */
export const LINK = 'https://jury.slack.com/archives/C1/p1';
const rubric = aRubric({ needs: ['recommendation', 'documents'] });

/** What chats can be asked to show, with one text in all places at once. */
export function everythingWith(text: string, language: Language = 'en') {
  const verdict = {
    ...verdictFrom([[fail, fail, pass, mute]], { text }),
    caseId: text.slice(0, 200),
    why: text,
    assumed: [text, text],
    remarks: [text],
    leftOut: text,
  };
  const format = caseFormat(
    (['text', 'list'] as const).map((type) => ({
      name: `${type}s`,
      of: 'stay',
      title: text,
      type,
      labels: [text],
    })),
    words,
  );
  const evalCase = aCase({
    conversation: [{ role: 'user', text }],
    response: text,
    recommendation: { name: text },
    documents: [{ id: text, text }],
    language: text,
    // Declared, and declared no more.
    ...{ stay: { texts: text, lists: [text, `${text},`] }, [`gone${text}`]: text },
  });
  const received = { text, spans: [{ from: 0, to: text.length, is: 'unsure' as const, why: text }] };
  const record = { ...aRecord(verdict, { evalCase }), received };
  const check = { type: 'says-same' as const, lexicon: 'l', field: 'response', name: text };
  const texts = {
    language,
    personaTitle: () => text,
    methodTitle: () => text,
    rubric: () => ({
      title: text,
      criteria: rubric.criteria.map((one) => ({ ...one, check })),
      decide: 'all' as const,
    }),
    lineFor: () => text,
  };
  const people = { askedBy: text, stoppedBy: text };
  const tied = { ...verdict, decision: 'undecided' as const, cancelled: true };
  const byRules = <T extends { judge: object }>(one: T) => ({
    ...one,
    judge: { ...one.judge, model: 'rules' },
  });
  const unchecked = { ...tied, judgements: verdict.judgements.map(byRules) };
  const short = Array.from(text).slice(0, 19).join('');
  const preference = {
    better: 'B' as const,
    names: [`A${short}`, `B${short}`] satisfies [string, string],
    judges: { A: 1, B: 2, same: 1, changed: 1 },
    reasons: { A: text, B: text },
  };
  const compared = { ...verdict, decision: 'scored' as const, score: 1, preference };
  const inputs = [tied, unchecked, verdict, compared]
    .map((one) => ({ ...record, verdict: one }))
    .map((shown) => ({
      record: { ...shown, source: { ...shown.source, thread: null } },
      tally: noVotes,
      texts,
      setting: { hasModel: true, ...people },
    }));
  const [input = Object.assign({})] = inputs;
  const lines = [
    { kind: 'judged', id: 'v1', title: text, decision: 'fail', reason: text },
    { kind: 'problem', title: text, problem: text },
    { kind: 'blind', id: 'v1', title: text },
    { kind: 'judged', id: 'v2', title: text, decision: 'pass', reason: text },
    { kind: 'pending' },
  ] as const;
  const listed = {
    kind: 'open',
    id: 'v1',
    title: text,
    response: text,
    reason: null,
    decision: 'fail',
    why: text,
    at: 0,
    permalink: LINK,
    votes: wordsIn(language).votes.none,
    names: null,
  } as const;
  const standard = { title: text, criteria: [text, text], levels: { 0: text, 3: text } };
  const scored = { ...record, verdict: { ...verdict, scale: { min: 0, max: 4 } } };
  const open = { ...listed, id: 'v2', reason: text };
  const pair = { ...open, id: 'v3', names: preference.names };
  const hidden = { ...listed, kind: 'hidden', record: scored, standard } as const;
  const queue = {
    items: [open, pair, hidden, hidden],
    waiting: 9,
    asked: 3,
    lookedAt: { most: 200, isCut: false },
    language,
  };
  const vote = {
    verdictId: 'v1',
    voter: 'ada',
    value: 'agree' as const,
    blind: { answer: { kind: 'unsure' as const } },
    surface: 'slack',
    at: 0,
  };
  const judge = {
    judge: { persona: 'p', model: 'm', sample: 0 },
    name: text,
    answer: { tone: 'pass', text },
  } as const;
  const progress = {
    checkId: 'k1',
    stage: 'panel' as const,
    round: 0,
    rounds: 2,
    judges: [{ ...judge, state: 'answered' } as const, { ...judge, state: 'asked' } as const],
    given: 1,
    stopping: false,
  };
  const titled = new Map([[rubric.id, { id: rubric.id, title: text }]]);
  const choices = {
    rubrics: titled,
    methods: titled,
    personas: titled,
    models: [text.slice(0, 100)],
    language,
  };
  const rubrics = new Map([[rubric.id, rubric]]);
  const wish = { rubric: rubric.id, panel: [rubric.id] };
  const correction = { criteria: ['first'], judges: [], comment: text.slice(0, 3000) };
  const shown = { id: text, evalCase };
  const study = aStudy({
    name: text.slice(0, 100),
    standard: { rubric: 'r', task: text, criteria: [{ title: text, rule: text }] },
    errorTypes: [{ id: 'e', title: text }],
    cases: [shown, shown],
  });
  const forms = {
    ask: askForm({ understood: evalCase, wish, rubrics, choices, format, problem: text }),
    correction: correctionForm({
      verdict,
      rubric: { errorTypes: [{ id: 'e', title: text, meaning: text }] },
      standard,
      texts,
      said: { value: 'disagree', correction },
    }),
    settings: settingsForm({ wish }, choices),
    set: setForm([], language),
    sets: setForm(
      Array.from({ length: 60 }, (_, at) => `${'x'.repeat(60)}-${at}`),
      language,
    ),
    schedule: { ...scheduleForm('UTC', [{ id: 'nightly', title: text }], language), expanded: true },
  };
  const digest: Digest = {
    ...{ headline: text, trend: 'alert', quiet: false, note: text, details: [], pause: 'a1' },
    blocks: [{ kind: 'text', text }],
  };
  const unclear = {
    problem: text,
    missing: ['response', 'stay.texts', text],
    understood: evalCase,
    draftId: 'd1',
    format,
  };
  const unsure = { text, readings: { remark: evalCase, answer: evalCase }, draftId: 'd1' };
  const reading = {
    model: text,
    lines: readingLines({ case: evalCase, assumed: [`left out: ${text}`] }, format, language),
    received,
    draftId: 'd1',
  };
  const answers: Answer[] = [
    { kind: 'answer', record, by: text, model: 'openai/gpt-4o-mini', text, words: [text, text] },
    { kind: 'details', record, by: null, failed: { reason: 'malformed' } },
    { kind: 'not-seated', record, named: text, seated: [text, text] },
    { kind: 'hidden', record },
    {
      kind: 'which',
      cases: [
        { number: 1, record },
        { number: 2, record },
      ],
    },
  ];
  const criteria = Array.from({ length: 14 }, () => ({ title: text, rule: text }));
  const offer = { run: 'r', place: 0, number: 1, most: 10, evalCase };
  const reviews = [
    offerMessage({ ...offer, standard: { title: text, task: text, criteria } }, text.slice(0, 100), language),
    offerMessage(
      { ...offer, standard: { title: text, task: '', criteria: criteria.slice(0, 1) } },
      null,
      language,
    ),
    reviewMessage(reviewInvitation(10, true, language)),
  ];
  const wholeReview = wholeOf({ ...offer, standard: { title: text, task: text, criteria } }, language);
  return {
    record,
    scored,
    inputs,
    input,
    texts,
    lines,
    listed,
    open,
    queue,
    standard,
    vote,
    progress,
    study,
    shown,
    forms,
    digest,
    unclear,
    unsure,
    reading,
    answers,
    reviews,
    wholeReview,
  };
}
