import { answerOf } from '../core/answer.ts';
import { asksForDecision } from '../core/conclude.ts';
import type { Exemplar } from '../core/exemplar.ts';
import { freeUsage, type Judgement, withoutAnswer } from '../core/judgement.ts';
import type { Question } from '../core/ports.ts';
import { type Criterion, criteriaInForce } from '../core/rubric.ts';
import { isBinary } from '../core/scale.ts';
import { type Block, fenced, fenceKey } from './fence.ts';
import { contentHash } from './hash.ts';
import type { Library } from './library.ts';
import { materialOf } from './material.ts';
import { type ReplyContract, replyContract, replyFormText } from './reply.ts';

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

const EXAMPLE_KEY = 'EXAMPLE';

/** The criteria that a judge is told of; what exact checks decide is none of its business. */
const judgedByPanel = (criteria: readonly Criterion[]): Criterion[] =>
  criteria.filter(({ judgedBy }) => judgedBy === 'panel');

const levelsOf = ({ scale }: Criterion): { level: string; meaning: string }[] =>
  isBinary(scale) ? [] : Object.entries(scale.levels ?? {}).map(([level, meaning]) => ({ level, meaning }));

/** An example's findings in the form in which a judge replies. */
function exampleFindings({ reply }: Exemplar, criteria: readonly Criterion[]): Record<string, unknown> {
  return Object.fromEntries(
    criteria.map(({ id, mayNotApply }) => {
      const { rationale, decision, score } = reply.criteria[id] ?? { rationale: '' };
      if (!mayNotApply) return [id, { rationale, decision, score }];
      const relevant = decision !== 'not-relevant';
      return [id, { rationale, relevant, decision: relevant ? decision : 'unscored' }];
    }),
  );
}

function exampleText(exemplar: Exemplar, number: number, wanted: readonly Criterion[], confidence: boolean) {
  const { rationale, decision } = exemplar.reply;
  const criteria = exampleFindings(exemplar, wanted);
  const stated = confidence ? { confidence: exemplar.reply.confidence } : {};
  return {
    number,
    material: fenced(materialOf(exemplar.case), EXAMPLE_KEY),
    reply: JSON.stringify(
      { criteria, rationale, ...stated, ...(decision === undefined ? {} : { decision }) },
      null,
      1,
    ),
  };
}

function systemText(library: Library, question: Question): string {
  const { rubric, method, persona, cast } = question;
  const binary = rubric.decide === 'all';
  const criteria = judgedByPanel(rubric.criteria);
  const exemplars = method.examples === 0 ? [] : library.exemplars(rubric.id).slice(0, method.examples);
  return library.template('system', {
    task: rubric.task,
    binary,
    criteria: criteria.map((criterion) => ({
      id: criterion.id,
      title: criterion.title,
      rule: criterion.rule,
      levels: levelsOf(criterion),
    })),
    stepwise: method.reasoning === 'stepwise',
    steps: rubric.steps ?? null,
    confidence: method.confidence,
    replyForm: replyFormText({ criteria, decide: rubric.decide, confidence: method.confidence }),
    optional: criteria.some(({ mayNotApply }) => mayNotApply),
    asksForDecision: asksForDecision(criteria, rubric.decide),
    examples: exemplars.map((exemplar, index) =>
      exampleText(exemplar, index + 1, criteria, method.confidence),
    ),
    cast: cast.length > 0 ? cast.map(({ title, voice }) => ({ title, voice })) : null,
    voice: persona?.voice ?? library.template('neutral', {}),
  });
}

/** What one judge said, as the others read it. Its words are fenced like everything that did not come from us. */
function spoken(judgement: Judgement): string {
  if (judgement.status === 'unscored') return 'gave no usable answer';
  const findings = judgement.criteria
    .map(({ id, decision, score, rationale }) => `- ${id}: ${score ?? decision}. ${rationale}`)
    .join('\n');
  const sure = judgement.confidence === null ? '' : `\nconfidence: ${judgement.confidence}`;
  return `answer: ${answerOf(judgement)}${sure}\nfindings:\n${findings}\nreasons: ${judgement.rationale}`;
}

function speakers(library: Library, { seen, judge, round }: Question): { heading: string; block: Block }[] {
  return seen.flatMap((judgements, index) =>
    judgements.map((judgement, seat) => {
      const { persona, model, sample } = judgement.judge;
      const own = persona === judge.persona && model === judge.model && sample === judge.sample;
      const title = persona === null ? '' : ` (${library.personas.get(persona)?.title ?? persona})`;
      const said = round - seen.length + index + 1;
      const heading = own ? `You, in round ${said}:` : `Judge ${seat + 1}${title}, in round ${said}:`;
      return {
        heading,
        block: { name: own ? 'your own answer' : `answer of judge ${seat + 1}`, text: spoken(judgement) },
      };
    }),
  );
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

/** What is the same for every case of one rubric, method and point of view. */
interface Wording {
  system: string;
  promptHash: string;
  contracts: Map<string, ReplyContract>;
}

/**
 * Renders questions. What does not depend on the case is rendered once for each rubric, method and point of view.
 */
export function createRenderer(library: Library): (question: Question) => Prompt {
  const wordings = new Map<string, Wording>();

  function wordingOf(question: Question): Wording {
    const { rubric, method, persona, cast } = question;
    const key = JSON.stringify([rubric.id, method.id, persona?.id ?? null, cast.map(({ id }) => id)]);
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

  function userText(question: Question): string {
    const material = materialOf(question.evalCase);
    const said = speakers(library, question);
    const key = fenceKey([...material, ...said.map(({ block }) => block)]);
    return library.template('case', {
      key,
      material: fenced(material, key),
      leftOut: criteriaInForce(question.rubric, question.evalCase)
        .setAside.filter(({ criterion }) => criterion.judgedBy === 'panel')
        .map(({ criterion, reason }) => ({ id: criterion.id, reason })),
      arguments: said.map(({ heading, block }) => ({ heading, body: fenced([block], key) })),
    });
  }

  /** All wording of a question, wherever it stands: made visible by a case and a round that are always the same. */
  function hashOf(question: Question, system: string): string {
    const { rubric, method } = question;
    const criteria = judgedByPanel(rubric.criteria);
    const { json } = replyContract({ criteria, decide: rubric.decide, confidence: method.confidence });
    const debates = method.sees !== 'nothing';
    const user = userText({ ...question, ...probe, rubric, seen: debates ? [probe.said] : [] });
    return contentHash(system, user, library.template('repair', { problem: '…' }), JSON.stringify(json));
  }

  return (question) => {
    const { system, promptHash, contracts } = wordingOf(question);
    const repairText = (problem: string) => library.template('repair', { problem });
    const reply = contractOf({ system, promptHash, contracts }, question);
    return { system, user: userText(question), reply, repairText, promptHash };
  };
}
