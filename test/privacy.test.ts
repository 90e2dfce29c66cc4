import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { Baseline } from '../src/benchmark/benchmark-definition.ts';
import { CollectedIn } from '../src/benchmark/collect/collect-answers.ts';
import { RunManifest } from '../src/benchmark/run-manifest.ts';
import { Trial } from '../src/benchmark/trial.ts';
import { RunTotals, TrialVerdict } from '../src/benchmark/trial-store.ts';
import { KeptCase } from '../src/case/case.ts';
import { Received } from '../src/case/paste/index.ts';
import { Names } from '../src/datasets/named-case-sets.ts';
import { DigestProgress } from '../src/digests/delivery.ts';
import { DigestBlock, Snapshot } from '../src/digests/digest.ts';
import { DigestPage } from '../src/digests/digest-page.ts';
import { Schedule, ScheduledReview } from '../src/digests/digest-schedule.ts';
import { Day } from '../src/judges/llm/daily-budget.ts';
import { CachedAnswer } from '../src/judges/llm/reply-cache.ts';
import { JudgeRequest } from '../src/judging/ask.ts';
import { Judgement } from '../src/judging/verdict/judgement.ts';
import { Reader, Verdict } from '../src/judging/verdict/verdict.ts';
import { Change } from '../src/labels/access/audit.ts';
import { ChannelSettings } from '../src/labels/access/channel-settings.ts';
import { CountRow, VerdictRecord } from '../src/labels/record/verdict-record.ts';
import { Vote } from '../src/labels/record/vote.ts';
import { Adjudication } from '../src/labels/voting/adjudication.ts';
import { castBlind, castByReaction } from '../src/labels/voting/cast-vote.ts';
import { BenchmarkRun } from '../src/reports/history/benchmark-history.ts';
import { RunNumbers } from '../src/reports/history/run-numbers.ts';
import { KeptAnswer } from '../src/requests/answer-question.ts';
import { keepPeople, People } from '../src/requests/requesters.ts';
import { Shown } from '../src/requests/shown-messages.ts';
import { SpotCheck } from '../src/requests/spot-check.ts';
import { inviteReviewer } from '../src/reviews/invite-reviewer.ts';
import { Listed, ReviewChoice, Week } from '../src/reviews/kept-reviews.ts';
import {
  answerReview,
  beginReview,
  nextReview,
  skipReviews,
  volunteer,
} from '../src/reviews/manage-reviews.ts';
import { ReviewSample } from '../src/reviews/review-sample.ts';
import { createPseudonyms } from '../src/stores/pseudonyms.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../src/stores/store.ts';
import { Annotation } from '../src/studies/annotation.ts';
import { Study } from '../src/studies/study.ts';
import { Draft } from '../src/surfaces/forms/ask-desk.ts';
import { Place, Profile } from '../src/surfaces/teams/messages.ts';
import { KeptHalves } from '../src/surfaces/teams/partial-requests.ts';
import { Open } from '../src/surfaces/teams/streams.ts';
import { Visitor } from '../src/surfaces/web/access.ts';
import { KeptView } from '../src/surfaces/web/live-views.ts';
import { Own } from '../src/surfaces/web/sessions.ts';
import { closeAfterEach, closing } from './support/resources.ts';
import { aWish, reviewParts } from './support/reviews.ts';
import { jury, scratch } from './support/run-jury.ts';
import { aBallot, aRecord, aRuling, dayMs } from './support/store-builders.ts';

closeAfterEach();

const privacy = readFileSync(new URL('../docs/privacy.md', import.meta.url), 'utf8');

/** What happens to a field when a person is forgotten. */
type Forgotten =
  /** Erased with what it belongs to: all of it is the person's. */
  | 'erased'
  /** May hold what someone pasted, or words about it. It stays, but no longer with who asked. */
  | 'unlinked'
  /** Names a person, and stays: `why` says why. */
  | 'named'
  /** Says nothing about a person. */
  | 'stays';

interface Kept {
  schema: z.ZodType;
  /** The row of docs/privacy.md that says how long it is kept. */
  row: string;
  fields: Readonly<Record<string, Forgotten>>;
  /** What docs/privacy.md says of fields that go on naming a person. */
  why?: string;
}

const allOf = (what: Forgotten, ...fields: readonly string[]) =>
  Object.fromEntries(fields.map((field) => [field, what]));

/** Fields with parts, by the name of the whole. */
const within = (what: Forgotten, whole: string, ...parts: readonly string[]) =>
  allOf(what, ...parts.map((part) => `${whole}.${part}`));

