import type { CaseFormat } from '../case/case-format.ts';
import type { Understood } from '../case/paste/draft.ts';
import { usd } from '../common/text.ts';
import type { VerdictRecord } from '../labels/verdict-record.ts';
import { isOpenToAll } from '../labels/visible-verdict.ts';
import { firstPaste } from './examples.ts';
import { describeField, titleOfKey } from './forms/case-fields.ts';
import { shortLine } from './safe-text.ts';

export interface UnclearPaste {
  problem: string;
  /** Paths that are missing. */
  missing: readonly string[];
  understood: Understood;
  /** What a case may look like. */
  format: Pick<CaseFormat, 'groups'>;
}

/** Named texts, each in one line, and how many there are beside them. */
export interface NamedLines {
  lines: { name: string; text: string }[];
  more: number;
}

const SHOWN = 12;
const NAME = 60;
const TEXT = 160;
const LONGEST_PROBLEM = 1_000;

const namedLines = (all: readonly (readonly [name: string, text: string])[]): NamedLines => ({
  lines: all
    .slice(0, SHOWN)
    .map(([name, text]) => ({ name: shortLine(name, NAME), text: shortLine(text, TEXT) })),
  more: Math.max(0, all.length - SHOWN),
});

/** Why a paste cannot be judged as it is: what is missing, each with a line that gives it, and what was understood. */
export function explainPaste({ problem, missing, understood, format }: UnclearPaste) {
  const { conversation = [], ...rest } = understood;
  const turns = conversation.map(({ role, text }) => [role === 'user' ? 'User' : 'System', text] as const);
  const fields = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(
      ([key, value]) => [titleOfKey(key), typeof value === 'string' ? value : JSON.stringify(value)] as const,
    );
  return {
    problem: shortLine(problem, LONGEST_PROBLEM),
    missing: namedLines(
      missing.map((path) => {
        const { label, example } = describeField(path, format);
        return [label, example] as const;
      }),
    ),
    understood: namedLines([...turns, ...fields]),
  };
}

/** The daily budget is spent. */
export const budgetText = (limitUsd: number): string =>
  `The daily budget of ${usd(limitUsd)} for model calls is used up, so no judge was asked. It resets at 00:00 UTC. To raise it, set JURY_DAILY_BUDGET_USD.`;

/**
 * For the person who asked, in private, when nothing can be shown where they asked; a button opens the verdict, where there is one.
 *
 * @param wasShown whether part of it was shown there before
 * @param record the verdict, where there is one
 */
export function unshowableNotice(
  wasShown: boolean,
  record: Pick<VerdictRecord, 'id' | 'verdict' | 'blind'> | null,
): { text: string; opens: { label: string; verdictId: string } | null } {
  const why = 'its message was deleted, or I no longer have access';
  if (record !== null && !isOpenToAll(record))
    return {
      text: `Your verdict is ready, but I cannot post it: ${why}. Answer first, and you will see it.`,
      opens: { label: 'Open the case', verdictId: record.id },
    };
  if (record !== null)
    return {
      text: `Your verdict is ${record.verdict.decision}, but I cannot show its card: ${why}.`,
      opens: { label: 'Details', verdictId: record.id },
    };
  const text = wasShown
    ? `I cannot show the answer: ${why}. Ask again, or paste the case here.`
    : 'I cannot post in that conversation. Invite me there and ask again, or paste the case here.';
  return { text, opens: null };
}

/** What the app says of itself on a first contact; each surface adds the ways to ask in it. */
export const welcome = {
  greeting: 'Hi, I am Jury.',
  text: 'Paste what a user said and what your system answered, and a panel of judges decides whether the answer holds up.',
  paste: firstPaste,
  votes: 'Was the panel right? Vote 👍 or 👎 on its card, or react with one.',
} as const;
