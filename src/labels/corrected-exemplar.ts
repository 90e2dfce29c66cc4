import type { EvalCase } from '../case/case.ts';
import { JuryError } from '../common/errors.ts';
import { asksForDecision, conclude } from '../judging/conclude.ts';
import type { Exemplar } from '../judging/library.ts';
import { type Criterion, isBinary, type Rubric } from '../judging/rubric.ts';
import type { CriterionVerdict } from '../judging/verdict.ts';
import type { VerdictLabel, Voted } from './label.ts';
import { isSameRight, type Right, rightOf, rightText, type Vote } from './vote.ts';

/** What an example says of one criterion. */
export type ExemplarFinding = Exemplar['reply']['criteria'][string];

/** What people say of a case that becomes a worked example. */
interface Correcting {
  voted: Voted;
  right: Right;
  /** Why that is right. */
  reasoning: string;
  errorType: string | null;
  /** What is right about single criteria, by id; goes before everything else. */
  told: ReadonlyMap<string, ExemplarFinding>;
}

const refused = (id: string, problem: string): JuryError =>
  new JuryError('usage', `Verdict ${id}: ${problem}. Nothing was written.`);

/** Votes that say what the label says. */
const agreeing = ({ record, votes }: Voted, right: Right): Vote[] =>
  votes.filter((vote) => {
    const said = rightOf(vote, record.verdict);
    return said !== null && isSameRight(said, right);
  });

/** Criteria that most of those who name any, and say what the label says, find wrong. */
function disputed({ voted, right }: Correcting): ReadonlySet<string> {
  const named = agreeing(voted, right).flatMap(({ correction }) =>
    correction === undefined || correction.criteria.length === 0 ? [] : [correction.criteria],
  );
  return new Set(
    named.flat().filter((id) => named.filter((ids) => ids.includes(id)).length * 2 > named.length),
  );
}

/** What a panel found, as an example says it. @throws JuryError `usage` where it found nothing */
function panelFinding(id: string, criterion: string, found: CriterionVerdict | undefined): ExemplarFinding {
  const rationale = found?.rationale.trim() ?? '';
  if (found === undefined || rationale === '' || found.decision === 'undecided')
    throw refused(
      id,
      `the panel found nothing on "${criterion}". Say what is right with --finding "${criterion}=pass: …"`,
    );
  if (found.decision === 'scored')
    return found.score === null ? { rationale } : { rationale, score: found.score };
  return { rationale, decision: found.decision === 'not-judged' ? 'unscored' : found.decision };
}

/** What the label makes of a criterion, where that is not what the panel found. */
function turnedOver(
  criterion: string,
  found: CriterionVerdict | undefined,
  isOnly: boolean,
  isDisputed: boolean,
  { right, errorType }: Correcting,
): Pick<ExemplarFinding, 'decision' | 'score'> | null {
  if (right.kind === 'score') return isOnly ? { score: right.score } : null;
  const isFail = found?.decision === 'fail';
  if (right.decision === 'pass')
    return isFail || (isOnly && found?.decision !== 'pass') ? { decision: 'pass' } : null;
  if (isFail) return isDisputed ? { decision: 'pass' } : null;
  return errorType === criterion || isDisputed || isOnly ? { decision: 'fail' } : null;
}

/**
 * What an example says of each criterion: what the label turns over, with the reason that people gave, and the rest as the
 * panel found it.
 *
 * @throws JuryError `usage` where one reason would have to stand for several criteria, or the panel found nothing
 */
function correctedFindings(
  criteria: readonly Criterion[],
  correcting: Correcting,
): [criterion: string, finding: ExemplarFinding][] {
  const { voted, reasoning, told } = correcting;
  const { id, verdict } = voted.record;
  const wrong = disputed(correcting);
  const turned: string[] = [];
  const findings = criteria.map((criterion): [string, ExemplarFinding] => {
    const said = told.get(criterion.id);
    if (said !== undefined) return [criterion.id, said];
    const found = verdict.criteria.find((one) => one.id === criterion.id);
    const change = turnedOver(
      criterion.id,
      found,
      criteria.length === 1,
      wrong.has(criterion.id),
      correcting,
    );
    if (change === null) return [criterion.id, panelFinding(id, criterion.id, found)];
    turned.push(`--finding "${criterion.id}=${change.decision ?? change.score}: …"`);
    return [criterion.id, { rationale: reasoning, ...change }];
  });
  if (turned.length > 1)
    throw refused(
      id,
      `its label turns over ${turned.length} findings, and one reason cannot stand for all. Say the reason of each: ${turned.join(' ')}`,
    );
  return findings;
}

const FORM = /^([a-z0-9-]+)=([^:\s]+)\s*:\s*(\S[\s\S]*)$/;

/**
 * Reads findings on single criteria, `time=fail: It closes at 18:00.`
 * @throws JuryError `usage` for what is no finding
 */
export function readFindings(texts: readonly string[]): ReadonlyMap<string, ExemplarFinding> {
  return new Map(texts.map(readFinding));
}

function readFinding(text: string): [string, ExemplarFinding] {
  const [, id = '', found = '', rationale = ''] = FORM.exec(text.trim()) ?? [];
  const reason = { rationale: rationale.trim() };
  if (found === 'pass' || found === 'fail' || found === 'unscored' || found === 'not-relevant')
    return [id, { ...reason, decision: found }];
  const score = Number(found);
  if (id === '' || !Number.isFinite(score))
    throw new JuryError(
      'usage',
      `--finding "${text}": write criterion=finding: why, such as --finding "time=fail: It closes at 18:00." (pass, fail, unscored, not-relevant or a score).`,
    );
  return [id, { ...reason, score }];
}