const LABELS = 'case, verdict, votes, rulings;';
const REVIEWS = 'answers of a run that were drawn for people to check, and what people said about them';
const UNTIL_REMOVED = 'studies, named sets, exported files,';
const WAITING = 'a request that waits |';
const UNSENT = 'a form that was not sent;';
const POSTING = 'a digest that is being posted';
const COPIES = 'copies of chat cases in benchmark runs';
const COLLECTED = 'what a system under test answered for a run that is not there yet';
const RUNS = 'plans and totals of benchmark runs';
const RESULTS = 'results of runs, counted for digests and for the list of runs';

/** What is kept as a part of several things. */
const parts: Readonly<Record<string, z.ZodType>> = {
  case: KeptCase,
  verdict: Verdict,
  judgement: Judgement,
  'judging wish': JudgeRequest,
  'read paste': Received,
  'reader of a paste': Reader,
  'part of a digest': DigestBlock,
  snapshot: Snapshot,
};

/** A result with its interval, in numbers. */
const result = [
  'kind',
  'configuration',
  ...['measure', 'coverage'].flatMap((name) =>
    ['defined', 'n', 'value', 'why'].map((part) => `${name}.${part}`),
  ),
  ...['defined', 'n', 'low', 'high', 'level', 'by', 'why'].map((part) => `interval.${part}`),
];

const place = [
  'name',
  'cuisine',
  'menu',
  'cost',
  'rating',
  'openingHours.*',
  'distanceKm',
  'durationMin',
  '*',
];
const position = ['location.latitude', 'location.longitude', 'location.description'];

const judged = [
  ...['round', 'judge.persona', 'judge.model', 'judge.sample', 'decision', 'score', 'confidence', 'reason'],
  ...['costUsd', 'latencyMs'],
];

const call = ['name', 'arguments', 'result'];

const caseFields: Kept['fields'] = {
  ...allOf('stays', 'id', 'rubric', 'answerNames', 'latencyMs', 'language', 'tags.*'),
  ...within('stays', 'label', 'decision', 'score', 'errorType', 'criteria.*'),
  // Numbers in place of names.
  ...within('stays', 'label.answers', 'by', 'said', 'criterion'),
  ...allOf('unlinked', 'conversation.role', 'conversation.text', 'response', 'closing', 'groundTruth'),
  ...allOf('unlinked', 'documents.id', 'documents.text', 'recommendations', 'history.role', 'history.text'),
  ...within('unlinked', 'toolCalls', ...call),
  ...within('unlinked', 'conversation.toolCalls', ...call),
  ...within('unlinked', 'history.toolCalls', ...call),
  ...within('unlinked', 'alternative.toolCalls', ...call),
  ...within('unlinked', 'expectedCalls.anyOf', 'name', 'arguments', 'tolerance.*'),
  ...within('stays', 'expectedCalls', 'anyOf.optional', 'anyOf.moreArguments', 'ordered'),
  // By its id, a trace can be found where it came from.
  ...allOf('unlinked', 'initialState', 'expectedState', 'trace'),
  ...within('unlinked', 'alternative', 'response', 'latencyMs', '*'),
  ...within('unlinked', 'alternative.recommendation', ...place, ...position),
  ...within('unlinked', 'context', 'date', 'time', '*', ...position),
  ...within('unlinked', 'recommendation', ...place, ...position),
  ...allOf('unlinked', '*'),
};

const configuration = [
  'id',
  'method',
  'models',
  'panel',
  'temperature',
  'repeat',
  'equalCallsOf',
  'pooledFrom',
];

