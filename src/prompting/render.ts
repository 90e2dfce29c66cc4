import { memoized } from '../common/index.ts';
import type { Question, Ratings } from '../judging/index.ts';
import { visibilityOf } from '../judging/standards/index.ts';
import { freeUsage, type Judgement, withoutAnswer } from '../judging/verdict/index.ts';
import { contentHash, type Library } from './library.ts';
import { hiddenFrom, shownCriteria, systemText, template, userText } from './question-text.ts';
import { replyContract, replyFormOf } from './read-reply.ts';

/** A rendered question. */
export type Prompt = ReturnType<ReturnType<typeof createRenderer>>;

const anyJudge = { persona: null, model: 'one', sample: 0 };

/** A placeholder case and round, for hashing the wording around them. */
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

/** Placeholder ratings: every criterion rated once and left unrated once. */
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

/** A key of everything that the wording depends on except the case. */
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

interface Keyed {
  question: Question;
  /** Its {@link wordingKey}. */
  key: string;
}

/**
 * Renders questions. Whatever does not depend on the case is rendered once per rubric, method and persona, and per criterion if
 * criteria are asked one by one.
 */
export function createRenderer(library: Library) {
  /** The text that asks a judge to repair an unusable reply. */
  const repairTextOf = memoized(
    ({ rubric }: Question) =>
      (problem: string) =>
        template(library, rubric, 'repair', { problem }),
    ({ rubric }) => rubric.wording?.templates.repair ?? '',
  );
  const contractOf = memoized(
    ({ question }: Keyed) => replyContract(replyFormOf(question, question.criteria)),
    ({ question, key }) => [key, ...question.criteria.map(({ id }) => id)].join('\n'),
  );

  /** Hash of a question's complete wording, rendered with the placeholder case and round. */
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
    // The placeholder case has no fields, so the text does not show which of them this judge sees.
    const shown = visibilityOf(hiddenFrom(question));
    return contentHash(system, user, repairTextOf(question)('…'), JSON.stringify(json), ...shown);
  }

  const wordingOf = memoized(
    ({ question }: Keyed) => {
      const system = systemText(library, question);
      return {
        /** The part that is the same for every case: task, criteria, worked examples, persona. */
        system,
        /** Hash of the prompt without the case. */
        promptHash: hashOf(question, system),
      };
    },
    ({ key }) => key,
  );

  return (question: Question) => {
    const keyed = { question, key: wordingKey(question) };
    return {
      ...wordingOf(keyed),
      /** The case, then the panel's earlier answers. */
      user: userText(library, question),
      reply: contractOf(keyed),
      repairText: repairTextOf(question),
    };
  };
}
