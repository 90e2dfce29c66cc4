import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import type { EvalCase } from '../../case/case.ts';
import { csvText } from '../../common/csv.ts';
import { junitText } from '../../common/junit.ts';
import { counted, grouped, plainLine } from '../../common/text.ts';
import { type CardTexts, cardOf } from '../../judging/card.ts';
import { Decision, type Verdict } from '../../judging/verdict.ts';
import { MARKS, painted, renderCard } from './card-text.ts';
import type { Screen } from './terminal.ts';

/** How `jury judge` prints verdicts. */
export type VerdictFormat = 'cards' | 'table' | 'json' | 'csv' | 'junit';

/** A case that was judged. */
export interface Judged {
  verdict: Verdict;
  evalCase: EvalCase;
  /** Where the case stands: `mix.jsonl, line 2`. */
  source: string;
  /** The verdict's id in the store, if it is kept. */
  id?: string;
}

/** What a format prints of each verdict as it comes, and at the end of all. */
export interface Printer {
  each?: (judged: Judged) => string;
  all?: (judged: readonly Judged[]) => string;
}

/** What the printers of cards and tables need. */
interface PrintSetting {
  screen: Screen;
  texts: CardTexts;
  /** Remarks and assumptions that all cases share: said once. */
  shared: readonly string[];
}

/** A verdict, or the plan of one. */
interface Remarked {
  assumed: readonly string[];
  remarks: readonly string[];
}

/** What is said about how cases are judged, with how many it is said of; the most frequent first. */
function countRemarks(cases: readonly Remarked[]): [remark: string, cases: number][] {
  const counts = new Map<string, number>();
  for (const { assumed, remarks } of cases)
    for (const one of [...assumed, ...remarks]) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

/** Remarks that several cases all share. */
export const sharedRemarks = (cases: readonly Remarked[]): string[] =>
  cases.length < 2
    ? []
    : countRemarks(cases).flatMap(([remark, count]) => (count === cases.length ? [remark] : []));

const withoutShared = (verdict: Verdict, shared: readonly string[]): Verdict => ({
  ...verdict,
  assumed: verdict.assumed.filter((one) => !shared.includes(one)),
  remarks: verdict.remarks.filter((one) => !shared.includes(one)),
});

/** The first line of a text that is too wide, with an ellipsis. */
function cut(text: string, width: number): string {
  const line = plainLine(text);
  if (stringWidth(line) <= width) return line;
  return `${wrapAnsi(line, Math.max(1, width - 1), { hard: true, wordWrap: false }).split('\n')[0]}…`;
}

const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - stringWidth(text)));

const howMany = (judged: readonly Judged[], which: (one: Judged) => boolean): number =>
  judged.filter(which).length;

/** `7 cases: 4 pass · 2 fail · 1 undecided`, and how many could not be checked in full. */
function summaryOf(judged: readonly Judged[]): string {
  const counts = Decision.options
    .map((decision) => ({
      decision,
      number: howMany(judged, ({ verdict }) => verdict.decision === decision),
    }))
    .filter(({ number }) => number > 0);
  const partly = howMany(judged, ({ verdict }) =>
    verdict.criteria.some(({ decision }) => decision === 'not-judged'),
  );
  const kinds = counts.map(({ decision, number }) => `${grouped(number)} ${decision}`).join(' · ');
  return `${counted(judged.length, 'case')}: ${kinds}${partly > 0 ? ` (${grouped(partly)} with criteria that could not be judged)` : ''}`;
}

/** Remarks that are listed below a table. */
const MOST_REMARKS = 5;

/** Each remark once, with how many cases it is about. */
function remarkLines(
  { colors, width }: Screen,
  remarks: readonly [string, number][],
  cases: number,
): string[] {
  const more = remarks.length - MOST_REMARKS;
  return [
    ...remarks.slice(0, MOST_REMARKS).map(([text, count]) => {
      const which = count === cases ? `All ${grouped(cases)} cases` : counted(count, 'case');
      return colors.dim(wrapAnsi(`${which}: ${plainLine(text)}`, width));
    }),
    ...(more > 0 ? [colors.dim(`… and ${counted(more, 'other remark')} (--json has all)`)] : []),
    ...(remarks.length > 0 ? [''] : []),
  ];
}

function cards(setting: PrintSetting): Printer {
  const { screen, texts, shared } = setting;
  return {
    each: ({ verdict, evalCase, id }) =>
      `${renderCard(screen, cardOf(withoutShared(verdict, shared), evalCase, texts))}\n${id === undefined ? '' : `\n  Kept as ${id}\n`}`,
    all: (judged) =>
      judged.length < 2
        ? ''
        : [
            ...remarkLines(
              screen,
              shared.map((one) => [one, judged.length]),
              judged.length,
            ),
            summaryOf(judged),
          ].join('\n'),
  };
}

