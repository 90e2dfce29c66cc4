import type { EvalCase } from '../case/case.ts';
import { JuryError } from '../common/errors.ts';
import { asksForDecision, conclude } from '../judging/conclude.ts';
import type { Exemplar } from '../judging/library.ts';
import { type Criterion, isBinary, type Rubric } from '../judging/rubric.ts';
import type { CriterionVerdict } from '../judging/verdict.ts';
import type { VerdictLabel, Voted } from './label.ts';
import { isSameRight, type Right, rightOf, rightText, type Vote } from './vote.ts';

/** What a worked example says about one criterion. */
export type ExemplarFinding = Exemplar['reply']['criteria'][string];

/** What a worked example is made from. */
interface ExampleSource {
  voted: Voted;
  right: Right;
  /** Why that is right. */
  reasoning: string;
  errorType: string | null;
  /** Findings stated for single criteria, by id; they take precedence. */
  stated: ReadonlyMap<string, ExemplarFinding>;
}

const refused = (id: string, problem: string): JuryError =>
  new JuryError('usage', `Verdict ${id}: ${problem}. Nothing was written.`);

/** Votes that agree with the label. */
const agreeingVotes = ({ record, votes }: Voted, right: Right): Vote[] =>
  votes.filter((vote) => {
    const said = rightOf(vote, record.verdict);
    return said !== null && isSameRight(said, right);
  });

/** Criteria that most corrections that agree with the label and name any criterion call wrong. */
function disputedCriteria({ voted, right }: ExampleSource): ReadonlySet<string> {
  const named = agreeingVotes(voted, right).flatMap(({ correction }) =>
    correction === undefined || correction.criteria.length === 0 ? [] : [correction.criteria],
  );
  return new Set(
    named.flat().filter((id) => named.filter((ids) => ids.includes(id)).length * 2 > named.length),
  );
}

/** The panel's finding as an example's finding. @throws JuryError `usage` if there is none */
function panelFinding(id: string, criterion: string, found: CriterionVerdict | undefined): ExemplarFinding {
  const rationale = found?.rationale.trim() ?? '';
  if (found === undefined || rationale === '' || found.decision === 'undecided')
    throw refused(
      id,
      `the panel has no finding on "${criterion}". State one with --finding "${criterion}=pass: …"`,
    );
  if (found.decision === 'scored')
    return found.score === null ? { rationale } : { rationale, score: found.score };
  return { rationale, decision: found.decision === 'not-judged' ? 'unscored' : found.decision };
}

/** The finding on a criterion where the label overturns the panel's; otherwise null. */
function overturnedFinding(
  criterion: string,
  found: CriterionVerdict | undefined,
  isOnly: boolean,
  isDisputed: boolean,
  { right, errorType }: ExampleSource,
): Pick<ExemplarFinding, 'decision' | 'score'> | null {
  if (right.kind === 'score') return isOnly ? { score: right.score } : null;
  const isFail = found?.decision === 'fail';
  if (right.decision === 'pass')
    return isFail || (isOnly && found?.decision !== 'pass') ? { decision: 'pass' } : null;
  if (isFail) return isDisputed ? { decision: 'pass' } : null;
  return errorType === criterion || isDisputed || isOnly ? { decision: 'fail' } : null;
}

/**
 * The example's finding on each criterion: with people's reason where the label overturns the panel's finding, and as the panel
 * found it otherwise.
 *
 * @throws JuryError `usage` if several criteria would share one reason, or the panel has no finding
 */
function correctedFindings(
  criteria: readonly Criterion[],
  source: ExampleSource,
): [criterion: string, finding: ExemplarFinding][] {
  const { voted, reasoning, stated } = source;
  const { id, verdict } = voted.record;
  const wrong = disputedCriteria(source);
  const overturned: string[] = [];
  const findings = criteria.map((criterion): [string, ExemplarFinding] => {
    const given = stated.get(criterion.id);
    if (given !== undefined) return [criterion.id, given];
    const found = verdict.criteria.find((one) => one.id === criterion.id);
    const change = overturnedFinding(
      criterion.id,
      found,
      criteria.length === 1,
      wrong.has(criterion.id),
      source,
    );
    if (change === null) return [criterion.id, panelFinding(id, criterion.id, found)];
    overturned.push(`--finding "${criterion.id}=${change.decision ?? change.score}: …"`);
    return [criterion.id, { rationale: reasoning, ...change }];
  });
  if (overturned.length > 1)
    throw refused(
      id,
      `its label overturns ${overturned.length} findings, and one reason cannot explain them all. Give a reason for each: ${overturned.join(' ')}`,
    );
  return findings;
}

