import { JuryError } from '../common/errors.ts';
import type { Exemplar } from '../judging/library.ts';
import type { Criterion } from '../judging/rubric.ts';
import type { CriterionVerdict } from '../judging/verdict.ts';
import type { Voted } from './label.ts';
import { isSameRight, type Right } from './right.ts';
import { rightOf, type Vote } from './vote.ts';

/** What an example says of one criterion. */
export type ExemplarFinding = Exemplar['reply']['criteria'][string];

/** What people say of a case that becomes a worked example. */
export interface Correcting {
  voted: Voted;
  right: Right;
  /** Why that is right. */
  reasoning: string;
  errorType: string | null;
  /** What is right about single criteria, by id; goes before everything else. */
  told: ReadonlyMap<string, ExemplarFinding>;
}

export const refused = (id: string, problem: string): JuryError =>
  new JuryError('usage', `Verdict ${id}: ${problem}. Nothing was written.`);

/** Votes that say what the label says. */
export const agreeing = ({ record, votes }: Voted, right: Right): Vote[] =>
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
export function correctedFindings(
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
