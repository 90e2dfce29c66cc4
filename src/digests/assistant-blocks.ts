import type {
  AssistantChange,
  AssistantReport,
  ChangedGroup,
} from '../benchmark/assistant/assistant-report.ts';
import {
  baselineText,
  basisText,
  groupRows,
  headlineText,
  latencyText,
  sizeOf,
  slowestRows,
  sureText,
  turnedText,
} from '../benchmark/assistant/assistant-words.ts';
import { withVotes } from '../benchmark/assistant/make-assistant-report.ts';
import type { AssistantHistory } from '../benchmark/benchmark-history.ts';
import { counted, DAY_MS, grouped } from '../common/text.ts';
import { issueLink } from '../labels/channel-settings.ts';
import { dayIn, mostUrgent, urgencyOf, weekdayIn } from './change.ts';
import type { DigestBlock, DigestData } from './digest.ts';
import { facts } from './digest-blocks.ts';

const listed = (groups: readonly ChangedGroup[]): string =>
  groups.map(({ title, n }) => `${title ?? 'no criterion'} ${n}`).join(', ');

/** Groups of changed answers in the message itself, and answers in its thread. */
const MAX_GROUPS = 5;
/** Further benchmarks in the message, and benchmarks whose answers are in its thread. */
const MAX_OTHERS = 10;
const MAX_DETAILED = 3;
const MAX_ANSWERS = 10;

/** In place of words that are not for this channel; reasons quote what was said. */
const ELSEWHERE = 'a request from another channel';
const REASON_ELSEWHERE = 'its reason is shown there only';

/** The day of an earlier run as people say it: `last Monday`, or `16 Nov 2026`. */
function dayText({ timezone, now }: DigestData, at: number): string {
  const days = (now - at) / DAY_MS;
  if (days < 0.5) return 'earlier today';
  return days < 7.5 ? `last ${weekdayIn(timezone, at)}` : dayIn(timezone, at);
}

const sinceLast = ({ changes }: AssistantReport): AssistantChange | null =>
  changes.find(({ baseline }) => baseline === null) ?? null;

/** A sentence on an assistant, and whether it was measured anew. @param name where there are several benchmarks */
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

/** The answer whose finding stands for a group. */
const typicalOf = ({ answers, reason }: ChangedGroup) =>
  reason === null ? undefined : answers.find((one) => one.reason === reason);

type Origins = DigestData['origins'];

/** A group without a finding that is not for this channel. */
const visibleGroup = (group: ChangedGroup, origins: Origins): ChangedGroup =>
  origins.get(typicalOf(group)?.caseId ?? '')?.hidden === true ? { ...group, reason: null } : group;

/** The cases of which a digest says something: origins have to be known of these. */
export function casesShown({ report }: AssistantHistory): string[] {
  const { failing = [] } = sinceLast(report) ?? {};
  const typical = report.changes
    .flatMap((change) => [change.failing, change.passing])
    .flatMap((groups) => groups.slice(0, MAX_GROUPS).flatMap((group) => typicalOf(group) ?? []));
  const answers = failing.flatMap((group) => group.answers).slice(0, MAX_ANSWERS);
  return [...(report.latency?.slowest ?? []), ...typical, ...answers].map(({ caseId }) => caseId);
}

/** What newly fails most since the run before, or since the baseline: `Time (8), for example: closed on Sundays`. */
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

/** What belongs under the sentence on an assistant: what broke, and how sure that is. */
function assistantBlocks({ counts, origins }: DigestData, { report: own }: AssistantHistory): DigestBlock[] {
  const report = withVotes(own, counts);
  const change = sinceLast(report);
  return [
    ...sentence(basisText(report, change)),
    ...turnedFacts(change?.failing ?? [], 'fail', origins),
    ...turnedFacts(change?.passing ?? [], 'pass', origins),
    // A baseline that is the last run as well has been compared above.
    ...report.changes.flatMap((one) =>
      one.baseline === null || one.run === change?.run ? [] : sentence(baselineText(report, one)),
    ),
    ...sentence(latencyText(report) ?? ''),
    ...sentence(sureText(report)),
  ];
}

/** The slowest answers; the words of other channels are not shown. */
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

/** Each answer that newly fails, with its request and the reason. */
export function assistantDetails(
  { origins, issueUrl }: Pick<DigestData, 'origins' | 'issueUrl'>,
  { report }: AssistantHistory,
): DigestBlock[] {
  const change = sinceLast(report);
  const answers = (change?.failing ?? []).flatMap(({ title, answers: own }) =>
    own.map((answer) => ({ ...answer, title: title ?? 'Other' })),
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
 * What a digest says of assistants: a headline if any was measured anew, what broke in the one that needs attention most with a line on
 * each other, and the answers for its thread. Null if no benchmark is about an assistant.
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