const FORM = /^([a-z0-9-]+)=([^:\s]+)\s*:\s*(\S[\s\S]*)$/;

/**
 * Reads findings on single criteria, such as `time=fail: It closes at 18:00.`
 * @throws JuryError `usage` if one cannot be read
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
      `--finding "${text}": write it as criterion=finding: reason, such as --finding "time=fail: It closes at 18:00." A finding is pass, fail, unscored, not-relevant or a score.`,
    );
  return [id, { ...reason, score }];
}

/** What people add to a case that becomes a worked example. */
export interface ExampleNotes {
  /** Why the label is right. Default: the note of the ruling, or the comment of a correction. */
  reasoning?: string;
  /** Findings on single criteria, by id, in place of the panel's. */
  findings: ReadonlyMap<string, ExemplarFinding>;
}

/** Why the label is right, as people wrote it. @throws JuryError `usage` if there is no comment, or several differ */
function reasoningOf(voted: Voted, label: VerdictLabel, right: Right, notes: ExampleNotes): string {
  const { id } = voted.record;
  const given = notes.reasoning?.trim() ?? '';
  if (given !== '') return given;
  const note = label.adjudication?.comment?.trim() ?? '';
  if (note !== '') return note;
  const comments = new Set(
    agreeingVotes(voted, right).flatMap(({ correction }) => correction?.comment?.trim() || []),
  );
  const [only, ...rest] = comments;
  if (only === undefined)
    throw refused(id, 'no comment explains why it is right. Explain it with --reasoning "…"');
  if (rest.length > 0)
    throw refused(
      id,
      `${comments.size} comments explain why it is right. Choose one, or write your own, with --reasoning "…":\n${[...comments].map((comment) => `  - ${comment}`).join('\n')}\n`,
    );
  return only;
}

const rounded = (score: number): string => String(Math.round(score * 1e6) / 1e6);

/** The outcome that an example's findings add up to; unscored criteria do not count, as in the check of examples. */
function outcomeOf(findings: readonly ExemplarFinding[], rubric: Rubric): string {
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

/** How certain the label is: a ruling is certain, the voter model gives a probability, votes the share that agrees. */
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

export const exemplarIdOf = (verdictId: string): string =>
  `from-${verdictId.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`.slice(0, 64);

/** What is judged, without names and label. */
function caseOfExample(evalCase: EvalCase): EvalCase {
  const { id: _id, rubric: _rubric, label: _label, ...content } = evalCase;
  return content;
}

/**
 * Makes a worked example of a verdict with a settled label. Its reasons are people's own, or the panel's on undisputed criteria.
 *
 * @throws JuryError `usage` if the label is open, there is no reason, or findings and label contradict each other
 */
export function correctedExemplar(
  voted: Voted,
  label: VerdictLabel,
  rubric: Rubric,
  notes: ExampleNotes,
): Exemplar {
  const { id, verdict, evalCase } = voted.record;
  if (verdict.rubric !== rubric.id)
    throw refused(id, `it was judged by the rubric "${verdict.rubric}", not "${rubric.id}"`);
  if (!label.label.settled)
    throw refused(
      id,
      `its label is open (${label.label.why}). Collect votes, or rule on it with "jury labels adjudicate ${id} …"`,
    );
  const { right } = label.label;
  const asked = rubric.criteria.filter(({ judgedBy }) => judgedBy === 'panel');
  const stray = [...notes.findings.keys()].filter((key) => !asked.some((criterion) => criterion.id === key));
  if (stray.length > 0)
    throw refused(
      id,
      `the panel judges no criterion "${stray.join('", "')}"; its criteria: ${asked.map((criterion) => criterion.id).join(', ')}`,
    );
  const reasoning = reasoningOf(voted, label, right, notes);
  const findings = correctedFindings(asked, {
    voted,
    right,
    reasoning,
    errorType: label.errorType,
    stated: notes.findings,
  });
  const outcome = outcomeOf(
    findings.map(([, finding]) => finding),
    rubric,
  );
  if (outcome !== (right.kind === 'score' ? rounded(right.score) : right.decision))
    throw refused(
      id,
      `its findings add up to ${outcome}, but its label is ${rightText(right)}. State findings on single criteria, such as ${asked.map((criterion) => `--finding "${hint(criterion)}"`).join(' or ')}`,
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