/** What somebody says of a case before it becomes a worked example; nothing of it is made up. */
export interface PromotionWish {
  /** Why the label is right; absent: the note of the ruling, or the comment of a correction. */
  reasoning?: string;
  /** What is right about single criteria, by id: a finding with its reason, in place of the panel's. */
  findings: ReadonlyMap<string, ExemplarFinding>;
}

/** What people wrote about why the label is right. @throws JuryError `usage` where nobody did, or several differ */
function reasoningOf(voted: Voted, label: VerdictLabel, right: Right, wish: PromotionWish): string {
  const { id } = voted.record;
  const told = wish.reasoning?.trim() ?? '';
  if (told !== '') return told;
  const note = label.adjudication?.comment?.trim() ?? '';
  if (note !== '') return note;
  const comments = new Set(
    agreeing(voted, right).flatMap(({ correction }) => correction?.comment?.trim() || []),
  );
  const [only, ...others] = comments;
  if (only === undefined)
    throw refused(id, 'nobody has written why it is right. Say it with --reasoning "…"');
  if (others.length > 0)
    throw refused(
      id,
      `${comments.size} people have written why it is right. Choose or write one with --reasoning "…":\n${[...comments].map((comment) => `  - ${comment}`).join('\n')}\n`,
    );
  return only;
}

const rounded = (score: number): string => String(Math.round(score * 1e6) / 1e6);

/** What an example's findings come to; criteria that could not be told count as nothing, as where examples are checked. */
function comesTo(findings: readonly ExemplarFinding[], rubric: Rubric): string {
  if (rubric.decide === 'all') return findings.some(({ decision }) => decision === 'fail') ? 'fail' : 'pass';
  const conclusion = conclude(
    findings.map(({ rationale, score }) => ({
      id: '',
      rationale,
      decision: score === undefined ? 'unscored' : 'scored',
      score: score ?? null,
    })),
    'mean',
  );
  return conclusion.kind === 'score' ? rounded(conclusion.score) : 'no score';
}

const hint = (criterion: Criterion): string =>
  isBinary(criterion.scale) ? `${criterion.id}=fail: …` : `${criterion.id}=${criterion.scale.max}: …`;

/** How sure those are who settled the label: a ruling wholly, the model as far as it is, votes as far as they agree. */
function confidenceOf({ label, passProbability, said }: VerdictLabel, right: Right): number {
  if (!label.settled || label.basis === 'adjudication' || right.kind === 'score') return 1;
  const share =
    label.basis === 'dawid-skene' && passProbability !== null
      ? right.decision === 'pass'
        ? passProbability
        : 1 - passProbability
      : said.filter((one) => isSameRight(one.right, right)).length / said.length;
  return Math.round(share * 100) / 100;
}

/** The id of the example that a verdict becomes. */
export const exemplarIdOf = (verdictId: string): string =>
  `from-${verdictId.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`.slice(0, 64);

/** A case as an example holds it: what is judged, without names and label. */
function caseOfExample(evalCase: EvalCase): EvalCase {
  const { id: _id, rubric: _rubric, label: _label, ...content } = evalCase;
  return content;
}

/**
 * The worked example that a verdict with a settled label comes to. Its reasons are what people wrote and, on criteria that
 * nobody disputes, what the panel said.
 *
 * @throws JuryError `usage` where the label is open, nobody gave a reason, or findings and label contradict each other
 */
export function correctedExemplar(
  voted: Voted,
  label: VerdictLabel,
  rubric: Rubric,
  wish: PromotionWish,
): Exemplar {
  const { id, verdict, evalCase } = voted.record;
  if (verdict.rubric !== rubric.id)
    throw refused(id, `it was judged by the rubric "${verdict.rubric}", not by "${rubric.id}"`);
  if (!label.label.settled)
    throw refused(
      id,
      `its label is open (${label.label.why}). Collect votes, or rule on it with "jury labels adjudicate ${id} …"`,
    );
  const { right } = label.label;
  const asked = rubric.criteria.filter(({ judgedBy }) => judgedBy === 'panel');
  const stray = [...wish.findings.keys()].filter((key) => !asked.some((criterion) => criterion.id === key));
  if (stray.length > 0)
    throw refused(
      id,
      `there is no criterion "${stray.join('", "')}" that a panel judges; there is: ${asked.map((criterion) => criterion.id).join(', ')}`,
    );
  const reasoning = reasoningOf(voted, label, right, wish);
  const findings = correctedFindings(asked, {
    voted,
    right,
    reasoning,
    errorType: label.errorType,
    told: wish.findings,
  });
  const outcome = comesTo(
    findings.map(([, finding]) => finding),
    rubric,
  );
  if (outcome !== (right.kind === 'score' ? rounded(right.score) : right.decision))
    throw refused(
      id,
      `its findings come to ${outcome}, its label is ${rightText(right)}. Say what is right about single criteria and why, such as ${asked.map((criterion) => `--finding "${hint(criterion)}"`).join(' or ')}`,
    );
  return {
    id: exemplarIdOf(id),
    case: caseOfExample(evalCase),
    reply: {
      criteria: Object.fromEntries(findings),
      rationale: reasoning,
      confidence: confidenceOf(label, right),
      ...(right.kind === 'decision' && asksForDecision(rubric.criteria, rubric.decide)
        ? { decision: right.decision }
        : {}),
    },
  };
}
