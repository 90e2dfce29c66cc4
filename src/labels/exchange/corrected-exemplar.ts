import { contentOf } from '../../case/index.ts';
import { JuryError } from '../../common/index.ts';
import { asksForDecision } from '../../judging/index.ts';
import {
  type Criterion,
  type Exemplar,
  fittedTo,
  isBinary,
  type Rubric,
} from '../../judging/standards/index.ts';
import type { CriterionVerdict } from '../../judging/verdict/index.ts';
import { sum } from '../../statistics/index.ts';
import type { VerdictLabel } from '../index.ts';
import { isSameRight, type Right, rightOf, rightText } from '../record/index.ts';
import type { Voted } from '../voting/index.ts';

/** What a worked example says about one criterion. */
export type ExemplarFinding = Exemplar['reply']['criteria'][string];

const FORM = /^(?<id>[a-z0-9-]+)=(?<found>[^:\s]+)\s*:\s*(?<reason>\S[\s\S]*)$/;

/**
 * Parses findings on single criteria, such as `time=fail: It closes at 18:00.`
 *
 * @throws JuryError `usage` if one cannot be parsed
 */
export const readFindings = (texts: readonly string[]): ReadonlyMap<string, ExemplarFinding> =>
  new Map(texts.map(readFinding));

function readFinding(text: string): [criterion: string, finding: ExemplarFinding] {
  const { id = '', found = '', reason = '' } = FORM.exec(text.trim())?.groups ?? {};
  const rationale = reason.trim();
  if (found === 'pass' || found === 'fail' || found === 'unscored' || found === 'not-relevant')
    return [id, { rationale, decision: found }];
  const score = Number(found);
  if (id === '' || !Number.isFinite(score))
    throw new JuryError(
      'usage',
      `--finding "${text}": write it as criterion=finding: reason, such as --finding "time=fail: It closes at 18:00." A finding is pass, fail, unscored, not-relevant or a score.`,
    );
  return [id, { rationale, score }];
}

const rounded = (score: number): string => String(Math.round(score * 1e6) / 1e6);

/** The outcome that an example's findings add up to. Unscored criteria do not count, as when examples are validated. */
function outcomeOf(findings: readonly ExemplarFinding[], { decide }: Rubric): string {
  if (decide === 'all') return findings.some(({ decision }) => decision === 'fail') ? 'fail' : 'pass';
  const scores = findings.flatMap(({ score }) => score ?? []);
  return scores.length === 0 ? 'no score' : rounded(sum(scores) / scores.length);
}

/**
 * How certain the label is: 1 for rulings and scores, the voter model's probability, or the share of votes that agree.
 */
function confidenceOf({ label, passProbability, said }: VerdictLabel, right: Right): number {
  if (!label.settled || label.basis === 'adjudication' || right.kind === 'score') return 1;
  const ofPass = label.basis === 'dawid-skene' ? passProbability : null;
  const share =
    ofPass === null
      ? said.filter((one) => isSameRight(one.right, right)).length / said.length
      : right.decision === 'pass'
        ? ofPass
        : 1 - ofPass;
  return Math.round(share * 100) / 100;
}

export const exemplarIdOf = (verdictId: string): string =>
  `from-${verdictId.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`.slice(0, 64);

/** What people add when a case becomes a worked example. */
export interface ExampleNotes {
  /** Why the label is right. Default: the ruling's note, or the comment of a correction. */
  reasoning?: string;
  /** Findings by criterion id that replace the panel's. */
  findings: ReadonlyMap<string, ExemplarFinding>;
}

/**
 * Turns a verdict with a settled label into a worked example. The reasons are people's own, or the panel's where a
 * criterion is undisputed.
 *
 * @throws JuryError `usage` if the label is open, there is no reason, or the findings contradict the label
 */
