import { DAY_MS } from '../common/index.ts';
import { counted, grouped } from '../common/text/index.ts';
import { issueLink } from '../labels/access/index.ts';
import {
  type AssistantChange,
  type AssistantReport,
  baselineText,
  basisText,
  type ChangedGroup,
  groupRows,
  headlineText,
  latencyText,
  sizeOf,
  slowestRows,
  sureText,
  turnedText,
} from '../reports/assistant/index.ts';
import type { AssistantHistory } from '../reports/history/index.ts';
import { dayIn, mostUrgent, urgencyOf, weekdayIn } from './change-since-last.ts';
import type { DigestBlock, DigestData } from './digest.ts';
import { facts } from './digest-blocks.ts';

const listed = (groups: readonly ChangedGroup[]): string =>
  groups.map(({ title, n }) => `${title ?? 'no criterion'} ${n}`).join(', ');

/** Groups of changed answers shown in the message itself. */
const MAX_GROUPS = 5;
/** Limits on further benchmarks in the message, and on detailed benchmarks and their answers in its thread. */
const MAX_OTHERS = 10;
const MAX_DETAILED = 3;
const MAX_ANSWERS = 10;

/** Replaces text from another channel. Reasons are replaced too, because they quote the conversation. */
const ELSEWHERE = 'a request from another channel';
const REASON_ELSEWHERE = 'its reason is shown there only';

/** The day of an earlier run, in words: `earlier today`, `last Monday` or `16 Nov 2026`. */
function dayText({ timezone, now }: DigestData, at: number): string {
  // Rounded to days: a weekly run begins seven days later, give or take hours. Of older runs, a weekday would not say which week.
  const days = (now - at) / DAY_MS;
  if (days < 0.5) return 'earlier today';
  return days < 7.5 ? `last ${weekdayIn(timezone, at)}` : dayIn(timezone, at);
}

const sinceLast = ({ changes }: AssistantReport): AssistantChange | null =>
  changes.find(({ baseline }) => baseline === null) ?? null;

/**
 * A sentence about an assistant, and whether it has a new run.
 * @param name null if there is only one benchmark
 */
function headlineOf(
  data: DigestData,
  { name: benchmark, report, runs }: AssistantHistory,
  name: string | null,
) {
  const isNew = data.last?.runs[benchmark] !== runs.at(-1)?.name;
  const change = isNew ? sinceLast(report) : null;
  const { text, trend } = headlineText(report, change, change === null ? '' : dayText(data, change.at), name);
  return {
    isNew,
    trend,
    text:
      isNew && change === null && report.preference === null ? `${text}; the next digest will compare` : text,
  };
}

const sentence = (text: string): DigestBlock[] => (text === '' ? [] : [{ kind: 'text', text }]);

/** The answer whose finding represents the group. */
const typicalOf = ({ answers, reason }: ChangedGroup) =>
  reason === null ? undefined : answers.find((one) => one.reason === reason);

type Origins = DigestData['origins'];

/** Drops the group's finding if this channel may not see it. */
const visibleGroup = (group: ChangedGroup, origins: Origins): ChangedGroup =>
  origins.get(typicalOf(group)?.caseId ?? '')?.hidden === true ? { ...group, reason: null } : group;

/** IDs of the cases that a digest mentions, whose origins must be looked up first. */
export function casesShown({ report }: AssistantHistory): string[] {
  const { failing = [] } = sinceLast(report) ?? {};
  const typical = report.changes
    .flatMap((change) => [change.failing, change.passing])
    .flatMap((groups) => groups.slice(0, MAX_GROUPS).flatMap((group) => typicalOf(group) ?? []));
  const answers = failing.flatMap((group) => group.answers).slice(0, MAX_ANSWERS);
  return [...(report.latency?.slowest ?? []), ...typical, ...answers].map(({ caseId }) => caseId);
}

/** The largest group of new failures since the previous run or the baseline: `Time (8), for example: closed on Sundays`. Null if there are none. */
export function worstText(
  { report }: AssistantHistory,
  origins: Origins,
  since: 'before' | 'baseline',
): string | null {
  const change = report.changes.find(({ baseline }) => (baseline === null) === (since === 'before'));
  const [worst] = change?.failing ?? [];
  if (worst === undefined) return null;
  const { title, n, reason } = visibleGroup(worst, origins);
  return `${title ?? 'no criterion'} (${n})${reason === null ? '' : `, for example: ${reason}`}`;
}

function turnedFacts(all: readonly ChangedGroup[], to: 'fail' | 'pass', origins: Origins): DigestBlock[] {
  const groups = all.map((group) => visibleGroup(group, origins));
  if (groups.length === 0) return [];
  const others = groups.slice(MAX_GROUPS);
  const rest = { label: `Other ${grouped(sizeOf(others))}`, value: listed(others) };
  return facts(turnedText(groups, to), [
    ...groupRows(groups.slice(0, MAX_GROUPS)),
    ...(others.length === 0 ? [] : [rest]),
  ]);
}

