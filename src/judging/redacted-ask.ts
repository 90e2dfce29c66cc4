import type { EvalCase } from '../case/case.ts';
import type { Redactor } from '../case/redact/redactor.ts';
import { counted } from '../common/text.ts';
import type { Finding, Judgement } from './judgement.ts';
import type { Ask, Explain } from './ports.ts';

const ofFinding = ({ text }: Redactor, finding: Finding): Finding => {
  const { rationale, sides } = finding;
  return {
    ...finding,
    rationale: rationale === null ? null : text(rationale),
    ...(sides === undefined ? {} : { sides: { first: text(sides.first), second: text(sides.second) } }),
  };
};

/** A judgement whose words hold no details that are redacted. */
function ofJudgement(redactor: Redactor, judgement: Judgement): Judgement {
  const { text } = redactor;
  const { caveat } = judgement;
  const words = {
    criteria: judgement.criteria.map((finding) => ofFinding(redactor, finding)),
    ...(caveat === undefined ? {} : { caveat: text(caveat) }),
  };
  if (judgement.status === 'unscored') return { ...judgement, ...words, message: text(judgement.message) };
  const { rationale, sides } = judgement;
  return {
    ...judgement,
    ...words,
    rationale: rationale === null ? null : text(rationale),
    ...(sides === undefined ? {} : { sides: { first: text(sides.first), second: text(sides.second) } }),
  };
}

/** A judge that reads the case as it is, as exact checks have to, and whose words are redacted. */
export const redactedWords =
  (redactor: Redactor, ask: Ask): Ask =>
  async (question) =>
    ofJudgement(redactor, await ask(question));

/** A judge that reads the redacted case alone. What it sees of other judges is redacted already. */
export const redactedCase = (redactor: Redactor, ask: Ask): Ask =>
  redactedWords(redactor, (question) => ask({ ...question, evalCase: redactor.case(question.evalCase) }));

/** A case without details, also in the names of its answers: people see these as they are, but an answer to a question says them. */
function withoutNames(redactor: Redactor, evalCase: EvalCase): EvalCase {
  const shown = redactor.case(evalCase);
  if (shown.answerNames === undefined) return shown;
  const [first, second] = shown.answerNames;
  return { ...shown, answerNames: [redactor.text(first), redactor.text(second)] };
}

/** Answers questions about verdicts without details, also of verdicts that were kept before redaction was on. */
export const redactedExplain =
  (redactor: Redactor, explain: Explain): Explain =>
  (question) => {
    const { verdict, evalCase, asked } = question;
    return explain({
      ...question,
      evalCase: withoutNames(redactor, evalCase),
      asked: redactor.text(asked),
      verdict: {
        ...verdict,
        why: redactor.text(verdict.why),
        criteria: verdict.criteria.map((criterion) => ({
          ...criterion,
          rationale: criterion.rationale === null ? null : redactor.text(criterion.rationale),
        })),
        judgements: verdict.judgements.map((judgement) => ofJudgement(redactor, judgement)),
      },
    });
  };

/**
 * `3 details were redacted before the judges saw this: 2 phone numbers and 1 VIN`, or empty.
 *
 * @param counts stand-ins by name
 * @param isExact whether only exact checks judge, which read the case as it was pasted
 */
export function redactionRemarks(counts: ReadonlyMap<string, number>, isExact: boolean): string[] {
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return [];
  const which = [...counts].map(([name, count]) => counted(count, name, pluralOf(name))).join(', ');
  const were = `${counted(total, 'detail')} ${total === 1 ? 'was' : 'were'} redacted`;
  return [`${were} ${isExact ? 'here' : 'before the judges saw this'}: ${which}`];
}

const pluralOf = (name: string): string => (/(?:s|x|ch|sh)$/.test(name) ? `${name}es` : `${name}s`);
