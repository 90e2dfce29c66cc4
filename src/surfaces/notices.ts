import type { CaseFormat } from '../case/case-format.ts';
import type { Understood } from '../case/paste/draft.ts';
import { usd } from '../common/text.ts';
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
