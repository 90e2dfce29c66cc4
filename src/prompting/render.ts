import { freeUsage, type Judgement, withoutAnswer } from '../judging/judgement.ts';
import type { Question, Ratings } from '../judging/ports.ts';
import { contentHash } from './hash.ts';
import type { Library } from './library.ts';
import { shownCriteria, systemText, userText } from './question-text.ts';
import { type ReplyContract, replyContract } from './reply.ts';

/** One question in words. */
export interface Prompt {
  /** What never changes between cases: task, criteria, worked examples, then the persona. */
  system: string;
  /** The case, then what the panel has said. */
  user: string;
  reply: ReplyContract;
  /** What a judge is told whose reply could not be used. */
  repairText: (problem: string) => string;
  /** Hash of all wording, the case left out. */
  promptHash: string;
}

const somebody = { persona: null, model: 'somebody', sample: 0 };

/** A case and a round that stand for any other, to see the wording around them. */
const probe = {
  judge: somebody,
  round: 1,
  evalCase: { conversation: [{ role: 'user', text: '…' }], response: '…' } satisfies Question['evalCase'],
  said: [
    { ...withoutAnswer({ judge: somebody, round: 0 }, 'error', '…', freeUsage) },
    {
      judge: { ...somebody, model: 'another' },
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

/** Ratings that stand for any others: every criterion once rated, once not. */
const probeRatings = ({ rubric }: Ratings): Ratings => ({
  rubric,
  judgements: (['scored', 'unscored'] as const).map((decision) => ({
    ...withoutAnswer({ judge: somebody, round: 0 }, 'error', '…', freeUsage),
    criteria: rubric.criteria.map(({ id }) => ({
      id,
      decision,
      score: decision === 'scored' ? 0 : null,
      rationale: '…',
    })),
  })),
});

/** What is the same for every case of one rubric, method and point of view. */
interface Wording {
  system: string;
  promptHash: string;
  contracts: Map<string, ReplyContract>;
}

/** All that the wording of a question depends on, the case left out. */
function wordingKey(question: Question): string {
  const { rubric, method, persona, cast, ratings } = question;
  const { examples, reasoning, confidence, sees } = method;
  return JSON.stringify([
    rubric.id,
    ratings === undefined,
    shownCriteria(question).map(({ id }) => id),
    [method.id, examples, reasoning, confidence, sees],
    persona === null ? null : [persona.id, persona.voice],
    cast.map(({ id, voice }) => [id, voice]),
  ]);
}

/**
 * Renders questions. What does not depend on the case is rendered once for each rubric, method, point of view and, where
 * criteria are asked about one by one, criterion.
 */
export function createRenderer(library: Library): (question: Question) => Prompt {
  const wordings = new Map<string, Wording>();

  function wordingOf(question: Question): Wording {
    const key = wordingKey(question);
    const known = wordings.get(key);
    if (known !== undefined) return known;
    const system = systemText(library, question);
    const promptHash = hashOf(question, system);
    const wording = { system, promptHash, contracts: new Map<string, ReplyContract>() };
    wordings.set(key, wording);
    return wording;
  }

  function contractOf(wording: Wording, { rubric, method, criteria }: Question): ReplyContract {
    const key = criteria.map(({ id }) => id).join(' ');
    const known = wording.contracts.get(key);
    if (known !== undefined) return known;
    const contract = replyContract({ criteria, decide: rubric.decide, confidence: method.confidence });
    wording.contracts.set(key, contract);
    return contract;
  }

  /** All wording of a question, wherever it stands: made visible by a case and a round that are always the same. */
  function hashOf(question: Question, system: string): string {
    const { rubric, method, ratings } = question;
    const criteria = shownCriteria(question);
    const { json } = replyContract({ criteria, decide: rubric.decide, confidence: method.confidence });
    const debates = method.sees !== 'nothing';
    const user = userText(library, {
      ...question,
      judge: probe.judge,
      round: probe.round,
      evalCase: probe.evalCase,
      seen: debates ? [probe.said] : [],
      ...(ratings === undefined ? {} : { ratings: probeRatings(ratings) }),
    });
    return contentHash(system, user, library.template('repair', { problem: '…' }), JSON.stringify(json));
  }

  return (question) => {
    const { system, promptHash, contracts } = wordingOf(question);
    const repairText = (problem: string) => library.template('repair', { problem });
    const reply = contractOf({ system, promptHash, contracts }, question);
    return { system, user: userText(library, question), reply, repairText, promptHash };
  };
}
