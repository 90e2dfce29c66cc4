import { memoized } from '../common/collections.ts';
import { freeUsage, type Judgement, withoutAnswer } from '../judging/judgement.ts';
import type { Question, Ratings } from '../judging/ports.ts';
import { contentHash, type Library } from './library.ts';
import { shownCriteria, systemText, template, userText } from './question-text.ts';
import { replyContract, replyFormOf } from './reply.ts';

/** A rendered question. */
export type Prompt = ReturnType<ReturnType<typeof createRenderer>>;

const anyJudge = { persona: null, model: 'one', sample: 0 };

/** A placeholder case and round, to hash the wording around them. */
const probe = {
  judge: anyJudge,
  round: 1,
  evalCase: { conversation: [{ role: 'user', text: '…' }], response: '…' } satisfies Question['evalCase'],
  pair: {
    conversation: [{ role: 'user', text: '…' }],
    response: '…',
    alternative: { response: '…' },
  } satisfies Question['evalCase'],
  round0: [
    { ...withoutAnswer({ judge: anyJudge, round: 0 }, 'error', '…', freeUsage) },
    {
      judge: { ...anyJudge, model: 'another' },
      round: 0,
      usage: freeUsage,
      promptHash: null,
      status: 'scored',
      decision: 'pass',
      score: null,
      confidence: 1,
      rationale: '…',
      criteria: [{ id: '…', decision: 'pass', score: null, rationale: '…' }],
    },
  ] satisfies Judgement[],
};

/** Placeholder ratings: every criterion once rated, once not. */
const probeRatings = ({ rubric }: Ratings): Ratings => ({
  rubric,
  judgements: (['scored', 'unscored'] as const).map((decision) => ({
    ...withoutAnswer({ judge: anyJudge, round: 0 }, 'error', '…', freeUsage),
    criteria: rubric.criteria.map(({ id }) => ({
      id,
      decision,
      score: decision === 'scored' ? 0 : null,
      rationale: '…',
    })),
  })),
});

/** Everything that the wording depends on, without the case. */
function wordingKey(question: Question): string {
  const { rubric, method, persona, cast, ratings } = question;
  const { examples, reasoning, confidence, sees } = method;
  return JSON.stringify([
    [rubric.id, rubric.decide],
    ratings === undefined,
    shownCriteria(question).map(({ id }) => id),
    [method.id, examples, reasoning, confidence, sees],
    persona === null ? null : [persona.id, persona.voice],
    cast.map(({ id, voice }) => [id, voice]),
  ]);
}

/**
 * Renders questions. What does not depend on the case is rendered once per rubric, method, persona and, if criteria are asked about
 * one by one, criterion.
 */
export function createRenderer(library: Library) {
  /** Asks a judge to repair a reply that could not be used. */
  const repairTextOf = memoized(
    ({ rubric }: Question) =>
      (problem: string) =>
        template(library, rubric, 'repair', { problem }),
    ({ rubric }) => rubric.wording?.templates.repair ?? '',
  );
  const contractOf = memoized(
    ({ rubric, method, criteria }: Question) => replyContract(replyFormOf({ rubric, method }, criteria)),
    (question) => JSON.stringify([wordingKey(question), question.criteria.map(({ id }) => id)]),
  );

  /** The hash of a question's complete wording, rendered with the placeholder case and round. */
  function hashOf(question: Question, system: string): string {
    const { rubric, method, ratings } = question;
    const criteria = shownCriteria(question);
    const { json } = replyContract(replyFormOf(question, criteria));
    const asked = {
      ...question,
      judge: probe.judge,
      round: probe.round,
      evalCase: rubric.decide === 'pair' ? probe.pair : probe.evalCase,
      seen: method.sees === 'nothing' ? [] : [probe.round0],
      ...(ratings === undefined ? {} : { ratings: probeRatings(ratings) }),
    };
    const user = userText(library, asked, { date: '…', weekday: '…' });
    return contentHash(system, user, repairTextOf(question)('…'), JSON.stringify(json));
  }

  const wordingOf = memoized((question: Question) => {
    const system = systemText(library, question);
    return {
      /** The part that is the same for every case: task, criteria, worked examples, persona. */
      system,
      /** Hash of the prompt without the case. */
      promptHash: hashOf(question, system),
    };
  }, wordingKey);

  return (question: Question) => ({
    ...wordingOf(question),
    /** The case, then the panel's earlier answers. */
    user: userText(library, question),
    reply: contractOf(question),
    repairText: repairTextOf(question),
  });
}