const kept: Readonly<Record<string, Kept>> = {
  'verdict record': {
    schema: VerdictRecord,
    row: LABELS,
    fields: {
      ...allOf('stays', 'id', 'at', 'subjects.kind', 'subjects.id', 'subjects.decision', 'blind'),
      ...within('stays', 'trust', 'agreed', 'n', 'days'),
      ...allOf('unlinked', 'evalCase', 'withLeftOut', 'received', 'verdict'),
      // Where it was asked, not by whom.
      ...within('stays', 'source', 'surface', 'team', 'channel', 'kind', 'thread', 'message', 'permalink'),
      ...allOf('stays', 'source.asked', 'earlier.decision', 'earlier.score', 'earlier.scale.min'),
      ...within('stays', 'earlier', 'scale.max', 'preference.better', 'preference.names', 'rubric', 'models'),
    },
  },
  case: { schema: KeptCase, row: LABELS, fields: caseFields },
  verdict: {
    schema: Verdict,
    row: LABELS,
    fields: {
      ...allOf('stays', 'caseId', 'rubric', 'method', 'decision', 'score', 'scale.min', 'scale.max'),
      ...within(
        'stays',
        'preference',
        'better',
        'names',
        'judges.A',
        'judges.B',
        'judges.same',
        'judges.changed',
      ),
      ...allOf('unlinked', 'preference.reasons.A', 'preference.reasons.B', 'why', 'judgements', 'ratings'),
      ...allOf('unlinked', 'criteria.rationale', 'assumed', 'leftOut', 'remarks'),
      ...allOf(
        'stays',
        'confidence',
        'fallback',
        'trouble',
        'rounds',
        'decidedInRound',
        'calls',
        'cancelled',
      ),
      ...within('stays', 'tally', 'pass', 'fail', 'scored', 'unscored', 'notRelevant', 'notAsked', 'panel'),
      ...within('stays', 'criteria', 'id', 'title', 'dimension', 'scale.min', 'scale.max', 'decision'),
      ...within('stays', 'criteria', 'ifRelevant', 'score'),
      ...within('stays', 'criteria.tally', 'pass', 'fail', 'scored', 'unscored', 'notRelevant'),
      ...within('stays', 'usage', 'promptTokens', 'cachedTokens', 'completionTokens', 'costUsd'),
      ...within(
        'stays',
        'settings',
        'panel.persona',
        'panel.model',
        'temperature',
        'seed',
        'rounds',
        'examples',
      ),
      ...within('stays', 'settings', 'rubricVersion', 'values.*'),
      ...allOf('stays', 'startedAt', 'durationMs', 'takenFrom.run', 'reader'),
    },
  },
  judgement: {
    schema: Judgement,
    row: LABELS,
    fields: {
      ...allOf(
        'stays',
        'round',
        'judge.persona',
        'judge.model',
        'judge.sample',
        'promptHash',
        'calls',
        'pooledFrom',
        'caveat',
      ),
      ...within('stays', 'usage', 'promptTokens', 'cachedTokens', 'completionTokens', 'costUsd', 'latencyMs'),
      ...within('stays', 'usage', 'sequentialMs', 'untimed', 'attempts', 'fromCache'),
      ...allOf(
        'stays',
        'status',
        'decision',
        'score',
        'confidence',
        'reason',
        'unavailable',
        'trouble',
        'changedWithOrder',
      ),
      ...within('stays', 'criteria', 'id', 'decision', 'ifRelevant', 'score'),
      ...allOf('unlinked', 'rationale', 'criteria.rationale', 'message', 'sides.first', 'sides.second'),
      ...allOf('unlinked', 'criteria.sides.first', 'criteria.sides.second'),
    },
  },
  'read paste': {
    schema: Received,
    row: LABELS,
    fields: {
      ...allOf('unlinked', 'text'),
      ...within('stays', 'spans', 'from', 'to', 'is', 'path', 'why'),
    },
  },
  'reader of a paste': {
    schema: Reader,
    row: LABELS,
    fields: {
      ...allOf('stays', 'model', 'promptHash'),
      ...within('stays', 'usage', 'promptTokens', 'cachedTokens', 'completionTokens', 'costUsd', 'latencyMs'),
      ...within('stays', 'usage', 'sequentialMs', 'untimed', 'attempts', 'fromCache'),
    },
  },
  'judging wish': {
    schema: JudgeRequest,
    row: WAITING,
    fields: allOf('stays', 'rubric', 'method', 'models', 'panel', 'unsure', 'trustReader'),
  },
  vote: {
    schema: Vote,
    row: LABELS,
    fields: {
      ...allOf('erased', 'verdictId', 'voter', 'value', 'right.kind', 'right.decision', 'right.score'),
      ...allOf('erased', 'correction.decision', 'correction.score', 'correction.criteria'),
      ...allOf('erased', 'correction.errorType', 'correction.judges', 'correction.comment'),
      ...allOf('erased', 'blind.answer.kind', 'blind.answer.decision', 'blind.answer.score'),
      ...allOf('erased', 'blind.later.answer.kind', 'blind.later.answer.decision'),
      ...allOf('erased', 'blind.later.answer.score', 'blind.later.at'),
      ...allOf('erased', 'surface', 'offered.why', 'at'),
    },
  },
  count: {
    schema: CountRow,
    row: 'counts by day, rubric, model and decision, without text or voter',
    fields: {
      ...within(
        'stays',
        'key',
        'day',
        'channel',
        'rubric',
        'method',
        'models',
        'kind',
        'subject',
        'decision',
      ),
      ...allOf('stays', 'tally.agree', 'tally.disagree', 'tally.unsure', 'items'),
    },
  },
  ruling: {
    schema: Adjudication,
    row: LABELS,
    // By a role, not by a person.
    fields: allOf(
      ...(['stays', 'verdictId', 'right.kind', 'right.decision', 'right.score', 'errorType'] as const),
      ...['role', 'comment', 'at'],
    ),
  },
  request: {
    schema: SpotCheck,
    row: WAITING,
    fields: {
      ...allOf('stays', 'id', 'at', 'surface', 'team', 'channel', 'kind', 'thread', 'wish', 'isWishComplete'),
      ...allOf(
        'stays',
        'again',
        'blind',
        'progress.placeholder',
        'progress.replies.*',
        'progress.verdicts.*',
      ),
      ...allOf('stays', 'replaces', 'progress.failures', 'progress.asked'),
      ...allOf('named', 'requestedBy', 'input.kind', 'input.message', 'input.text', 'input.quotes'),
      ...within('named', 'input.cases', 'evalCase', 'assumed', 'unsure.text', 'unsure.withIt', 'received'),
      ...within('named', 'input.cases', 'reader'),
      ...within('named', 'input.files', 'id', 'name', 'size', 'url'),
    },
    why: 'requests are still being judged: run it again',
  },
  'request that failed': {
    schema: SpotCheck,
    row: 'a request that could not be judged or shown',
    fields: {
      ...allOf(
        'erased',
        'id',
        'at',
        'surface',
        'team',
        'channel',
        'kind',
        'thread',
        'wish',
        'isWishComplete',
      ),
      ...allOf('erased', 'again', 'blind', 'replaces', 'requestedBy'),
      ...within('erased', 'progress', 'placeholder', 'replies.*', 'verdicts.*', 'failures', 'asked'),
      ...within('erased', 'input', 'kind', 'message', 'text', 'quotes'),
      ...within('erased', 'input.cases', 'evalCase', 'assumed', 'unsure.text', 'unsure.withIt', 'received'),
      ...within('erased', 'input.cases', 'reader'),
      ...within('erased', 'input.files', 'id', 'name', 'size', 'url'),
    },
  },
  'request whose answer is being written in Teams': {
    schema: Open,
    row: 'in Teams: the beginning of a request whose answer is still being written',
    fields: allOf('named', 'kind', 'check', 'by', 'words', 'language'),
    why: 'requests are still being judged: run it again',
  },
  'profile of a person in Teams': {
    schema: Profile,
    row: 'in Teams: of each person who acted,',
    fields: allOf('erased', 'account', 'timeZone', 'language'),
  },
  'answer to a question': {
    schema: KeptAnswer,
    row: 'what a model answered to a question about a verdict',
    fields: { ...allOf('stays', 'by', 'model'), ...allOf('unlinked', 'text', 'words') },
  },
  'people of a verdict': {
    schema: People,
    row: 'who asked for a verdict and who stopped it',
    fields: allOf('erased', 'askedBy', 'stoppedBy'),
  },
  'shown request': {
    schema: Shown.omit({ edit: true }),
    row: 'which messages answer which request',
    fields: allOf('stays', 'check', 'channel', 'messages', 'cases', 'asked', 'withdrawn', 'edits'),
  },
  'edited request': {
    schema: Shown.shape.edit,
    row: 'text of an edited message',
    fields: {
      ...allOf('erased', '', 'surface', 'team', 'channel', 'kind', 'thread', 'requestedBy', 'key'),
      ...allOf('erased', 'input.kind', 'input.message', 'input.text', 'input.quotes'),
      ...within('erased', 'input.cases', 'evalCase', 'assumed', 'unsure.text', 'unsure.withIt', 'received'),
      ...within('erased', 'input.cases', 'reader'),
      ...within('erased', 'input.files', 'id', 'name', 'size', 'url'),
    },
  },
  draft: {
    schema: Draft,
    row: UNSENT,
    fields: {
      ...allOf('erased', 'understood.*', 'wish', 'team', 'channel', 'thread', 'again', 'problem', 'paste'),
      ...allOf('erased', 'notes', 'by.surface', 'by.user', 'question.message', 'question.kind'),
      ...within(
        'erased',
        'question.choices',
        'evalCase',
        'assumed',
        'unsure.text',
        'unsure.withIt',
        'received',
        'reader',
      ),
      ...within('erased', 'reading', 'assumed', 'received', 'reader', 'message'),
      ...within('erased', 'reading.asked', 'id', 'kind', 'isWishComplete', 'blind'),
      ...within('erased', 'unsure', 'text', 'withIt', 'assumed', 'received', 'message'),
      ...within('erased', 'unsure.asked', 'id', 'kind', 'isWishComplete', 'blind'),
    },
  },
  'view of the console': {
    schema: KeptView,
    row: 'pages of requests in the console',
    fields: {
      ...allOf('erased', 'n', 'channel'),
      ...within(
        'erased',
        'view',
        'kind',
        'request',
        'title',
        'note',
        'stopping',
        'id',
        'isDone',
        'code',
        'text',
      ),
      ...within('erased', 'view', 'paste', 'draft', 'headline', 'quotes', 'lines', 'verdict'),
      ...within('erased', 'view.judges', 'name', 'mark', 'text', 'state'),
      ...within('erased', 'view.answers', 'given', 'most'),
      ...within('erased', 'view.lines', 'mark', 'title', 'text', 'verdict', 'name'),
      ...within('erased', 'view', 'missing.name', 'missing.text', 'understood.name', 'understood.text'),
      ...within('erased', 'view.readings', 'remark', 'answer'),
      ...within('erased', 'view', 'model', 'received'),
      ...within('erased', 'view.answers', 'given', 'most'),
    },
  },
  session: {
    schema: Visitor,
    row: 'a session of a person who signed in to the console',
    fields: allOf(
      ...(['erased', 'user', 'name', 'email', 'person', 'person.surface', 'person.team'] as const),
      'person.user',
    ),
  },
  'list of sessions': {
    schema: Own,
    row: 'a session of a person who signed in to the console',
    fields: allOf('erased', 'session', 'until'),
  },
  'settings of a conversation': {
    schema: ChannelSettings,
    row: 'settings of a conversation; nothing about a person',
    fields: allOf(
      ...([
        'stays',
        'wish',
        'blind',
        'marks',
        'goldEvery',
        'issueUrl',
        'allowedModels',
        'language',
        'membersMayChange',
      ] as const),
    ),
  },
  'digest or alert that was set up': {
    schema: Schedule,
    row: 'digests and alerts that were set up',
    fields: {
      ...allOf('stays', 'id', 'target.surface', 'target.team', 'target.channel', 'since', 'paused', 'cron'),
      ...allOf(
        'stays',
        'timezone',
        'benchmarks',
        'votes',
        'benchmark',
        'rule.measure',
        'rule.limit',
        'webhook',
        'by',
        'review.size',
      ),
      ...allOf('erased', 'owner', 'review.people'),
    },
  },
  'numbers of a run': {
    schema: RunNumbers,
    row: RESULTS,
    fields: {
      ...allOf('stays', 'builds', 'score', ...result.map((field) => `score.${field}`)),
      ...within('stays', 'setups', 'id', 'score', ...result.map((field) => `score.${field}`), 'turned'),
      ...within('stays', 'setups.turned', 'cases', 'worse', 'better', 'labeled'),
    },
  },
  'progress of a digest': {
    schema: DigestProgress,
    row: POSTING,
    fields: {
      ...allOf('stays', 'done', 'last', 'current', 'watch'),
      ...within(
        'stays',
        'current',
        'slot',
        'late',
        'holder',
        'beat',
        'failures',
        'retryAt',
        'told',
        'content',
      ),
      ...within('unlinked', 'current.content.digest', 'headline', 'note', 'pause', 'blocks', 'details'),
      ...within('stays', 'current', 'content.digest.trend', 'content.digest.quiet', 'content.snapshot'),
      ...allOf('stays', 'current.content.page'),
      ...within('stays', 'current.content.page', 'surface', 'channel', 'at', 'headline', 'known'),
      ...within(
        'stays',
        'current',
        'picture',
        'main.state',
        'main.message',
        'details.state',
        'details.message',
      ),
      ...within('stays', 'current', 'webhook.state', 'webhook.message'),
      ...within(
        'stays',
        'watch',
        'since',
        'counted.run',
        'counted.at',
        'floor',
        'looked',
        'yardstick.*',
        'stated',
      ),
      ...within('stays', 'watch.accounts', 'capital', 'looks', 'total', 'n'),
      ...allOf('stays', 'watch.told', 'watch.wasRight'),
    },
  },
  snapshot: {
    schema: Snapshot,
    row: POSTING,
    fields: {
      ...allOf('stays', 'at', 'runs.*', 'sounding', 'blockers', 'basis', 'labels.verdicts.*'),
      ...within('stays', 'labels.votes', 'agree', 'disagree', 'unsure'),
      ...within('stays', 'labels.settled', 'right', 'wrong', 'tied'),
      ...within('stays', 'labels.judges.*', 'right', 'wrong', 'tied'),
    },
  },
  'part of a digest': {
    schema: DigestBlock,
    row: POSTING,
    fields: {
      ...allOf(
        'stays',
        'kind',
        'title',
        'facts.label',
        'facts.value',
        'columns.title',
        'columns.align',
        'rows',
      ),
      ...allOf('stays', 'more', 'categories', 'series.name', 'series.values', 'items.link', 'items.issue'),
      ...allOf(
        'unlinked',
        'text',
        'items.title',
        'items.request',
        'items.answer',
        'items.reason',
        'items.text',
      ),
    },
  },
  'page of a digest': {
    schema: DigestPage,
    row: 'pages of digests in the console',
    fields: allOf('stays', 'surface', 'channel', 'at', 'headline', 'known'),
  },
  study: {
    schema: Study,
    row: UNTIL_REMOVED,
    fields: {
      ...allOf('stays', 'id', 'name', 'at', 'seed', 'items', 'closed', 'errorTypes.id', 'errorTypes.title'),
      ...within('stays', 'standard', 'rubric', 'task', 'criteria.title', 'criteria.rule', 'seenBy.*'),
      ...within(
        'stays',
        'questions',
        'id',
        'title',
        'rule',
        'mayNotApply',
        'onlyWith',
        'notWith',
        'scale',
        'scale.min',
        'scale.max',
      ),
      ...within('stays', 'others', 'rubric', 'task', 'criteria.title', 'criteria.rule', 'seenBy.*'),
      ...allOf('stays', 'shares'),
      ...within('stays', 'others', 'errorTypes.id', 'errorTypes.title', 'questions.scale.levels.*'),
      ...within(
        'stays',
        'others.questions',
        'id',
        'title',
        'rule',
        'mayNotApply',
        'onlyWith',
        'notWith',
        'scale',
        'scale.min',
        'scale.max',
      ),
      ...allOf('stays', 'questions.scale.levels.*', 'cases.id', 'cases.rubric'),
      ...allOf('unlinked', 'cases.evalCase'),
      ...within('erased', 'annotators', 'id', 'place', 'person.surface', 'person.team', 'person.user'),
    },
  },
  annotation: {
    schema: Annotation,
    row: UNTIL_REMOVED,
    fields: {
      ...allOf('erased', 'study', 'annotator', 'case', 'at'),
      ...within(
        'erased',
        'answers',
        'user',
        'system',
        'correct',
        'better',
        'criteria.*',
        'errors',
        'comment',
      ),
    },
  },
  'entry of the audit log': {
    schema: Change,
    row: 'the audit log',
    fields: {
      ...allOf('named', 'by.people.surface', 'by.people.team', 'by.people.user', 'by.email'),
      // Of a digest or an alert, they name its owner.
      ...allOf('named', 'before', 'before.*', 'after', 'after.*'),
      ...allOf('stays', 'id', 'at', 'what', 'surface', 'channel', 'about'),
    },
    why: '`forget` does not reach the audit log',
  },
  'trial of a run': {
    schema: Trial,
    row: COPIES,
    fields: {
      ...allOf('erased', 'why'),
      ...allOf(
        'stays',
        'key',
        'configuration',
        'caseId',
        'rubric',
        'method',
        'decision',
        'score',
        'confidence',
      ),
      ...allOf('stays', 'label', 'label.decision', 'label.score', 'label.errorType', 'label.criteria.*'),
      ...within('stays', 'preference', 'better', 'judges.A', 'judges.B', 'judges.same', 'judges.changed'),
      ...within('stays', 'criteria', 'id', 'decision', 'ifRelevant', 'score'),
      ...within('stays', 'judgements', ...judged),
      ...within('stays', 'ratings', ...judged),
      ...allOf('stays', 'rounds', 'decidedInRound', 'calls', 'savedCalls', 'attempts', 'cached', 'latencyMs'),
      ...within('stays', 'usage', 'promptTokens', 'cachedTokens', 'completionTokens', 'costUsd'),
      ...allOf('stays', 'sequentialMs', 'untimed', 'promptHashes', 'startedAt', 'endedAt', 'takenFrom.run'),
      ...within('stays', 'pooled', 'from', 'calls', 'ownCostUsd'),
    },
  },
  'verdict of a run': {
    schema: TrialVerdict,
    row: COPIES,
    fields: allOf('erased', 'key', 'verdict'),
  },
  "day's spending": {
    schema: Day,
    row: 'what each person, conversation and token spent in a day',
    // The key has the pseudonym.
    fields: allOf('named', 'spent', 'held.*.amount', 'held.*.until', 'isReached'),
    why: 'What the person spent stays its 2 days',
  },
  'case of a named set': { schema: KeptCase, row: UNTIL_REMOVED, fields: caseFields },
  'list of sets, and of their cases by hash': {
    schema: Names,
    row: UNTIL_REMOVED,
    fields: allOf('stays', ''),
  },
  'collected answer': {
    schema: KeptCase,
    row: COLLECTED,
    // Those to cases from chats; others come from a team's own files.
    fields: allOf('erased', ...Object.keys(caseFields)),
  },
  'list of the runs that collected an answer': {
    schema: CollectedIn,
    row: COLLECTED,
    fields: allOf('erased', ''),
  },
  'plan of a run': {
    schema: RunManifest,
    row: RUNS,
    fields: {
      ...allOf(
        'stays',
        'version',
        'name',
        'series',
        'createdAt',
        'subject',
        'rubrics',
        'wordings.*',
        'versions.*',
      ),
      ...within('stays', 'settings', 'methods', 'models', 'panels.name', 'panels.models', 'temperatures'),
      ...within('stays', 'settings', 'modelsOf.*'),
      ...within('stays', 'settings', 'repeats', 'rubric', 'panel', 'seed', 'values.*', 'equalCalls'),
      ...within('stays', 'settings', 'earlyStop', 'stop', 'cache'),
      ...within('stays', 'configurations', ...configuration),
      ...within('stays', 'dataset', 'source', 'cases', 'labeled', 'hash', 'collected'),
      ...within('stays', 'shortOfExamples', 'method', 'rubric', 'shown', 'wanted'),
      ...within('stays', 'imported', 'judgements', 'labels', 'trials', 'hash'),
      ...allOf('stays', 'sources.rubrics.*', 'sources.methods.*', 'blockers.*'),
    },
  },
  'totals of a run': {
    schema: RunTotals,
    row: RUNS,
    fields: allOf('stays', 'trials', 'failed', 'calls', 'spentUsd', 'unknownCosts'),
  },
  'counts of a run, for digests': {
    schema: BenchmarkRun,
    row: RESULTS,
    fields: allOf('stays', 'name', 'at', 'correct', 'n', 'cases', 'costUsd'),
  },
  baseline: {
    schema: Baseline,
    row: 'the baseline of a benchmark',
    fields: allOf('stays', 'name', 'run'),
  },
  "file of the models' answers": {
    schema: CachedAnswer,
    row: 'answers of models that commands such as `bench run` cache',
    // About cases of a team's own files: none comes from a chat.
    fields: allOf('stays', 'version', 'key', 'text'),
  },
  'chat in Teams': {
    schema: Place,
    row: 'in Teams: which chats there are',
    // Whose own chat it is stands beside it, and is erased.
    fields: allOf('stays', 'serviceUrl', 'tenant', 'bot', 'team', 'group'),
  },
  'list of half conversations in Teams': {
    schema: KeptHalves,
    row: UNSENT,
    // What they say is a draft, and is erased.
    fields: allOf('stays', 'message', 'check'),
  },
  'review sample': {
    schema: ReviewSample,
    row: REVIEWS,
    fields: {
      ...allOf('stays', 'version', 'run', 'at', 'until', 'votes', 'perWeek', 'days', 'signatures.*'),
      ...allOf('stays', 'undecided', 'strata.name', 'strata.decision', 'strata.split', 'strata.size'),
      ...allOf('stays', 'made.createdAt', 'made.dataset'),
      ...allOf('stays', 'strata.drawn', 'entries.place', 'entries.caseId', 'entries.unit', 'entries.rubric'),
      ...allOf('stays', 'entries.decision', 'entries.split', 'entries.stratum', 'entries.probability'),
      ...allOf('erased', 'people', 'entries.labels.right', 'entries.labels.slot'),
      ...allOf('erased', 'entries.labels.voter', 'entries.labels.at'),
    },
  },
  'list of review samples': {
    schema: Listed,
    row: REVIEWS,
    fields: allOf('stays', 'run', 'at', 'until', 'signatures'),
  },
  'a week of reviews': {
    schema: Week,
    row: 'which of them a person was asked about, by pseudonym, that they were invited, and that they skipped a week',
    fields: allOf('erased', 'offers.run', 'offers.place', 'skipped'),
  },
  "a schedule's people who check answers": {
    schema: ScheduledReview,
    row: 'whom a schedule names to check answers, by id',
    fields: { ...allOf('stays', 'size'), ...allOf('erased', 'people') },
  },
  'a choice about reviews': {
    schema: ReviewChoice,
    row: 'that a person checks answers, or never wants to, by pseudonym',
    fields: allOf('erased', ''),
  },
};