export function correctedExemplar(
  { record, votes }: Voted,
  verdictLabel: VerdictLabel,
  whole: Rubric,
  notes: ExampleNotes,
): Exemplar {
  const { id, verdict, evalCase } = record;
  const rubric = fittedTo(whole, evalCase);
  const { label, errorType, adjudication } = verdictLabel;
  const refused = (problem: string) =>
    new JuryError('usage', `Verdict ${id}: ${problem}. Nothing was written.`);
  if (verdict.rubric !== rubric.id)
    throw refused(`it was judged by the rubric "${verdict.rubric}", not "${rubric.id}"`);
  if (evalCase.alternative !== undefined)
    throw refused('it compares two answers, and worked examples judge one');
  if (!label.settled)
    throw refused(
      `its label is open (${label.why}). Collect votes, or rule on it with "jury labels adjudicate ${id} …"`,
    );
  const { right } = label;
  const asked = rubric.criteria.filter(({ judgedBy }) => judgedBy === 'panel');
  const stray = [...notes.findings.keys()].filter((key) => !asked.some((criterion) => criterion.id === key));
  if (stray.length > 0)
    throw refused(
      `the panel judges no criterion "${stray.join('", "')}"; its criteria: ${asked.map((criterion) => criterion.id).join(', ')}`,
    );

  /** Corrections by voters who agree with the label. */
  const corrections = votes.flatMap((vote) => {
    const rightByVote = rightOf(vote, verdict);
    return rightByVote !== null && isSameRight(rightByVote, right) ? (vote.correction ?? []) : [];
  });
  const naming = corrections.filter(({ criteria }) => criteria.length > 0);
  /** Whether most corrections that name any criteria name this one. */
  const isDisputed = (criterion: string): boolean =>
    naming.filter(({ criteria }) => criteria.includes(criterion)).length * 2 > naming.length;

  /** Why the label is right, in people's own words. */
  function reasoningOf(): string {
    const stated = notes.reasoning?.trim() || adjudication?.comment?.trim();
    if (stated) return stated;
    const comments = new Set(corrections.flatMap(({ comment }) => comment?.trim() || []));
    const [only, ...rest] = comments;
    if (only === undefined)
      throw refused('no comment explains why it is right. Explain it with --reasoning "…"');
    if (rest.length > 0)
      throw refused(
        `${comments.size} comments explain why it is right. Choose one, or write your own, with --reasoning "…":\n${[...comments].map((comment) => `  - ${comment}`).join('\n')}\n`,
      );
    return only;
  }

  /** The panel's finding in the form of an example's. */
  function panelFinding(criterion: string, finding: CriterionVerdict | undefined): ExemplarFinding {
    const rationale = finding?.rationale?.trim() ?? '';
    if (finding === undefined || rationale === '' || finding.decision === 'undecided')
      throw refused(
        `the panel has no finding on "${criterion}". State one with --finding "${criterion}=pass: …"`,
      );
    if (finding.decision === 'scored')
      return finding.score === null ? { rationale } : { rationale, score: finding.score };
    return { rationale, decision: finding.decision === 'not-judged' ? 'unscored' : finding.decision };
  }

  /** The finding where the label overturns the panel's on a criterion; otherwise null. */
  function overturned(
    criterion: string,
    decision: CriterionVerdict['decision'] | undefined,
  ): Pick<ExemplarFinding, 'decision' | 'score'> | null {
    const isOnly = asked.length === 1;
    if (right.kind === 'score') return isOnly ? { score: right.score } : null;
    if (right.decision === 'pass')
      return decision === 'fail' || (isOnly && decision !== 'pass') ? { decision: 'pass' } : null;
    if (decision === 'fail') return isDisputed(criterion) ? { decision: 'pass' } : null;
    return errorType === criterion || isDisputed(criterion) || isOnly ? { decision: 'fail' } : null;
  }

  const reasoning = reasoningOf();
  const changed: string[] = [];
  const findings = asked.map((criterion): [string, ExemplarFinding] => {
    const stated = notes.findings.get(criterion.id);
    if (stated !== undefined) return [criterion.id, stated];
    const finding = verdict.criteria.find((one) => one.id === criterion.id);
    const change = overturned(criterion.id, finding?.decision);
    if (change === null) return [criterion.id, panelFinding(criterion.id, finding)];
    changed.push(`--finding "${criterion.id}=${change.decision ?? change.score}: …"`);
    return [criterion.id, { rationale: reasoning, ...change }];
  });
  if (changed.length > 1)
    throw refused(
      `its label overturns ${changed.length} findings, and one reason cannot explain them all. Give a reason for each: ${changed.join(' ')}`,
    );
  const outcome = outcomeOf(
    findings.map(([, finding]) => finding),
    rubric,
  );
  const hint = ({ id, scale }: Criterion) => `--finding "${id}=${isBinary(scale) ? 'fail' : scale.max}: …"`;
  if (outcome !== (right.kind === 'score' ? rounded(right.score) : right.decision))
    throw refused(
      `its findings add up to ${outcome}, but its label is ${rightText(right)}. State findings on single criteria, such as ${asked.map(hint).join(' or ')}`,
    );
  const decides = right.kind === 'decision' && asksForDecision(rubric.criteria, rubric.decide);
  return {
    id: exemplarIdOf(id),
    case: contentOf(evalCase),
    reply: {
      criteria: Object.fromEntries(findings),
      rationale: reasoning,
      confidence: confidenceOf(verdictLabel, right),
      ...(decides ? { decision: right.decision } : {}),
    },
  };
}
