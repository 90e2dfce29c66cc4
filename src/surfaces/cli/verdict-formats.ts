import { type EvalCase, lastRequest } from '../../case/index.ts';
import {
  type CsvValue,
  capital,
  counted,
  csvText,
  grouped,
  type JunitCase,
  junitText,
  plainLine,
} from '../../common/text/index.ts';
import { type CardTexts, cardOf } from '../../judging/card/index.ts';
import {
  betterCounts,
  Decision,
  OUTCOMES,
  outcomeOfVerdict,
  type Verdict,
} from '../../judging/verdict/index.ts';
import { cut, MARKS, padded, painted, renderCard, type Screen, widthOf, wrap } from '../terminal/index.ts';

/** How `jury judge` prints verdicts for people and other programs, besides JSON. */
export type VerdictFormat = 'cards' | 'table' | 'csv' | 'junit';

/** A judged case. */
export interface Judged {
  verdict: Verdict;
  evalCase: EvalCase;
  /** Where the case comes from: `mix.jsonl, line 2`. */
  source: string;
  /** The verdict's id in the store, if it is kept. */
  id?: string;
}

/** A case without a verdict. */
type Unjudged = Pick<Verdict, 'caseId' | 'rubric'> & { source: string };

/** What a format prints for each verdict as it comes, and for all of them at the end. */
export interface Printer {
  each?: (judged: Judged) => string;
  all?: (judged: readonly Judged[]) => string;
  /** Replaces `all` if some cases have no verdict; without it, nothing is printed about those. */
  cutShort?: (judged: readonly Judged[], unjudged: readonly Unjudged[], why: string, now: Date) => string;
}

/** What the printers of cards and tables need. */
interface PrintSetting {
  screen: Screen;
  texts: CardTexts;
  /** Of all cases; remarks and assumptions that they share are printed once. */
  plans: readonly Remarked[];
  /** Whether a model can be asked. */
  hasModel: boolean;
  /** Whether cards give every judge's reasoning even if all judges are exact checks. */
  opinions: boolean;
}

/** A verdict or its plan. */
interface Remarked {
  assumed: readonly string[];
  remarks: readonly string[];
}

interface Remark {
  kind: string;
  text: string;
  cases: number;
}

/** Remarks that differ only in numbers are of one kind: "this is row 1 of 9", "this is row 2 of 9". */
const kindOf = (remark: string): string => remark.replaceAll(/\d+/g, '#');

/** What two remarks of a kind have in common: without a last clause that differs, or with "…" for numbers that differ. */
function inCommon(one: string, other: string): string {
  if (one === other || other.startsWith(`${one}: `)) return one;
  const start = one.slice(0, Math.max(0, one.lastIndexOf(': ')));
  // A start as short as "left out" says nothing on its own.
  if (start.split(' ').length > 3 && other.startsWith(`${start}: `)) return start;
  const numbers = other.match(/\d+|…/g) ?? [];
  return one.replaceAll(/\d+|…/g, (number) => (numbers.shift() === number ? number : '…'));
}

/** Assumptions and remarks, each with its number of cases; the most frequent first. */
function countRemarks(cases: readonly Remarked[]): Remark[] {
  const kinds = new Map<string, Remark>();
  for (const { assumed, remarks } of cases)
    for (const text of [...assumed, ...remarks]) {
      const kind = kindOf(text);
      const soFar = kinds.get(kind) ?? { text, cases: 0 };
      kinds.set(kind, { kind, text: inCommon(soFar.text, text), cases: soFar.cases + 1 });
    }
  return [...kinds.values()].sort((one, other) => other.cases - one.cases);
}

/** Remarks that all cases share, if there are several cases. */
const sharedRemarks = (cases: readonly Remarked[]): Remark[] =>
  cases.length < 2 ? [] : countRemarks(cases).filter((remark) => remark.cases === cases.length);

function withoutShared(verdict: Verdict, shared: readonly Remark[]): Verdict {
  const isOwn = (text: string) => shared.every(({ kind }) => kind !== kindOf(text));
  return { ...verdict, assumed: verdict.assumed.filter(isOwn), remarks: verdict.remarks.filter(isOwn) };
}