const Shape = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  allOf: z.array(z.unknown()).optional(),
  prefixItems: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  additionalProperties: z.unknown().optional(),
});

/** The paths of all fields in a JSON Schema; parts of a list are not numbered, keys of a record are `*`. */
function pathsIn(schema: unknown, path: string): string[] {
  // What may be anything, or, after the parts of a tuple, nothing.
  if (typeof schema === 'boolean') return schema ? [path] : [];
  const { properties, items, additionalProperties, ...some } = Shape.parse(schema);
  const { anyOf = [], oneOf = [], allOf = [], prefixItems = [] } = some;
  const below = (name: string) => (path === '' ? name : `${path}.${name}`);
  const found = [
    ...Object.entries(properties ?? {}).flatMap(([name, part]) => pathsIn(part, below(name))),
    ...[...anyOf, ...oneOf, ...allOf, ...prefixItems].flatMap((part) => pathsIn(part, path)),
    ...(items === undefined ? [] : pathsIn(items, path)),
    ...(typeof additionalProperties === 'object' ? pathsIn(additionalProperties, below('*')) : []),
  ];
  return found.length === 0 ? [path] : [...new Set(found)];
}

/** The fields of what is kept; what is kept as a part of several things is one field of each. */
function fieldsOf(whole: z.ZodType): string[] {
  const shared: unknown[] = Object.values(parts).filter((part) => part !== whole);
  const { $schema: _schema, ...schema } = z.toJSONSchema(whole, {
    reused: 'inline',
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (!shared.includes(zodSchema)) return;
      for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key);
    },
  });
  return pathsIn(schema, '');
}

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

