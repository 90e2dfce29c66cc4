import { DAY_MS } from '../common/index.ts';
import { issueLink } from '../labels/access/index.ts';
import {
  type AssistantChange,
  type AssistantReport,
  baselineText,
  basisText,
  blockersText,
  type ChangedGroup,
  groupRows,
  headlineText,
  latencyText,
  type NewBlockers,
  sizeOf,
  slicesTable,
  slicesText,
  slowestRows,
  sureText,
  turnedText,
} from '../reports/assistant/index.ts';
import type { AssistantHistory } from '../reports/history/index.ts';
import { type Language, wordsIn } from '../words/index.ts';
import { dayIn, type Headline, mostUrgent, urgencyOf, weekdayIn } from './change-since-last.ts';
import type { DigestBlock, DigestData, DigestMark } from './digest.ts';
import { facts } from './digest-blocks.ts';

function listed(groups: readonly ChangedGroup[], language: Language): string {
  const words = wordsIn(language).assistant.groups;
  return groups.map(({ title, n }) => words.labeled({ title: title ?? words.noCriterion, n })).join(', ');
}

/** Groups of changed answers shown in the message itself. */
const MAX_GROUPS = 5;
/** Limits on further benchmarks in the message, and on detailed benchmarks and their answers in its thread. */
const MAX_OTHERS = 10;
const MAX_DETAILED = 3;
const MAX_ANSWERS = 10;
/** Values of a tag in a table. */
const MAX_SLICES = 20;