/** What is worth attention comes first. */
const ORDER: readonly Decision[] = ['fail', 'undecided', 'scored', 'pass'];

/** Most columns of a case's name, and the share of what is left that the user's words get. */
const [NAME, SAID] = [16, 0.4];
const GAP = '  ';

function table({ screen, texts }: PrintSetting): Printer {
  const rowOf = ({ verdict, evalCase, id }: Judged) => {
    const headline = cardOf(verdict, evalCase, texts).find((part) => part.kind === 'headline');
    return {
      tone: verdict.decision,
      label: `${MARKS[verdict.decision]} ${headline?.label ?? ''}`,
      name: cut(verdict.caseId, NAME),
      // The id of a kept verdict is what the next command needs.
      about: id ?? evalCase.conversation.findLast(({ role }) => role === 'user')?.text ?? '',
      share: id === undefined ? SAID : 0,
      // That a case passes says enough.
      reason: verdict.decision === 'pass' ? '' : (headline?.why ?? ''),
    };
  };
  return {
    all: (judged) => {
      const rows = ORDER.flatMap((decision) =>
        judged.filter(({ verdict }) => verdict.decision === decision),
      ).map(rowOf);
      const widest = (cells: readonly string[]) => Math.max(...cells.map((text) => stringWidth(text)));
      const [label, name] = [widest(rows.map((row) => row.label)), widest(rows.map((row) => row.name))];
      const room = Math.max(20, screen.width - label - name - 2 * GAP.length);
      const lines = rows.map(({ tone, about, reason, share, ...row }) => {
        const width = share === 0 ? about.length : Math.floor(room * share);
        const first = share === 0 ? about : `“${cut(about, (reason === '' ? room : width) - 2)}”`;
        const rest = reason === '' ? '' : GAP + cut(reason, room - width - GAP.length);
        return `${painted(screen, tone, padded(row.label, label))}${GAP}${padded(row.name, name)}${GAP}${padded(first, width)}${rest}`;
      });
      const remarks = countRemarks(judged.map(({ verdict }) => verdict));
      return [...lines, '', ...remarkLines(screen, remarks, judged.length), summaryOf(judged)].join('\n');
    },
  };
}

/** Texts from outside, without what could repaint a terminal; all other characters stay. */
const cell = (value: string): string => value.replaceAll(/(?!\n)\p{Cc}/gu, '');

const titlesOf = ({ criteria }: Verdict, ...decisions: string[]): string =>
  criteria.flatMap(({ title, decision }) => (decisions.includes(decision) ? [title] : [])).join('; ');

const CSV_HEAD = [
  ...['source', 'case', 'user', 'response', 'rubric', 'method', 'decision', 'score', 'confidence', 'why'],
  ...['failed', 'not_decided', 'calls', 'cost_usd', 'duration_ms', 'verdict_id'],
];

const csv: Printer = {
  all: (judged) =>
    csvText([
      CSV_HEAD,
      ...judged.map(({ verdict, evalCase, source, id = null }) => [
        ...[cell(source), cell(verdict.caseId)],
        cell(evalCase.conversation.findLast(({ role }) => role === 'user')?.text ?? ''),
        ...[cell(evalCase.response), verdict.rubric, verdict.method, verdict.decision, verdict.score],
        ...[
          verdict.confidence,
          cell(verdict.why),
          titlesOf(verdict, 'fail'),
          titlesOf(verdict, 'undecided', 'not-judged'),
        ],
        ...[verdict.calls, verdict.usage.costUsd, verdict.durationMs, id],
      ]),
    ]).trimEnd(),
};

const junit: Printer = {
  all: (judged) =>
    junitText(
      'jury judge',
      judged[0]?.verdict.startedAt ?? new Date().toISOString(),
      judged.map(({ verdict, source }) => {
        const { decision, why, caseId, rubric, criteria, durationMs } = verdict;
        const isFine = decision === 'pass' || decision === 'scored';
        const details = criteria
          .filter((one) => one.decision === 'fail' || one.decision === 'undecided')
          .map(({ title, rationale }) => `${title}: ${rationale}`);
        return {
          suite: rubric,
          name: caseId,
          seconds: durationMs / 1000,
          ...(isFine
            ? {}
            : {
                problem: {
                  kind: decision === 'fail' ? ('failure' as const) : ('error' as const),
                  type: decision,
                  message: why,
                  details: [source, ...details].join('\n'),
                },
              }),
        };
      }),
    ).trimEnd(),
};

/** The printer of a format. */
export function printerOf(format: Exclude<VerdictFormat, 'json'>, setting: PrintSetting): Printer {
  switch (format) {
    case 'cards':
      return cards(setting);
    case 'table':
      return table(setting);
    case 'csv':
      return csv;
    case 'junit':
      return junit;
  }
}
