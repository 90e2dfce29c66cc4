import { type ShownPart, shownFields } from '../../case/format/index.ts';
import { contentOf, type EvalCase, namedAnswers } from '../../case/index.ts';
import { type Received, type Span, stretchesOf } from '../../case/paste/index.ts';
import { capital, minuteText, plainLine } from '../../common/text/index.ts';
import {
  type CardTexts,
  inQuotes,
  judgeName,
  judgesOf,
  type PersonaTexts,
  type ShownRuling,
  stanceOf,
  type Tone,
  toneOf,
  verdictIn,
} from '../../judging/card/index.ts';
import {
  betterOf,
  betterText,
  isExact,
  type Judge,
  type Judgement,
  saidBy,
  type Verdict,
} from '../../judging/verdict/index.ts';
import { agreedSentence } from '../../labels/agreement/index.ts';
import type { VerdictRecord } from '../../labels/record/index.ts';
import { type Language, type Words, wordsIn } from '../../words/index.ts';
import { shortLine } from '../wording/index.ts';

/** One entry of the details: something that was said or measured, with a line of small print. */
interface DetailsEntry {
  tone?: Tone;
  name: string;
  /** After the name, such as `fail, 80 % sure`. */
  stance?: string;
  text: string;
  small?: string;
}

export interface DetailsSection {
  title: string;
  entries: readonly DetailsEntry[];
}

const ROLES = { user: 'User', system: 'System' } as const;

const entryOf = ({ title, text }: ShownPart): DetailsEntry => ({ name: title, text });

/** Something that was said; `isJudged` marks the judged answers. */
type Turn = DetailsEntry & { isJudged?: true };

/** What was said, in order. */
export function turnsOf(evalCase: EvalCase, language: Language): Turn[] {
  const { details } = wordsIn(language);
  const callsOf = ({ toolCalls }: Pick<EvalCase, 'toolCalls'>) =>
    shownFields('toolCalls', toolCalls).map(({ text }) => ({ name: details.toolCalls, text }));
  return [
    ...(evalCase.history ?? []).flatMap(({ role, text, ...turn }) => [
      { name: details.before(ROLES[role]), text },
      ...callsOf(turn),
    ]),
    ...evalCase.conversation.flatMap(({ role, text, ...turn }) => [
      { name: ROLES[role], text },
      ...callsOf(turn),
    ]),
    ...(evalCase.alternative === undefined
      ? [{ name: details.response, text: evalCase.response }]
      : namedAnswers(evalCase)
    ).map((answer) => ({ ...answer, isJudged: true as const })),
    ...(evalCase.closing === undefined ? [] : [{ name: details.after(ROLES.user), text: evalCase.closing }]),
  ];
}

/** The other fields of a case, in words. @param lineFor names declared fields */
export function fieldsOf(evalCase: EvalCase, lineFor?: CardTexts['lineFor']): DetailsEntry[] {
  const {
    alternative = { response: '' },
    conversation: _,
    response: _own,
    history: _before,
    closing: _after,
    ...rest
  } = contentOf(evalCase);
  const { response: _other, ...data } = alternative;
  const [, second] = namedAnswers(evalCase);
  return [
    ...Object.entries(rest).flatMap(([key, value]) => shownFields(key, value, lineFor).map(entryOf)),
    ...Object.entries(data).flatMap(([key, value]) =>
      shownFields(key, value, lineFor).map(({ title, text }) => ({
        name: `${title} of ${second?.name}`,
        text,
      })),
    ),
  ];
}

/** Everything that was judged, in full. */
export const caseSection = (
  evalCase: EvalCase,
  language: Language,
  lineFor?: CardTexts['lineFor'],
): DetailsSection => ({
  title: wordsIn(language).details.case,
  entries: [...turnsOf(evalCase, language), ...fieldsOf(evalCase, lineFor)],
});

/** The kinds of parts of a pasted text. */
export const PART_WORDS: Readonly<Record<Span['is'], string>> = {
  user: 'what the user said',
  system: 'what the system said',
  field: 'the value of a field',
  label: 'says what follows',
  remark: 'read as a remark',
  'left out': 'left out',
  unsure: 'may belong to the answer',
};

/** The most characters shown of a part; its beginning is enough to recognize it. */
const PART_CHARS = 80;
/** The most parts listed. */
const MOST_PARTS = 40;

/** How the pasted text was read: one line for each part, in order, without labels. */
function readSection(
  received: Received,
  { lineFor, language }: Pick<CardTexts, 'lineFor' | 'language'>,
): DetailsSection {
  const { card, details } = wordsIn(language);
  const parts = stretchesOf(received).flatMap(({ is, text, path, why }) => {
    if (is === null || is === 'label') return [];
    const field = path === undefined ? undefined : (lineFor(path)?.split(':')[0] ?? capital(path));
    const name = is === 'field' ? (field ?? details.part.field) : details.part[is];
    return [
      `${name}: ${card.quoted(shortLine(text, PART_CHARS))}${why === undefined ? '' : ` (${plainLine(why)})`}`,
    ];
  });
  const more = parts.length - MOST_PARTS;
  const shown = [...parts.slice(0, MOST_PARTS), ...(more > 0 ? [card.andMore(more)] : [])];
  return { title: details.read, entries: bulleted(details.parts, shown) };
}

