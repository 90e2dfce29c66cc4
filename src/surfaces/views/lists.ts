import type { AnswerNames } from '../../case/index.ts';
import { DAY_MS } from '../../common/index.ts';
import { dayOf } from '../../common/text/index.ts';
import { inQuotes } from '../../judging/card/index.ts';
import type { JudgeRequest } from '../../judging/index.ts';
import { type Rubric, titleIn } from '../../judging/standards/index.ts';
import { type AgreedShare, type Decision, reasonOf, shareText } from '../../judging/verdict/index.ts';
import type { ChannelSettings } from '../../labels/access/index.ts';
import { agreedShareOf, MIN_FOR_SHARE, publicCounts } from '../../labels/agreement/index.ts';
import type { LookedAt, VotedVerdict, VoteQueue } from '../../labels/queue/index.ts';
import { tallyOf, type VerdictRecord } from '../../labels/record/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
import type { SurfaceHost } from '../index.ts';
import { type Standard, standardOf, tallyText, titleOf, wordsOf } from '../wording/index.ts';

/** A verdict in a list; only its case if it is `hidden` until the viewer has answered. */
export type ListedVerdict = {
  id: string;
  title: string;
  response: string;
  at: number;
  permalink: string | null;
} & (
  | {
      kind: 'open';
      decision: Decision;
      why: string;
      /** How people voted. */
      votes: string;
      /** Why it needs the viewer's vote; null if it does not. */
      reason: string | null;
      /** The names of two compared answers. */
      names: AnswerNames | null;
    }
  | { kind: 'hidden'; record: Pick<VerdictRecord, 'id' | 'verdict' | 'evalCase'>; standard: Standard }
);

/**
 * A verdict as its viewer may see it. Blind verdicts are hidden until the viewer has answered, so always in the viewer's queue;
 * the reason for being there would reveal the verdict.
 */
export const listedFor =
  ({ hidden }: Pick<VoteQueue, 'hidden'>, rubrics: ReadonlyMap<string, Rubric>, language: Language) =>
  ({ record, votes, reason }: VotedVerdict & { reason?: string }): ListedVerdict => {
    const { id, at, verdict, source, evalCase, blind } = record;
    const listed = { id, at, response: evalCase.response, permalink: source.permalink ?? null };
    if (hidden.has(id) || (reason !== undefined && blind === true)) {
      const standard = standardOf(verdict, rubrics, language);
      return { ...listed, kind: 'hidden', title: wordsOf(evalCase, language), record, standard };
    }
    return {
      ...listed,
      kind: 'open',
      title: titleOf(evalCase, language),
      decision: verdict.decision,
      why: inQuotes(reasonOf(verdict, language), language),
      votes: tallyText(tallyOf(votes), verdict.preference, language),
      reason: reason ?? null,
      names: verdict.preference?.names ?? null,
    };
  };

/** How many verdicts a message lists by default and at most. */
export const QUEUE_SHOWN = { usual: 5, most: 20 } as const;

/** Reads `queue [n]`: how many verdicts to list; null if the text is not this command. */
export function readQueueCommand(text: string): number | null {
  const match = /^queue(?:\s+(\d{1,6}))?$/i.exec(text.trim());
  if (match === null) return null;
  const [, count] = match;
  return count === undefined ? QUEUE_SHOWN.usual : Math.min(QUEUE_SHOWN.most, Math.max(1, Number(count)));
}

/** The verdicts that need a person's vote, shown only to them. */
export interface Queue {
  /** The verdicts shown. */
  items: readonly ListedVerdict[];
  waiting: number;
  asked: number;
  lookedAt: LookedAt;
  /** Its page in the console, if people can open that. */
  page?: string | null;
  /** Of the person who reads it. */
  language: Language;
}

/** The page of the queue in the console; null if people cannot open it. */
export const queuePage = ({ consoleUrl }: Pick<SurfaceHost, 'consoleUrl'>): string | null =>
  consoleUrl === null ? null : `${consoleUrl}/queue`;

/** The app's home view: verdicts that need the viewer's vote, recent verdicts, and how often people agree. */
export interface Home {
  /** Newest first. */
  recent: readonly ListedVerdict[];
  /** Verdicts that need the viewer's vote, the most informative first. */
  needVotes: readonly ListedVerdict[];
  lookedAt: LookedAt;
  agreement: AgreedShare;
  /** The viewer's answers to cases with a known answer. */
  own: { right: number; of: number };
  /** The defaults of the viewer's conversation, if there is one. */
  settings: Pick<ChannelSettings, 'wish' | 'allowedModels'>;
  language: Language;
}

/** The fewest answers to known cases for which people see how many they got right. */
const LEAST_KNOWN = 5;

const AGREEMENT_DAYS = 90;

/** How often people recently agreed with the panel. @throws JuryError `store-unavailable` */
export async function agreementOf({ store, now }: Pick<SurfaceHost, 'store' | 'now'>): Promise<AgreedShare> {
  const range = {
    from: dayOf(now() - AGREEMENT_DAYS * DAY_MS),
    to: dayOf(now()),
    kinds: ['verdict'] as const,
  };
  return agreedShareOf((await publicCounts(store, range, now())).rows);
}

export const agreementText = (agreement: AgreedShare, language: Language): string => {
  const { settledFew, settledShare } = wordsIn(language).lists;
  return agreement.n < MIN_FOR_SHARE
    ? settledFew({ count: agreement.n, from: MIN_FOR_SHARE })
    : settledShare(shareText(agreement));
};

/** How many known cases the viewer got right, shown to the viewer alone; null for too few. */
export const ownText = ({ right, of }: Home['own'], language: Language): string | null =>
  of < LEAST_KNOWN ? null : wordsIn(language).lists.ownKnown({ right, of });

/** How cases are judged, in words; with defaults for options that are not set. */
export function wishWords(
  { rubric, method, models, panel }: JudgeRequest,
  titles: WishTitles,
  language: Language,
): [name: string, value: string][] {
  const { wish } = wordsIn(language).lists;
  const nameIn = (of: ReadonlyMap<string, Titled>, id: string) => {
    const one = of.get(id);
    return one === undefined ? id : titleIn(one, language);
  };
  return [
    [wish.rubric, rubric === undefined ? wish.eachCase : nameIn(titles.rubrics, rubric)],
    [wish.method, method === undefined ? wish.fromRubric : nameIn(titles.methods, method)],
    [wish.model, models?.join(', ') ?? wish.default],
    [wish.panel, panel?.map((id) => nameIn(titles.personas, id)).join(', ') ?? wish.fromRubric],
  ];
}

type Titled = Parameters<typeof titleIn>[0];

/** What rubrics, methods and personas are called. */
export type WishTitles = Readonly<Record<'rubrics' | 'methods' | 'personas', ReadonlyMap<string, Titled>>>;

/** How cases of a conversation are judged by default, in words. */
export const defaultsText = (
  { wish, allowedModels }: Pick<ChannelSettings, 'wish' | 'allowedModels'>,
  titles: WishTitles,
  language: Language,
): string =>
  [
    ...wishWords(wish, titles, language),
    ...(allowedModels === undefined ? [] : [[wordsIn(language).lists.wish.models, allowedModels.join(', ')]]),
  ]
    .map((words) => words.join(': '))
    .join(' · ');