/** `7 cases: 4 pass · 2 fail · 1 not decided`, and how many could not be checked in full. */
function summaryOf(judged: readonly Judged[]): string {
  const verdicts = judged.map(({ verdict }) => verdict);
  const kinds = [...Decision.options, 'no-quorum' as const, 'unanswered' as const].flatMap((decision) => {
    const withDecision = verdicts.filter((one) => outcomeOfVerdict(one) === decision);
    const compared = decision === 'scored' ? withDecision.flatMap(({ preference }) => preference ?? []) : [];
    if (compared.length > 0 && compared.length === withDecision.length) return betterCounts(compared, 'en');
    const count = withDecision.length;
    return count === 0 ? [] : [`${grouped(count)} ${OUTCOMES[decision]}`];
  });
  const partly = verdicts.filter(({ criteria }) =>
    criteria.some((one) => one.decision === 'not-judged'),
  ).length;
  return `${counted(judged.length, 'case')}: ${kinds.join(' · ')}${partly > 0 ? ` (${grouped(partly)} with criteria that could not be judged)` : ''}`;
}

/** How many remarks are listed below verdicts. */
const MOST_REMARKS = 5;

/** Each remark once with its number of cases, then the counts of decisions. */
function endText({ colors, width }: Screen, remarks: readonly Remark[], judged: readonly Judged[]): string {
  const more = remarks.length - MOST_REMARKS;
  const lines = remarks.slice(0, MOST_REMARKS).map(({ text, cases }) => {
    const all = cases === 2 ? 'Both cases: ' : `All ${grouped(cases)} cases: `;
    const which = cases === judged.length ? all : `${counted(cases, 'case')}: `;
    const remark = judged.length === 1 ? capital(plainLine(text)) : which + plainLine(text);
    return colors.dim(wrap(remark, width));
  });
  if (more > 0) lines.push(colors.dim(`… and ${counted(more, 'other remark')} (--json has all)`));
  return [...lines, ...(lines.length > 0 ? [''] : []), summaryOf(judged)].join('\n');
}

function cards({ screen, texts, plans, hasModel, opinions }: PrintSetting): Printer {
  const shared = sharedRemarks(plans);
  return {
    each: ({ verdict, evalCase, id }) =>
      `${renderCard(screen, cardOf(withoutShared(verdict, shared), evalCase, texts, { hasModel, isOperator: true }), { opinions })}\n${id === undefined ? '' : `\n  Kept as ${id}\n`}`,
    all: (judged) => (judged.length < 2 ? '' : endText(screen, shared, judged)),
  };
}

/** What needs attention comes first. */
const ORDER: readonly Decision[] = ['fail', 'undecided', 'scored', 'pass'];

/** The widest column for a case's name, and the share of the remaining width for the user's words. */
const [NAME, SAID] = [16, 0.4];
const GAP = '  ';

/** One line per case: decision, name, the user's words, reason. A kept verdict shows its id, which the next command needs. */
function tableText({ screen, texts, hasModel }: PrintSetting, judged: readonly Judged[]): string {
  const rows = ORDER.flatMap((decision) => judged.filter(({ verdict }) => verdict.decision === decision)).map(
    ({ verdict, evalCase, id }) => {
      const headline = cardOf(verdict, evalCase, texts, { hasModel, isOperator: true }).find(
        (part) => part.kind === 'headline',
      );
      const label = `${MARKS[verdict.decision]} ${headline?.label ?? ''}`;
      const reason = verdict.decision === 'pass' ? '' : (headline?.reason ?? '');
      const name = cut(plainLine(verdict.caseId), NAME);
      return { tone: verdict.decision, label, reason, id, name, evalCase };
    },
  );
  const widest = (cells: readonly string[]) => Math.max(...cells.map(widthOf));
  const [label, name] = [widest(rows.map((row) => row.label)), widest(rows.map((row) => row.name))];
  const room = Math.max(20, screen.width - label - name - 2 * GAP.length);
  const lines = rows.map(({ tone, evalCase, id, reason, ...row }) => {
    const width = id?.length ?? Math.floor(room * SAID);
    const about = id ?? `“${cut(plainLine(lastRequest(evalCase)), (reason === '' ? room : width) - 2)}”`;
    const rest = reason === '' ? '' : GAP + cut(plainLine(reason), room - width - GAP.length);
    return `${painted(screen, tone, padded(row.label, label))}${GAP}${padded(row.name, name)}${GAP}${padded(about, width)}${rest}`;
  });
  const remarks = countRemarks(judged.map(({ verdict }) => verdict));
  return [...lines, '', endText(screen, remarks, judged)].join('\n');
}