type DecisionWord = keyof Words['verdict']['decision'];

/** Which of two answers a score prefers; null if the verdict does not compare answers or there is no score. */
export const betterWords = (
  { preference }: Pick<Verdict, 'preference'>,
  score: number | null,
  language: Language,
): string | null =>
  preference === undefined || score === null
    ? null
    : betterText({ better: betterOf(score), names: preference.names }, language);

/** `3.5 of 4`; the decision if there is no score. */
export function scoreWords(
  score: number | null,
  most: number | undefined,
  decision: DecisionWord,
  language: Language,
): string {
  const words = wordsIn(language).verdict;
  return score === null
    ? words.decision[decision]
    : words.scoreOf({ score: words.number(score), max: most === undefined ? null : words.number(most) });
}

/** The panel's finding on a criterion: `fail 1–2`, `3.5 of 4`, or which answer is better. */
export function criterionStance(
  verdict: Verdict,
  { decision, ifRelevant, score, scale, tally: { pass, fail } }: Verdict['criteria'][number],
  language: Language,
): string {
  const words = wordsIn(language);
  // Exact checks are the same for every judge, so there are no votes to count.
  const votes = !isExact(verdict) && pass + fail > 0 ? ` ${pass}–${fail}` : '';
  const otherwise =
    decision === 'not-relevant' && ifRelevant !== undefined
      ? words.details.otherwise(words.verdict.decision[ifRelevant])
      : '';
  return (
    betterWords(verdict, score, language) ??
    `${scoreWords(score, scale?.max, decision, language)}${votes}${otherwise}`
  );
}

const criteriaOf = (verdict: Verdict, language: Language): DetailsSection => ({
  title: wordsIn(language).details.criteria,
  entries: verdict.criteria.map((criterion) => ({
    tone: criterion.decision,
    name: criterion.title,
    stance: criterionStance(verdict, criterion, language),
    text: inQuotes(criterion.rationale ?? '', language),
  })),
});

const shortHash = (hash: string | null, language: Language): string => {
  const { notAsked, prompt } = wordsIn(language).details;
  return hash === null ? notAsked : prompt(hash.replace(/^sha256:/, '').slice(0, 8));
};

const costText = (costUsd: number | null, language: Language): string => {
  const { card, details } = wordsIn(language);
  return costUsd === null ? details.unknown : card.cost(costUsd);
};

function usageText({ usage }: Judgement, language: Language): string {
  if (usage.attempts === 0) return '';
  const words = wordsIn(language).details;
  const { promptTokens: prompt, completionTokens: completion } = usage;
  return [
    '',
    prompt === null || completion === null ? words.tokensUnknown : words.tokens({ prompt, completion }),
    costText(usage.costUsd, language),
    `${Math.round(usage.latencyMs)} ms`,
    ...(usage.attempts > 1 ? [words.attempts(usage.attempts)] : []),
    ...(usage.fromCache ? [words.fromCache] : []),
  ].join(' · ');
}

function judgementEntry(
  judgement: Judgement,
  panel: readonly Judge[],
  verdict: Pick<Verdict, 'scale' | 'preference'>,
  texts: PersonaTexts,
  titles: ReadonlyMap<string, string>,
): DetailsEntry {
  const { language } = texts;
  const words = wordsIn(language);
  const reason = saidBy(judgement);
  const caveat =
    judgement.status === 'scored' && judgement.caveat !== undefined
      ? [words.details.caveat(judgement.caveat)]
      : [];
  // With a single criterion, a judge often gives the same reason for it and for the whole.
  const findings = judgement.criteria
    .filter(({ rationale }) => rationale !== reason)
    .map(
      ({ id, decision, score, rationale }) =>
        `• ${titles.get(id) ?? id}: ${betterWords(verdict, score, language) ?? score ?? words.verdict.decision[decision]}${rationale === null ? '' : `. ${rationale}`}`,
    );
  return {
    tone: toneOf(judgement),
    name: judgeName(judgement, panel, texts),
    stance: stanceOf(judgement, verdict, language),
    text: inQuotes([reason, ...caveat, ...findings].join('\n'), language),
    small: `${judgement.judge.model} · ${shortHash(judgement.promptHash, language)}${usageText(judgement, language)}`,
  };
}

const titlesOf = ({ criteria }: Verdict): Map<string, string> =>
  new Map(criteria.map(({ id, title }) => [id, title]));

/** Every judge's full answer by round, the decisive round first; empty for exact checks, whose findings the criteria show. */
function roundsOf(verdict: Verdict, texts: PersonaTexts): DetailsSection[] {
  if (isExact(verdict)) return [];
  const { details } = wordsIn(texts.language);
  const titles = titlesOf(verdict);
  const rounds = [...new Set(verdict.judgements.map(({ round }) => round))].sort((a, b) => b - a);
  const decided = verdict.decidedInRound;
  const order = [...rounds].sort((a, b) => Number(b === decided) - Number(a === decided));
  return order.map((round) => ({
    title:
      rounds.length === 1
        ? details.judges
        : details.round({ round: round + 1, isDecisive: round === decided }),
    entries: verdict.judgements
      .filter((judgement) => judgement.round === round)
      .map((judgement) => judgementEntry(judgement, judgesOf(verdict), verdict, texts, titles)),
  }));
}

