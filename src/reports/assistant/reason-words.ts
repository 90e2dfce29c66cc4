import { type Language, wordsIn } from '../../words/index.ts';
import type { AssistantChange, Obstacle, TrueRate, Unknown } from './assistant-report.ts';

/** Why two runs cannot be compared: `the rubric changed`. */
export function obstacleText(reason: Obstacle, language: Language = 'en'): string {
  const { assistant, numbers } = wordsIn(language);
  const words = assistant.obstacle;
  switch (reason.kind) {
    case 'noSameRequest':
    case 'seats':
    case 'prompts':
      return words[reason.kind];
    case 'rubricIs':
    case 'languages':
      return words[reason.kind](reason);
    case 'rubricChanged':
      return words.rubricChanged(reason.named);
    case 'methodChanged':
      return words.methodChanged(reason.method);
    case 'judges':
      return words.judges(reason);
    case 'coverage':
      return words.coverage({ now: numbers.percent(reason.now), was: numbers.percent(reason.was) });
  }
}

/** All of them. Reports of earlier versions have them in English alone. */
export const obstaclesText = (
  { obstacles, because }: Pick<AssistantChange, 'obstacles' | 'because'>,
  language: Language,
): string => (because?.map((one) => obstacleText(one, language)) ?? obstacles).join('; ');

/** Why it is not known how many answers truly pass, in words that follow "not known yet; ". */
export function unknownText(reason: Unknown, language: Language = 'en'): string {
  const { why } = wordsIn(language).assistant.sure;
  switch (reason.kind) {
    case 'scores':
    case 'oneGroup':
      return why[reason.kind];
    case 'fewLabels':
      return why.fewLabels(reason);
    case 'needsChecks':
      return why.needsChecks(reason);
    case 'severalRubrics':
      return why.severalRubrics(reason);
    case 'noInterval':
      return why.noInterval(reason);
  }
}

export const truthUnknownText = (
  { why, because }: Extract<TrueRate, { source: null }>,
  language: Language,
): string => (because === undefined ? why : unknownText(because, language));
