import type { EvalCase } from '../case/case.ts';
import { asksForDecision, conclude } from '../judging/conclude.ts';
import type { Exemplar } from '../judging/library.ts';
import { type Criterion, isBinary, type Rubric } from '../judging/rubric.ts';
import { agreeing, correctedFindings, type ExemplarFinding, refused } from './corrected-findings.ts';
import type { VerdictLabel, Voted } from './label.ts';
import { isSameRight, type Right, rightText } from './right.ts';

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
