import * as z from 'zod';
import { KeptCase } from '../../case/index.ts';
import { Received } from '../../case/paste/index.ts';
import { DAY_MS } from '../../common/index.ts';
import { dayOf, fold } from '../../common/text/index.ts';
import { Decision, Preference, Range, Trust, Verdict } from '../../judging/verdict/index.ts';
import { noVotes, VoteTally, VoteValue } from './vote.ts';
import { Subject } from './vote-subjects.ts';

/** `page`: a web page of its own rather than a chat. */
export const ConversationKind = z.enum(['channel', 'group', 'direct', 'page']);
export type ConversationKind = z.infer<typeof ConversationKind>;

/** Where a request came from and where its verdict is shown, by the platform's own ids. */
const Source = z.strictObject({
  surface: z.string(),
  team: z.string(),
  channel: z.string(),
  /** Stored only if the surface cannot derive it from the channel's id. */
  kind: ConversationKind.optional(),
  /** The request's thread, and the message with the verdict's card. */
  thread: z.string().nullable(),
  message: z.string().nullable(),
  permalink: z.string().optional(),
  /** The message that asked, if a message did. */
  asked: z.string().exactOptional(),
});

/** What an earlier verdict on the same request said. */
export const EarlierVerdict = z.strictObject({
  decision: Decision,
  score: z.number().nullable(),
  scale: Range.exactOptional(),
  preference: Preference.pick({ better: true, names: true }).exactOptional(),
  rubric: z.string(),
  /** The models that answered. */
  models: z.array(z.string()),
});
export type EarlierVerdict = z.infer<typeof EarlierVerdict>;

/** A stored verdict. */
export const VerdictRecord = z.strictObject({
  id: z.string(),
  at: z.number(),
  evalCase: KeptCase,
  /** The case with the text in `verdict.leftOut` put back into its answer. */
  withLeftOut: KeptCase.optional(),
  /** The text that the case was read from, if it holds nothing else. */
  received: Received.optional(),
  verdict: Verdict,
  source: Source,
  subjects: z.array(Subject),
  /** Whether people see it only after voting; fixed when the verdict was requested. */
  blind: z.boolean().optional(),
  /** As of the time of the verdict, regardless of later votes. Absent if too little was known. */
  trust: Trust.optional(),
  /** The verdict that it replaces; absent where people vote before they see either. */
  earlier: EarlierVerdict.exactOptional(),
});
export type VerdictRecord = z.infer<typeof VerdictRecord>;

/** Times are ms since the epoch. Calls reject with a `JuryError` `store-unavailable`. */
export interface VerdictStore {
  /** Saving the same id again changes nothing and resolves to `known`. */
  saveVerdict(record: VerdictRecord): Promise<'saved' | 'known'>;
  verdict(id: string): Promise<VerdictRecord | null>;
  /** Newest first. `channel` null: all channels. */
  recentVerdicts(query: { channel: string | null; limit: number }): Promise<VerdictRecord[]>;
  /** Every verdict once, newest first, read in pages. */
  allVerdicts(): AsyncIterable<VerdictRecord>;
  /**
   * Deletes verdicts older than `before` with their votes and rulings, but not their counts; older changes in the audit
   * log; and keys and finished requests that have expired by `now`. A verdict's keys, `peopleKey(id)` of requests and
   * `withdrawnKey(id)` of labels/access, go with it. Resolves to the number of deleted verdicts. If it is interrupted,
   * the next call continues.
   */
  prune(before: number, now: number): Promise<number>;
}

/**
 * Deletes verdicts past the retention period (in days, 0: keep forever) with their votes, and everything else that has
 * expired. Call it once a day. Resolves to the number of deleted verdicts.
 */
export const pruneExpired = (
  store: Pick<VerdictStore, 'prune'>,
  retentionDays: number,
  now: number,
): Promise<number> =>
  store.prune(retentionDays === 0 ? -Number.MAX_VALUE : now - retentionDays * DAY_MS, now);

/** Groups what is counted together: like subjects of one day. */
export const CountKey = z.strictObject({
  /** Day of the verdict, UTC. */
  day: z.string(),
  channel: z.string(),
  rubric: z.string(),
  method: z.string(),
  /** Models of the panel, sorted and comma-separated. */
  models: z.string(),
  kind: z.enum(['verdict', 'judge', 'criterion']),
  subject: z.string(),
  decision: z.string(),
});
export type CountKey = z.infer<typeof CountKey>;

