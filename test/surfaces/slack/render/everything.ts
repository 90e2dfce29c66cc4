import { caseFormat } from '../../../../src/case/case-format.ts';
import { noVotes } from '../../../../src/labels/vote.ts';
import { setForm } from '../../../../src/surfaces/card-desk.ts';
import { askForm } from '../../../../src/surfaces/forms/ask-form.ts';
import { correctionForm } from '../../../../src/surfaces/forms/correction-form.ts';
import { settingsForm } from '../../../../src/surfaces/forms/judging-fields.ts';
import { scheduleForm } from '../../../../src/surfaces/forms/schedule-form.ts';
import { blindCaseView, blindMessage } from '../../../../src/surfaces/slack/render/blind.ts';
import { cardMessage, sharedMessage } from '../../../../src/surfaces/slack/render/card.ts';
import { detailsView } from '../../../../src/surfaces/slack/render/details.ts';
import { digestMessage, textStyle } from '../../../../src/surfaces/slack/render/digest.ts';
import {
  askView,
  correctionView,
  digestView,
  settingsView,
  setView,
} from '../../../../src/surfaces/slack/render/form.ts';
import { homeView, queueMessage } from '../../../../src/surfaces/slack/render/lists.ts';
import {
  answerMessage,
  budgetMessage,
  editedMessage,
  errorMessage,
  problemMessage,
  unreadableMessage,
  welcomeMessage,
} from '../../../../src/surfaces/slack/render/notices.ts';
import {
  casesView,
  hiddenProgressMessage,
  progressMessage,
  receivedMessage,
  summaryMessage,
} from '../../../../src/surfaces/slack/render/progress.ts';
import {
  studyCaseView,
  studyDone,
  studyMessage,
  studyNotice,
  studyView,
} from '../../../../src/surfaces/slack/render/study.ts';
import { askMessage } from '../../../../src/surfaces/slack/render/votes.ts';
import { aCase, aRubric, fail, mute, pass } from '../../../support/builders.ts';
import { words } from '../../../support/format.ts';
import { aRecord, verdictFrom } from '../../../support/records.ts';
import { aStudy } from '../../../support/study-builders.ts';

/** The one address that is linked. */
export const LINK = 'https://jury.slack.com/archives/C1/p1';
const rubric = aRubric({ needs: ['recommendation', 'documents'] });

/** Everything that Slack is shown, with one text in all places at once. */
export function everythingOf(text: string) {
  const verdict = {
    ...verdictFrom([[fail, fail, pass, mute]], { text }),
    caseId: text.slice(0, 200),
    why: text,
    assumed: [text, text],
    remarks: [text],
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
  const record = aRecord(verdict, { evalCase });
  const check = { type: 'says-same' as const, lexicon: 'l', field: 'response', name: text };
  const texts = {
    personaTitle: () => text,
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
    tally: noVotes,
  } as const;
  const standard = { title: text, criteria: [text, text], levels: { 0: text, 3: text } };
  const scored = { ...record, verdict: { ...verdict, scale: { min: 0, max: 4 } } };
  const open = { ...listed, id: 'v2', reason: text, names: null };
  const pair = { ...open, id: 'v3', names: preference.names };
  const hidden = { kind: 'hidden', record: scored, standard } as const;
  const queue = {
    items: [open, pair, hidden, hidden],
    waiting: 9,
    asked: 3,
    lookedAt: { most: 200, isCut: false },
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
    stopping: false,
  };
  const titled = new Map([[rubric.id, { id: rubric.id, title: text }]]);
  const choices = { rubrics: titled, methods: titled, personas: titled, models: [text.slice(0, 100)] };
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
  const metadata = { study: 's1', at: study.at, place: 1, opened: 1, message: null };
  return {
    messages: [
      digestMessage(
        {
          ...{ headline: text, trend: 'alert', quiet: false, note: text, details: [], pause: 'a1' },
          blocks: [{ kind: 'text', text }],
        },
        textStyle,
      ),
      ...inputs.map((one) => cardMessage(one)),
      sharedMessage(input, text, LINK),
      summaryMessage('k1', lines),
      blindMessage(record, standard),
      blindMessage(scored, standard),
      queueMessage(queue),
      hiddenProgressMessage(progress),
      problemMessage({
        problem: text,
        missing: ['response', 'stay.texts', text],
        understood: evalCase,
        draftId: 'd1',
        format,
      }),
      errorMessage(text),
      progressMessage(progress),
      welcomeMessage(),
      unreadableMessage(),
      editedMessage('k1', true),
      askMessage('v1'),
      answerMessage(
        { kind: 'answer', record, by: text, model: 'openai/gpt-4o-mini', text, words: [text, text] },
        texts,
      ),
      answerMessage({ kind: 'details', record, by: null, failed: text }, texts),
      answerMessage({ kind: 'hidden', record }, texts),
      answerMessage(
        {
          kind: 'which',
          cases: [
            { number: 1, record },
            { number: 2, record },
          ],
        },
        texts,
      ),
      budgetMessage({ limitUsd: 5 }),
      receivedMessage('k1'),
      ...[0, 1, 2].map((done) => studyMessage(study, { done, total: 2 })),
      studyMessage({ ...study, closed: true }, { done: 1, total: 2 }),
    ],
    views: [
      studyView({
        study,
        index: 0,
        shown,
        metadata,
        done: 1,
        guide: false,
        answers: { errors: ['e'], comment: text.slice(0, 3000) },
      }),
      studyView({
        study,
        index: 0,
        shown,
        metadata: { ...metadata, place: 0 },
        done: 0,
        guide: true,
        answers: {},
      }),
      ...[0, 1].map((page) => studyCaseView(study, shown, 0, page)),
      studyDone(study, metadata),
      studyNotice(text.slice(0, 2000)),
      ...inputs.map((one) => detailsView(one)),
      detailsView(input, 1),
      detailsView(input, 0, vote),
      casesView(lines),
      blindCaseView(record, standard),
      blindCaseView(scored, standard, 1),
      askView('d1', askForm({ understood: evalCase, wish, rubrics, choices, format, problem: text })),
      correctionView(
        'v1',
        correctionForm({
          verdict,
          rubric: { errorTypes: [{ id: 'e', title: text, meaning: text }] },
          texts,
          correction,
        }),
      ),
      settingsView('C1', settingsForm({ wish }, choices)),
      setView('v1', setForm([])),
      setView('v1', setForm(Array.from({ length: 60 }, (_, at) => `${'x'.repeat(60)}-${at}`))),
      digestView(
        { channel: 'C1', channelName: null, team: 'T1', timezone: 'UTC' },
        { ...scheduleForm('UTC', [{ id: 'nightly', title: text }]), expanded: true },
      ),
      homeView({
        recent: Array(40).fill(listed),
        needVotes: [...Array(5).fill(open), ...Array(5).fill({ ...listed, id: 'v3', kind: 'hidden' })],
        lookedAt: { most: 200, isCut: false },
        own: { right: 4, of: 5 },
        agreement: { agreed: 1, n: 30 },
        settings: { wish: { models: [text] } },
      }),
    ],
  };
}