describe('what is kept about people', () => {
  test.each(Object.entries(kept))(
    'lists each field of a stored %s with what forgetting does to it',
    (_, { schema, row, fields, why }) => {
      expect(
        Object.keys(fields).sort(),
        'add new fields to `kept` above, with what forgetting a person does to them',
      ).toEqual(fieldsOf(schema).sort());
      expect(privacy.split('\n').filter((line) => line.startsWith(`| ${row}`))).toHaveLength(1);
      expect(Object.values(fields).includes('named')).toBe(why !== undefined);
      expect(inOneLine(privacy)).toContain(why ?? '');
    },
  );

  test('lists what is kept as a part of several things, too', () => {
    expect(Object.entries(parts).filter(([name, part]) => kept[name]?.schema !== part)).toEqual([]);
  });
});

describe('a person who is forgotten', () => {
  const secret = 'for this test';
  const pseudonym = createPseudonyms(secret, ['slack']);
  const ada = pseudonym({ surface: 'slack', team: '', user: 'UADA' });
  const bea = pseudonym({ surface: 'slack', team: '', user: 'UBEA' });
  let cwd: string;
  let store: Store;
  const now = Date.now();
  const parts = () => reviewParts(store, () => now);

  /** Everything in the database, as text. */
  const dump = (): string => {
    const database = new DatabaseSync(join(cwd, 'data', 'jury.db'), { readOnly: true });
    try {
      const tables = database
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'words%'")
        .all();
      return JSON.stringify(
        tables.map(({ name }) => [name, database.prepare(`SELECT * FROM "${String(name)}"`).all()]),
      );
    } finally {
      database.close();
    }
  };

  beforeEach(async () => {
    cwd = scratch();
    store = await openSqliteStore(join(cwd, 'data', 'jury.db'));
    const { close } = store;
    closing(() => close());
    for (const id of ['v1', 'v2', 'v3']) await store.saveVerdict(aRecord({ id, at: now }));
    await store.saveVerdict({ ...aRecord({ id: 'v4', at: now }), blind: true });
    await store.adjudicate(aRuling({ verdictId: 'v1' }));
    for (const voter of [ada, bea]) {
      const offered = { why: 'card' } as const;
      await store.castVote(aBallot({ verdictId: 'v1', voter, at: now, offered }));
      const who = { verdictId: 'v2', voter, surface: 'slack', at: now, offered };
      await castByReaction(store, who, 'agree', now);
      const record = await store.verdict('v4');
      if (record === null) throw new Error('v4 is gone');
      await castBlind(store, record, { voter, surface: 'slack', at: now }, { kind: 'unsure' });
    }
    await keepPeople(store, 'v3', { askedBy: 'UADA', stoppedBy: null }, now);
    await beginReview(parts(), 'weekly-1', aWish({ people: [ada, bea] }));
    for (const voter of [ada, bea]) {
      const person = { surface: 'slack', team: '', user: 'one of them' };
      const poster = { surface: 'slack', invite: async () => {} };
      await inviteReviewer({ ...parts(), holder: 'h' }, poster, { person, voter });
      await volunteer(parts(), voter);
      for (const right of ['pass', 'unsure', null] as const) {
        const next = await nextReview(parts(), voter);
        if (next.kind !== 'offer') throw new Error(`no offer: ${next.kind}`);
        if (right !== null) await answerReview(parts(), voter, next.offer, right);
      }
    }
    await skipReviews(parts(), bea, 'never');
  });

  test('is nowhere in the database after "jury labels forget", and others stay as they are', async () => {
    const before = dump();
    const count = (text: string, trace: string) => text.split(trace).length - 1;
    expect([ada, 'UADA', bea].filter((trace) => count(before, trace) === 0)).toEqual([]);
    const { code, out } = await jury(['labels', 'forget', 'UADA'], { cwd, env: { JURY_SECRET: secret } });
    expect({ code, out }).toEqual({
      code: 0,
      out: 'Erased 3 votes, 2 checked answers, and 1 request of UADA.\n',
    });
    const after = dump();
    expect([ada, 'UADA'].map((trace) => count(after, trace))).toEqual([0, 0]);
    expect(count(after, bea)).toBe(count(before, bea));
  });

  test('leaves no offer behind after 30 days, even if nobody forgets them; the answers stay as long as labels', async () => {
    const later = now + 30 * dayMs;
    await store.prune(later - 400 * dayMs, later);
    const kinds = () =>
      [...new Set(dump().match(/review-[a-z]+(?=:)|review-samples/g))].filter((one) => one !== null).sort();
    expect(kinds()).toEqual(['review-choice', 'review-sample', 'review-samples']);
    const end = now + 400 * dayMs;
    await store.prune(end - 400 * dayMs + 1, end);
    expect(kinds()).toEqual(['review-choice', 'review-samples']);
    // Votes, rulings and what was said of answers have gone; what people chose stays until they change it.
    expect(dump().split(ada).length - 1).toBe(1);
  });
});