const titlesOf = ({ criteria }: Verdict, ...decisions: string[]): string =>
  criteria.flatMap(({ title, decision }) => (decisions.includes(decision) ? [title] : [])).join('; ');

/** The columns of CSV. */
const CSV: Readonly<Record<string, (judged: Judged) => CsvValue>> = {
  source: ({ source }) => source,
  case: ({ verdict }) => verdict.caseId,
  user: ({ evalCase }) => lastRequest(evalCase),
  response: ({ evalCase }) => evalCase.response,
  rubric: ({ verdict }) => verdict.rubric,
  method: ({ verdict }) => verdict.method,
  decision: ({ verdict }) => verdict.decision,
  outcome: ({ verdict }) => outcomeOfVerdict(verdict),
  score: ({ verdict }) => verdict.score,
  confidence: ({ verdict }) => verdict.confidence,
  why: ({ verdict }) => verdict.why,
  failed: ({ verdict }) => titlesOf(verdict, 'fail'),
  not_decided: ({ verdict }) => titlesOf(verdict, 'undecided', 'not-judged'),
  calls: ({ verdict }) => verdict.calls,
  cost_usd: ({ verdict }) => verdict.usage.costUsd,
  duration_ms: ({ verdict }) => verdict.durationMs,
  verdict_id: ({ id = null }) => id,
};

const csvOf = (judged: readonly Judged[]): string =>
  csvText([Object.keys(CSV), ...judged.map((one) => Object.values(CSV).map((read) => read(one)))]);

/** A failed case is a failure; an undecided one is an error, since nothing is known about it. */
function junitCase({ verdict, source }: Judged): JunitCase {
  const { decision, why, caseId, rubric, criteria, durationMs } = verdict;
  const test = { suite: rubric, name: caseId, seconds: durationMs / 1000 };
  if (decision === 'pass' || decision === 'scored') return test;
  const details = criteria
    .filter((one) => one.decision === 'fail' || one.decision === 'undecided')
    .map(({ title, rationale }) => (rationale === null ? title : `${title}: ${rationale}`));
  const kind = decision === 'fail' ? 'failure' : 'error';
  return {
    ...test,
    problem: {
      kind,
      type: outcomeOfVerdict(verdict),
      message: why,
      details: [source, ...details].join('\n'),
    },
  };
}

/** Cases without a verdict are errors: left out, they would turn an incomplete run into a shorter one that passes. */
const unjudgedCase = ({ caseId, rubric, source }: Unjudged, why: string): JunitCase => ({
  suite: rubric,
  name: caseId,
  seconds: 0,
  problem: { kind: 'error', type: 'not judged', message: why, details: source },
});

const junitOf = (judged: readonly Judged[], more: readonly JunitCase[] = [], at = ''): string =>
  junitText('jury judge', judged[0]?.verdict.startedAt ?? at, [...judged.map(junitCase), ...more]).trimEnd();

/** The printer of a format. */
export function printerOf(format: VerdictFormat, setting: PrintSetting): Printer {
  switch (format) {
    case 'cards':
      return cards(setting);
    case 'table':
      return { all: (judged) => tableText(setting, judged) };
    case 'csv':
      return { all: (judged) => csvOf(judged).trimEnd() };
    case 'junit':
      return {
        all: (judged) => junitOf(judged),
        cutShort: (judged, unjudged, why, now) =>
          junitOf(
            judged,
            unjudged.map((one) => unjudgedCase(one, why)),
            now.toISOString(),
          ),
      };
  }
}