/** The blocks under an assistant's headline: what broke, and how certain that is. */
function assistantBlocks({ origins }: DigestData, { report }: AssistantHistory): DigestBlock[] {
  const change = sinceLast(report);
  return [
    ...sentence(basisText(report, change)),
    ...turnedFacts(change?.failing ?? [], 'fail', origins),
    ...turnedFacts(change?.passing ?? [], 'pass', origins),
    // If the baseline is also the previous run, it has been compared above.
    ...report.changes.flatMap((one) =>
      one.baseline === null || one.run === change?.run ? [] : sentence(baselineText(report, one)),
    ),
    ...sentence(latencyText(report) ?? ''),
    ...sentence(sureText(report)),
  ];
}

/** The slowest answers, without text from other channels. */
function slowestFacts({ origins }: DigestData, { report }: AssistantHistory): DigestBlock[] {
  const rows = slowestRows(report).map(({ label, value }, at) => {
    const caseId = report.latency?.slowest[at]?.caseId ?? '';
    return { label, value: origins.get(caseId)?.hidden === true ? ELSEWHERE : value };
  });
  return facts('Slowest answers', rows);
}

const issueBody = (
  { request, answer, reason, link }: { request: string; answer: string; reason: string; link: string | null },
  { run, builds }: AssistantReport,
): string =>
  [
    `User: ${request}`,
    `System: ${answer}`,
    '',
    reason,
    `Run ${run}${builds.length === 0 ? '' : `, build ${builds.join(', ')}`}`,
    ...(link === null ? [] : [link]),
  ].join('\n');

/** Each newly failing answer, with its request and the reason. */
export function assistantDetails(
  { origins, issueUrl }: Pick<DigestData, 'origins' | 'issueUrl'>,
  { report }: AssistantHistory,
): DigestBlock[] {
  const change = sinceLast(report);
  const answers = (change?.failing ?? []).flatMap(({ title, answers: failingAnswers }) =>
    failingAnswers.map((answer) => ({ ...answer, title: title ?? 'Other' })),
  );
  if (change === null || answers.length === 0) return [];
  const items = answers.slice(0, MAX_ANSWERS).map(({ caseId, title, request, answer, reason }) => {
    const origin = origins.get(caseId);
    const hidden = origin?.hidden === true;
    const link = origin?.link ?? null;
    const about = {
      title: `${title}: ${reason}`,
      body: issueBody({ request, answer, reason, link }, report),
    };
    return {
      title: `${title} · ${caseId}`,
      request: hidden ? ELSEWHERE : request,
      answer: hidden ? '' : answer,
      reason: hidden ? REASON_ELSEWHERE : reason,
      link,
      issue: issueUrl === null || hidden ? null : issueLink(issueUrl, about),
    };
  });
  const command = { text: `jury bench compare ${change.run} ${report.run}`, link: null };
  return [
    {
      kind: 'cases',
      title: turnedText(change.failing, 'fail'),
      items,
      more: sizeOf(change.failing) - items.length,
    },
    { kind: 'list', title: 'All changed answers, with what the judges said', items: [command], more: 0 },
  ];
}

/**
 * The assistant part of a digest: a headline if there is a new run, what broke in the most urgent benchmark with a line for each other one,
 * and the answers for the thread. Null if no benchmark tests an assistant.
 */
export function assistantParts(data: DigestData) {
  const isOnly = data.benchmarks.length === 1;
  const all = data.benchmarks
    .filter((history) => history.subject === 'assistant')
    .map((history) => ({ history, ...headlineOf(data, history, isOnly ? null : history.name) }))
    .sort((a, b) => Number(b.isNew) - Number(a.isNew) || urgencyOf(a.trend) - urgencyOf(b.trend));
  const [first, ...others] = all;
  if (first === undefined) return null;
  const rows = others
    .slice(0, MAX_OTHERS)
    .map(({ history }) => ({ label: history.name, value: headlineOf(data, history, null).text }));
  const left = others.length - rows.length;
  const more = left > 0 ? [{ label: 'Left out', value: counted(left, 'benchmark') }] : [];
  return {
    headline: mostUrgent(all.filter(({ isNew }) => isNew)),
    histories: all.map(({ history }) => history),
    blocks: [
      ...(first.isNew ? [] : sentence(first.text)),
      ...assistantBlocks(data, first.history),
      ...facts('Other benchmarks', [...rows, ...more]),
    ],
    details: all
      .slice(0, MAX_DETAILED)
      .flatMap(({ history }) => [...assistantDetails(data, history), ...slowestFacts(data, history)]),
  };
}