/** The day of an earlier run, in words: `earlier today`, `last Monday` or `16 Nov 2026`. */
function dayText(data: DigestData, at: number): string {
  const { against } = wordsIn(data.language).assistant;
  // Rounded to days: a weekly run begins seven days later, give or take hours. Of older runs, a weekday would not say which week.
  const days = (data.now - at) / DAY_MS;
  if (days < 0.5) return against.earlierToday;
  return days < 7.5 ? against.lastWeekday(weekdayIn(data, at)) : dayIn(data, at);
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
  const { language } = data;
  const isNew = data.last?.runs[benchmark] !== runs.at(-1)?.name;
  const change = isNew ? sinceLast(report) : null;
  const then = change === null ? '' : dayText(data, change.at);
  const { text, trend } = headlineText(report, change, then, name, language);
  return {
    isNew,
    trend,
    blockers: isNew
      ? blockersText(visibleBlockers(report.blockers, data.origins), then, name, language)
      : null,
    worseSlices: isNew ? slicesText(report, name, language) : null,
    text:
      isNew && change === null && report.preference === null
        ? wordsIn(language).assistant.headline.willCompare(text)
        : text,
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

/** The same for blockers: what is said of them all is their criteria. */
const visibleBlockers = (blockers: NewBlockers | null, origins: Origins): NewBlockers | null =>
  blockers === null
    ? null
    : {
        ...blockers,
        groups: blockers.groups.map((group) => ({ ...group, ...visibleGroup(group, origins) })),
      };

/** IDs of the cases that a digest mentions, whose origins must be looked up first. */
export function casesShown({ report }: AssistantHistory): string[] {
  const { failing = [] } = sinceLast(report) ?? {};
  const typical = report.changes
    .flatMap((change) => [change.failing, change.passing])
    .flatMap((groups) => groups.slice(0, MAX_GROUPS).flatMap((group) => typicalOf(group) ?? []));
  const answers = failing.flatMap((group) => group.answers).slice(0, 2 * MAX_ANSWERS);
  const blockers = report.blockers?.groups.flatMap((group) => group.answers) ?? [];
  return [...(report.latency?.slowest ?? []), ...typical, ...answers, ...blockers].map(
    ({ caseId }) => caseId,
  );
}

/** The largest group of new failures since the previous run or the baseline: `Time (8), for example: closed on Sundays`. Null if there are none. */
export function worstText(
  { report }: AssistantHistory,
  origins: Origins,
  since: 'before' | 'baseline',
  language: Language,
): string | null {
  const words = wordsIn(language).assistant.groups;
  const change = report.changes.find(({ baseline }) => (baseline === null) === (since === 'before'));
  const [worst] = change?.failing ?? [];
  if (worst === undefined) return null;
  const { title, n, reason } = visibleGroup(worst, origins);
  return words.example({ title: title ?? words.noCriterion, n, reason });
}

/** The sentence on new blockers of an alert; null if there are none. */
export const blockersIn = (
  { name }: AssistantHistory,
  blockers: NewBlockers | null,
  origins: Origins,
  language: Language,
): string | null =>
  blockersText(
    visibleBlockers(blockers, origins),
    wordsIn(language).assistant.against.runBefore,
    name,
    language,
  );

function turnedFacts(
  all: readonly ChangedGroup[],
  to: 'fail' | 'pass',
  { origins, language }: Pick<DigestData, 'origins' | 'language'>,
): DigestBlock[] {
  const groups = all.map((group) => visibleGroup(group, origins));
  if (groups.length === 0) return [];
  const others = groups.slice(MAX_GROUPS);
  const rest = {
    label: wordsIn(language).assistant.groups.otherRow(sizeOf(others)),
    value: listed(others, language),
  };
  return facts(turnedText(groups, to, language), [
    ...groupRows(groups.slice(0, MAX_GROUPS), language),
    ...(others.length === 0 ? [] : [rest]),
  ]);
}

/** The blocks under an assistant's headline: what broke, and how certain that is. */
function assistantBlocks(data: DigestData, { report }: AssistantHistory): DigestBlock[] {
  const { language } = data;
  const change = sinceLast(report);
  return [
    ...sentence(basisText(report, change, language)),
    ...turnedFacts(change?.failing ?? [], 'fail', data),
    ...turnedFacts(change?.passing ?? [], 'pass', data),
    // If the baseline is also the previous run, it has been compared above.
    ...report.changes.flatMap((one) =>
      one.baseline === null || one.run === change?.run ? [] : sentence(baselineText(report, one, language)),
    ),
    ...sentence(latencyText(report, language) ?? ''),
    ...sentence(sureText(report, language)),
  ];
}

/** The slowest answers, without text from other channels. */
function slowestFacts({ origins, language }: DigestData, { report }: AssistantHistory): DigestBlock[] {
  const { elsewhere, regressions } = wordsIn(language).digests;
  const rows = slowestRows(report, language).map(({ label, value }, at) => {
    const caseId = report.latency?.slowest[at]?.caseId ?? '';
    return { label, value: origins.get(caseId)?.hidden === true ? elsewhere : value };
  });
  return facts(regressions.slowest, rows);
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

type Shown = Pick<DigestData, 'origins' | 'issueUrl' | 'language'>;

/** An answer with its request and the reason, without text from other channels. */
function answerItem(
  { origins, issueUrl, language }: Shown,
  report: AssistantReport,
  { caseId, title, request, answer, reason }: ChangedGroup['answers'][number] & { title: string },
) {
  // Reasons from another channel are replaced, too, because they quote the conversation.
  const { elsewhere, reasonElsewhere } = wordsIn(language).digests;
  const origin = origins.get(caseId);
  const hidden = origin?.hidden === true;
  const link = origin?.link ?? null;
  const about = {
    title: `${title}: ${reason}`,
    body: issueBody({ request, answer, reason, link }, report),
  };
  return {
    title: `${title} · ${caseId}`,
    request: hidden ? elsewhere : request,
    answer: hidden ? '' : answer,
    reason: hidden ? reasonElsewhere : reason,
    link,
    issue: issueUrl === null || hidden ? null : issueLink(issueUrl, about),
  };
}

const answersOf = (groups: readonly ChangedGroup[], language: Language) =>
  groups.flatMap(({ title, answers }) =>
    answers.map((answer) => ({
      ...answer,
      title: title ?? wordsIn(language).assistant.groups.other,
    })),
  );

/** Each answer that newly fails a blocker. */
export function blockerDetails(
  shown: Shown,
  report: AssistantReport,
  blockers: NewBlockers | null = report.blockers,
): DigestBlock[] {
  const groups = blockers?.groups ?? [];
  const n = sizeOf(groups);
  if (n === 0) return [];
  const items = answersOf(groups, shown.language)
    .slice(0, MAX_ANSWERS)
    .map((answer) => answerItem(shown, report, answer));
  return [
    {
      kind: 'cases',
      title: wordsIn(shown.language).assistant.blockers.count(n),
      items,
      more: n - items.length,
    },
  ];
}

/**
 * Each newly failing answer, with its request and the reason.
 * @param blockers those that are listed before
 */
export function assistantDetails(
  shown: Shown,
  { report }: AssistantHistory,
  blockers: NewBlockers | null = report.blockers,
): DigestBlock[] {
  const change = sinceLast(report);
  const above = new Set(
    answersOf(blockers?.groups ?? [], shown.language)
      .slice(0, MAX_ANSWERS)
      .map(({ caseId }) => caseId),
  );
  const all = answersOf(change?.failing ?? [], shown.language);
  const answers = all.filter(({ caseId }) => !above.has(caseId));
  if (change === null || all.length === 0) return [];
  const items = answers.slice(0, MAX_ANSWERS).map((answer) => answerItem(shown, report, answer));
  const command = { text: `jury bench compare ${change.run} ${report.run}`, link: null };
  const more = sizeOf(change.failing) - (all.length - answers.length) - items.length;
  const { regressions } = wordsIn(shown.language).digests;
  const title = turnedText(change.failing, 'fail', shown.language);
  return [
    ...(items.length === 0
      ? []
      : [
          {
            kind: 'cases' as const,
            title: answers.length < all.length ? regressions.besides(title) : title,
            items,
            more,
          },
        ]),
    { kind: 'list', title: regressions.allAnswers, items: [command], more: 0 },
  ];
}

/** The answers by value of the schedule's tag. */
function sliceBlocks(data: DigestData, { report }: AssistantHistory): DigestBlock[] {
  const change = sinceLast(report);
  const isCompared = change !== null && change.obstacles.length === 0;
  const found = slicesTable(report, isCompared ? dayText(data, change.at) : null, data.language);
  if (found === null) return [];
  const { title, columns, rows, note } = found;
  return [
    ...(rows.length === 0
      ? []
      : [
          {
            kind: 'table' as const,
            title,
            columns: columns.map((name, n) => ({
              title: name,
              align: n === 0 ? ('left' as const) : ('right' as const),
            })),
            rows: rows.slice(0, MAX_SLICES),
            more: Math.max(0, rows.length - MAX_SLICES),
          },
        ]),
    ...sentence(note),
  ];
}

/** The headline on new runs: blockers first, then the most urgent change, with the values that got worse. Null if there is no new run. */
function leadOf(
  all: readonly ReturnType<typeof headlineOf>[],
  language: Language,
): (Pick<Headline, 'text' | 'others'> & { trend: DigestMark }) | null {
  const urgent = mostUrgent(all, language);
  if (urgent === null) return null;
  const blockers = all.flatMap((one) => one.blockers ?? []);
  const slices = all.flatMap(({ worseSlices }) => worseSlices ?? []);
  const text = [urgent.text.replace(/\.$/, ''), ...slices].join('; ');
  return {
    text: [...blockers, `${text}.`].join(' '),
    trend: blockers.length > 0 ? 'alert' : slices.length > 0 ? 'worse' : urgent.trend,
    ...(urgent.others === undefined ? {} : { others: urgent.others }),
  };
}

/**
 * The assistant part of a digest: a headline if there is a new run, what broke in the most urgent benchmark with a line for each other one,
 * and the answers for the thread. Null if no benchmark tests an assistant.
 */
export function assistantParts(data: DigestData) {
  const words = wordsIn(data.language).digests.benchmarks;
  const isOnly = data.benchmarks.length === 1;
  const all = data.benchmarks
    .filter((history) => history.subject === 'assistant')
    .map((history) => ({ history, ...headlineOf(data, history, isOnly ? null : history.name) }))
    .sort(
      (a, b) =>
        Number(b.isNew) - Number(a.isNew) ||
        Number(b.blockers !== null) - Number(a.blockers !== null) ||
        urgencyOf(a.trend) - urgencyOf(b.trend),
    );
  const [first, ...others] = all;
  if (first === undefined) return null;
  const rows = others
    .slice(0, MAX_OTHERS)
    .map(({ history }) => ({ label: history.name, value: headlineOf(data, history, null).text }));
  const left = others.length - rows.length;
  const more = left > 0 ? [{ label: words.leftOut, value: words.count(left) }] : [];
  return {
    headline: leadOf(
      all.filter(({ isNew }) => isNew),
      data.language,
    ),
    histories: all.map(({ history }) => history),
    blocks: [
      ...(first.isNew ? [] : sentence(first.text)),
      ...assistantBlocks(data, first.history),
      ...facts(words.others, [...rows, ...more]),
    ],
    details: all
      .slice(0, MAX_DETAILED)
      .flatMap(({ history, isNew }) => [
        ...(isNew ? blockerDetails(data, history.report) : []),
        ...sliceBlocks(data, history),
        ...assistantDetails(data, history, isNew ? history.report.blockers : null),
        ...slowestFacts(data, history),
      ]),
  };
}
