import type { EvalCase } from '../../case/case.ts';
import { messageOf } from '../../common/errors.ts';
import { type Finding, freeUsage, type Judgement, type UnscoredReason } from '../../judging/judgement.ts';
import type { Lexicons } from '../../judging/lexicon.ts';
import type { Ask, Question } from '../../judging/ports.ts';
import type { Criterion, Rubric } from '../../judging/rubric.ts';
import { contentHash } from '../../prompting/hash.ts';
import { runCheck } from './checks.ts';
import { type CriterionOutcome, summarize, tell, whyUnscored } from './explain.ts';
import { type CompiledLexicon, compileLexicon, requestWords } from './lexicon.ts';
import { createVocabulary, FILLER, NEGATION, TRAVEL, type Vocabulary, WAY } from './mentions.ts';
import { type Outcome, undecidable } from './outcome.ts';
import { createRequestReader } from './request.ts';
import type { Matter } from './wishes.ts';

/** The name of this judge among the models. */
export const RULES = 'rules';

/** Lexicons that every request is read with, the earlier before the later where both know a phrase. */
const ALWAYS = [TRAVEL, NEGATION, FILLER, WAY];

const lexiconOf = (check: Criterion['check']): string | undefined =>
  check !== undefined && 'lexicon' in check ? check.lexicon : undefined;

/** The lexicons that a rubric's checks use, with those of plain and of negating words. */
function vocabularyFor(
  rubric: Rubric,
  lexicons: Lexicons,
  compiled: (id: string) => CompiledLexicon | undefined,
): Vocabulary {
  const ids = new Set<string>();
  const numeric = new Set<string>();
  const measured = new Set<string>();
  for (const { check } of rubric.criteria) {
    const id = lexiconOf(check);
    if (id === undefined) continue;
    ids.add(id);
    if (check?.type !== 'number-wish') continue;
    numeric.add(id);
    if (check.unit !== undefined) measured.add(id);
  }
  const [common, own] = [lexicons.get(FILLER), lexicons.get(rubric.id)];
  const words = common && own ? compileLexicon(requestWords(common, own)) : compiled(FILLER);
  const known = [...ids, ...ALWAYS].flatMap((id) => (id === FILLER ? (words ?? []) : (compiled(id) ?? [])));
  return createVocabulary(known, numeric, measured);
}

/** To be raised whenever the checks themselves judge differently than before: results of both must not be mixed. */
const VERSION = 4;

/** Hash of all that the exact checks of a rubric go by: the checks, the words that they know, and their version. */
export function rulesHash({ id: rubricId, criteria, decide }: Rubric, lexicons: Lexicons): string {
  const checks = criteria.map(({ id, needs, check }) => ({ id, needs, check }));
  const used = new Set([...ALWAYS, rubricId, ...criteria.flatMap(({ check }) => lexiconOf(check) ?? [])]);
  const words = [...used].sort().map((id) => lexicons.get(id) ?? null);
  return contentHash(String(VERSION), decide, JSON.stringify(checks), JSON.stringify(words));
}

const outcomeOf = (criterion: Criterion, matter: Matter): Outcome =>
  criterion.check === undefined
    ? undecidable(`needs a model: there is no exact check for "${criterion.title}"`, null)
    : runCheck(criterion.check, matter);

type Answer =
  | { status: 'scored'; decision: 'pass' | 'fail'; rationale: string }
  | { status: 'unscored'; reason: UnscoredReason; message: string };

function decide(question: Question, outcomes: readonly CriterionOutcome[]): Answer {
  const unsupported = (message: string): Answer => ({ status: 'unscored', reason: 'unsupported', message });
  if (question.rubric.decide !== 'all')
    return unsupported(
      `the rubric "${question.rubric.id}" asks for a score, which exact checks do not give: ask a model`,
    );
  if (outcomes.length === 0) return unsupported('there is no criterion to check');
  const decisions = outcomes.map(({ outcome }) => outcome.decision);
  const lens = question.persona?.lens ?? 'evidence';
  if (decisions.includes('fail'))
    return { status: 'scored', decision: 'fail', rationale: summarize(outcomes, lens) };
  if (decisions.includes('unscored')) return unsupported(whyUnscored(outcomes));
  return { status: 'scored', decision: 'pass', rationale: summarize(outcomes, lens) };
}

/**
 * The built-in judge `rules`: exact checks, no network, the same answer for the same case. The persona decides only how
 * a finding is told. What cannot be read is unscored, never a pass. Never rejects.
 */
export function createRulesJudge(lexicons: Lexicons, promptHash: (question: Question) => string): Ask {
  const known = new Map<string, CompiledLexicon>();
  const compiled = (id: string): CompiledLexicon | undefined => {
    const lexicon = lexicons.get(id);
    const made = known.get(id) ?? (lexicon && compileLexicon(lexicon));
    if (made !== undefined) known.set(id, made);
    return made;
  };
  const vocabularies = new WeakMap<Rubric, Vocabulary>();
  const vocabularyOf = (rubric: Rubric): Vocabulary => {
    const vocabulary = vocabularies.get(rubric) ?? vocabularyFor(rubric, lexicons, compiled);
    vocabularies.set(rubric, vocabulary);
    return vocabulary;
  };

  const requestOf = createRequestReader();
  // Personas differ in how they tell an outcome, not in what it is.
  const outcomes = new WeakMap<EvalCase, WeakMap<Criterion, Outcome>>();
  const outcomeIn = (criterion: Criterion, matter: Matter): Outcome => {
    const ofCase = outcomes.get(matter.evalCase) ?? new WeakMap<Criterion, Outcome>();
    outcomes.set(matter.evalCase, ofCase);
    const outcome = ofCase.get(criterion) ?? outcomeOf(criterion, matter);
    ofCase.set(criterion, outcome);
    return outcome;
  };

  function judge(question: Question): { answer: Answer; criteria: Finding[] } {
    const vocabulary = vocabularyOf(question.rubric);
    const { evalCase } = question;
    const matter: Matter = { evalCase, vocabulary, request: requestOf(evalCase, vocabulary) };
    const found = question.criteria.map((criterion) => ({
      criterion,
      outcome: outcomeIn(criterion, matter),
    }));
    const lens = question.persona?.lens ?? 'evidence';
    return {
      answer: decide(question, found),
      criteria: found.map(({ criterion, outcome }) => ({
        id: criterion.id,
        decision: outcome.decision,
        score: null,
        rationale: tell(outcome, lens),
      })),
    };
  }

  return async (question): Promise<Judgement> => {
    const asked = { round: question.round, judge: question.judge, usage: freeUsage };
    try {
      const { answer, criteria } = judge(question);
      const record = { ...asked, promptHash: promptHash(question), criteria };
      if (answer.status === 'unscored') return { ...record, ...answer };
      return { ...record, ...answer, score: null, confidence: question.method.confidence ? 1 : null };
    } catch (thrown) {
      const message = `the exact checks failed on this case: ${messageOf(thrown)}`;
      return { ...asked, promptHash: null, status: 'unscored', reason: 'error', message, criteria: [] };
    }
  };
}