const bulleted = (name: string, all: readonly string[]): DetailsEntry[] =>
  all.length === 0 ? [] : [{ name, text: all.map((line) => `• ${plainLine(line)}`).join('\n') }];

/** The settings and the usage of a verdict. */
export function settingsOf(
  { verdict, evalCase: { tags = {} } }: Pick<VerdictRecord, 'verdict' | 'evalCase'>,
  language: Language,
): DetailsSection {
  const { details } = wordsIn(language);
  const words = details.facts;
  const tokensText = (tokens: number | null): string => (tokens === null ? details.notKnown : String(tokens));
  const { settings, usage, calls, rounds, durationMs, startedAt, reader } = verdict;
  const facts: [string, string][] = [
    [words.case, verdict.caseId],
    [words.rubric, verdict.rubric],
    [words.method, verdict.method],
    [words.temperature, settings.temperature === null ? '–' : String(settings.temperature)],
    [words.seed, settings.seed === null ? details.none : String(settings.seed)],
    [words.rounds, words.roundsOf({ rounds, most: settings.rounds })],
    [words.examples, String(settings.examples)],
    ...Object.entries(settings.values ?? {}),
    [words.calls, String(calls)],
    [
      words.tokens,
      words.inAndOut({
        sent: tokensText(usage.promptTokens),
        cached: usage.cachedTokens,
        received: tokensText(usage.completionTokens),
      }),
    ],
    [words.cost, costText(usage.costUsd, language)],
    ...(reader === undefined
      ? []
      : [[words.reader, `${reader.model}, ${costText(reader.usage.costUsd, language)}`] as [string, string]]),
    [words.took, words.since({ ms: durationMs, at: startedAt })],
  ];
  return {
    title: details.settings,
    entries: [
      { name: details.settingsEntry, text: facts.map(([label, value]) => `${label}: ${value}`).join('\n') },
      ...bulleted(
        details.tags,
        Object.entries(tags).map(([name, value]) => `${name}: ${value}`),
      ),
      ...bulleted(details.assumed, verdict.assumed),
      ...bulleted(details.leftOut, verdict.leftOut === undefined ? [] : [verdict.leftOut]),
      ...bulleted(details.remarks, verdict.remarks),
    ],
  };
}

/**
 * How far people agreed with verdicts like this one when it was given. Only the details say so: people choose what they vote on, so
 * it is no reason to believe a verdict or not. Null if too few were settled.
 */
export function suchVerdicts(
  { trust }: Pick<VerdictRecord, 'trust'>,
  language: Language,
): { text: string; small: string } | null {
  const text = trust === undefined ? null : agreedSentence(trust, language);
  return trust === undefined || text === null
    ? null
    : {
        text: `${text}.`,
        small: wordsIn(language).details.such(trust.days),
      };
}

function agreementSection(record: Pick<VerdictRecord, 'trust'>, language: Language): DetailsSection {
  const such = suchVerdicts(record, language);
  const { agreement, votes } = wordsIn(language).details;
  return { title: agreement, entries: such === null ? [] : [{ name: votes, ...such }] };
}

function rulingSection(ruling: ShownRuling, language: Language): DetailsSection {
  const { details } = wordsIn(language);
  const { tone, outcome, role, comment, error, at } = ruling;
  const text = [
    ...(comment === null ? [] : [comment]),
    ...(error === null ? [] : [details.ruledError(error)]),
  ];
  return {
    title: details.ruling,
    entries: [
      { tone, name: role, stance: outcome, text: text.join('\n'), small: details.ruledAt(minuteText(at)) },
    ],
  };
}

/**
 * All details of a verdict, the most interesting first, in full.
 *
 * @param ruling what overrides it
 */
export function detailsOf(
  record: Pick<VerdictRecord, 'verdict' | 'evalCase' | 'received' | 'trust'>,
  texts: PersonaTexts & Pick<CardTexts, 'lineFor' | 'rubric'>,
  ruling?: ShownRuling,
): DetailsSection[] {
  const { evalCase, received } = record;
  const verdict = verdictIn(record.verdict, texts);
  const { ratings = [] } = verdict;
  const raters = ratings.map(({ judge }) => judge);
  const sections = [
    ...(ruling === undefined ? [] : [rulingSection(ruling, texts.language)]),
    criteriaOf(verdict, texts.language),
    ...roundsOf(verdict, texts),
    {
      title: wordsIn(texts.language).details.ratings,
      entries: ratings.map((judgement) => judgementEntry(judgement, raters, {}, texts, titlesOf(verdict))),
    },
    agreementSection(record, texts.language),
    caseSection(evalCase, texts.language, texts.lineFor),
    ...(received === undefined ? [] : [readSection(received, texts)]),
    settingsOf(record, texts.language),
  ];
  return sections.filter(({ entries }) => entries.length > 0);
}
