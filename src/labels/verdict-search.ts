import { fold } from '../common/text.ts';
import type { Decision } from '../judging/verdict.ts';
import type { VerdictRecord } from './verdict-record.ts';

/** Which verdicts are looked for. Times are ms since the epoch. */
export interface VerdictQuery {
  /** Words that all stand in the case or in what the panel said; see `wordsIn`. */
  words?: readonly string[];
  rubric?: string;
  decision?: Decision;
  surface?: string;
  /** Only those whose judges disagree. */
  isSplit?: boolean;
  /** From then on, and before then. */
  since?: number;
  until?: number;
  /** The id where the page before ended. */
  after?: string;
  limit: number;
}

export interface VerdictSearchStore {
  /**
   * Newest first. Whole words are found, in any case and with or without accents.
   * @throws JuryError `store-unavailable`
   */
  searchVerdicts(query: VerdictQuery): Promise<VerdictRecord[]>;
}

/** A verdict is found by so many of its words at most, the first ones, and by none that is longer. */
const MOST_WORDS = 1_000;
const LONGEST_WORD = 40;

/** The words of a text as they are found: folded, each once. */
export const wordsIn = (text: string): string[] => [
  ...new Set(
    fold(text.slice(0, 20_000))
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '' && word.length <= LONGEST_WORD),
  ),
];

/** The words of a case alone, which tell nothing of its verdict. */
export const caseWords = ({ evalCase }: Pick<VerdictRecord, 'evalCase'>): string[] =>
  wordsIn([evalCase.id ?? '', evalCase.response, ...evalCase.conversation.map(({ text }) => text)].join(' '));

/** The words by which a verdict is found. */
export const searchWords = (record: VerdictRecord): string[] =>
  [...new Set([...wordsIn(record.verdict.why), ...caseWords(record)])].slice(0, MOST_WORDS);

const fact = (name: string, value: string): string => `${name}:${value}`;

/** What a verdict is found by beside words. */
export function searchFacts({ verdict, source }: VerdictRecord): string[] {
  const { pass, fail } = verdict.tally;
  return [
    fact('rubric', verdict.rubric),
    fact('decision', verdict.decision),
    fact('surface', source.surface),
    ...(pass > 0 && fail > 0 ? [fact('judges', 'split')] : []),
  ];
}

/** The same of a query. */
export const queryFacts = ({ rubric, decision, surface, isSplit }: VerdictQuery): string[] => [
  ...(rubric === undefined ? [] : [fact('rubric', rubric)]),
  ...(decision === undefined ? [] : [fact('decision', decision)]),
  ...(surface === undefined ? [] : [fact('surface', surface)]),
  ...(isSplit === true ? [fact('judges', 'split')] : []),
];