/**
 * Exactly `items` subjects of this key have this tally. All agreement statistics, with intervals by verdict, are
 * computed from these rows, at a cost that does not grow with the number of votes.
 */
export const CountRow = z.strictObject({ key: CountKey, tally: VoteTally, items: z.int() });
export type CountRow = z.infer<typeof CountRow>;

/** The total of all votes in some counts. */
export function votesIn(rows: readonly CountRow[]): VoteTally {
  const votes = { ...noVotes };
  for (const { tally, items } of rows)
    for (const value of VoteValue.options) votes[value] += items * tally[value];
  return votes;
}

export interface CountQuery {
  /** First and last day (UTC, inclusive), `2026-11-21`. */
  from: string;
  to: string;
  /** Absent: all. Fewer kinds are faster to read, since each verdict has several judges and criteria. */
  kinds?: readonly CountKey['kind'][];
}

export interface CountStore {
  /** The counts of the verdicts given on those days. */
  counts(query: CountQuery): Promise<CountRow[]>;
}

/** The models of a verdict's panel, as in `CountKey.models`. */
export const panelModels = ({ settings }: Verdict): string =>
  [...new Set(settings.panel.map(({ model }) => model))].sort().join(',');

/**
 * Whether votes on a key can both agree and disagree. A judge's score only collects agreement: disagreeing with the
 * panel's score says nothing about that judge's own.
 */
export const isTwoSided = ({ kind, decision }: CountKey): boolean =>
  kind !== 'judge' || decision !== 'scored';

/** The keys under which a verdict's subjects are counted, in the order of `record.subjects`. */
export function countKeys(record: VerdictRecord): CountKey[] {
  const { verdict, at, source, subjects } = record;
  const day = dayOf(at);
  const models = panelModels(verdict);
  return subjects.map(({ kind, id, decision }) => ({
    day,
    channel: source.channel,
    rubric: verdict.rubric,
    method: verdict.method,
    models,
    kind,
    subject: id,
    decision,
  }));
}

/** A search for verdicts. Times are ms since the epoch. */
export interface VerdictQuery {
  /** Words that must all occur in the case or in the panel's reasons; see `wordsIn`. */
  words?: readonly string[];
  rubric?: string;
  decision?: Decision;
  surface?: string;
  /** Only verdicts whose judges disagree. */
  isSplit?: boolean;
  /** From `since` (inclusive) until `until` (exclusive). */
  since?: number;
  until?: number;
  /** Id of the last verdict on the previous page. */
  after?: string;
  limit: number;
}

export interface VerdictSearchStore {
  /**
   * Newest first. Matches whole words, ignoring case and accents.
   *
   * @throws JuryError `store-unavailable`
   */
  searchVerdicts(query: VerdictQuery): Promise<VerdictRecord[]>;
}

/** Limits on the search index: a verdict's first words are indexed, without overlong ones. */
const MOST_WORDS = 1_000;
const LONGEST_WORD = 40;

/** The distinct words of a text, case and accents folded, as they are indexed and searched. */
export const wordsIn = (text: string): string[] => [
  ...new Set(
    fold(text.slice(0, 20_000))
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '' && word.length <= LONGEST_WORD),
  ),
];

/** The words of the case alone, which reveal nothing about the verdict. */
export const caseWords = ({ evalCase }: Pick<VerdictRecord, 'evalCase'>): string[] =>
  wordsIn([evalCase.id ?? '', evalCase.response, ...evalCase.conversation.map(({ text }) => text)].join(' '));

/** The words that find a verdict. */
export const searchWords = (record: VerdictRecord): string[] =>
  [...new Set([...wordsIn(record.verdict.why), ...caseWords(record)])].slice(0, MOST_WORDS);

/** Index keys for the filters of a query, besides words. */
export const queryFacts = ({
  rubric,
  decision,
  surface,
  isSplit,
}: Pick<VerdictQuery, 'rubric' | 'decision' | 'surface' | 'isSplit'>): string[] => [
  ...(rubric === undefined ? [] : [`rubric:${rubric}`]),
  ...(decision === undefined ? [] : [`decision:${decision}`]),
  ...(surface === undefined ? [] : [`surface:${surface}`]),
  ...(isSplit === true ? ['judges:split'] : []),
];

/** Index keys of a verdict, besides words. */
export const searchFacts = ({ verdict, source }: VerdictRecord): string[] => {
  const { rubric, decision, tally } = verdict;
  return queryFacts({ rubric, decision, surface: source.surface, isSplit: tally.pass > 0 && tally.fail > 0 });
};
