import { type ShownPart, shownFields } from '../../case/format/index.ts';
import { contentOf, type EvalCase, namedAnswers } from '../../case/index.ts';
import { type Received, type Span, stretchesOf } from '../../case/paste/index.ts';
import { plainLine } from '../../common/text/index.ts';
import {
  type CardTexts,
  costText,
  judgeName,
  judgesOf,
  type PersonaTexts,
  stanceOf,
  type Tone,
  toneOf,
} from '../../judging/card/index.ts';
import {
  betterOf,
  betterText,
  isExact,
  type Judge,
  type Judgement,
  rounded,
  saidBy,
  type Verdict,
} from '../../judging/verdict/index.ts';
import { agreedSentence } from '../../labels/agreement/index.ts';
import type { VerdictRecord } from '../../labels/record/index.ts';
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
export const turnsOf = (evalCase: EvalCase): Turn[] => [
  ...(evalCase.history ?? []).map(({ role, text }) => ({ name: `${ROLES[role]}, before`, text })),
  ...evalCase.conversation.map(({ role, text }) => ({ name: ROLES[role], text })),
  ...(evalCase.alternative === undefined
    ? [{ name: 'Response', text: evalCase.response }]
    : namedAnswers(evalCase)
  ).map((answer) => ({ ...answer, isJudged: true as const })),
  ...(evalCase.closing === undefined ? [] : [{ name: 'User, after the response', text: evalCase.closing }]),
];

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
export const caseSection = (evalCase: EvalCase, lineFor?: CardTexts['lineFor']): DetailsSection => ({
  title: 'What was judged',
  entries: [...turnsOf(evalCase), ...fieldsOf(evalCase, lineFor)],
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

const PART_NAMES: Readonly<Record<Exclude<Span['is'], 'label'>, string>> = {
  user: 'User',
  system: 'System',
  field: 'Field',
  remark: 'Remark',
  'left out': 'Left out',
  unsure: 'Not sure',
};

/** The most characters shown of a part; its beginning is enough to recognize it. */
const PART_CHARS = 80;
/** The most parts listed. */
const MOST_PARTS = 40;

/** How the pasted text was read: one line for each part, in order, without labels. */
function readSection(received: Received, lineFor?: CardTexts['lineFor']): DetailsSection {
  const parts = stretchesOf(received).flatMap(({ is, text, path, why }) => {
    if (is === null || is === 'label') return [];
    const field = path === undefined ? undefined : (lineFor?.(path)?.split(':')[0] ?? path);
    const name = is === 'field' ? (field ?? PART_NAMES.field) : PART_NAMES[is];
    return [`${name}: “${shortLine(text, PART_CHARS)}”${why === undefined ? '' : ` (${plainLine(why)})`}`];
  });
  const more = parts.length - MOST_PARTS;
  const shown = [...parts.slice(0, MOST_PARTS), ...(more > 0 ? [`and ${more} more`] : [])];
  return { title: 'How the paste was read', entries: bulleted('Parts', shown) };
}

const WORDS = new Map([
  ['undecided', 'not decided'],
  ['unscored', 'not decided'],
  ['not-judged', 'not checked'],
  ['not-relevant', 'not relevant'],
]);

/** A decision in words. */
const decisionWords = (decision: string): string => WORDS.get(decision) ?? decision;

/** Which of two answers a score prefers; null if the verdict does not compare answers or there is no score. */
export const betterWords = (
  { preference }: Pick<Verdict, 'preference'>,
  score: number | null,
): string | null =>
  preference === undefined || score === null
    ? null
    : betterText({ better: betterOf(score), names: preference.names });

/** `3.5 of 4`; the decision if there is no score. */
export const scoreWords = (score: number | null, most: number | undefined, decision: string): string =>
  score === null
    ? decisionWords(decision)
    : `${rounded(score)}${most === undefined ? '' : ` of ${rounded(most)}`}`;

/** The panel's finding on a criterion: `fail 1–2`, `3.5 of 4`, or which answer is better. */
export function criterionStance(
  verdict: Verdict,
  { decision, ifRelevant, score, scale, tally: { pass, fail } }: Verdict['criteria'][number],
): string {
  // Exact checks are the same for every judge, so there are no votes to count.
  const votes = !isExact(verdict) && pass + fail > 0 ? ` ${pass}–${fail}` : '';
  const otherwise =
    decision === 'not-relevant' && ifRelevant !== undefined ? `, otherwise ${ifRelevant}` : '';
  return betterWords(verdict, score) ?? `${scoreWords(score, scale?.max, decision)}${votes}${otherwise}`;
}

const criteriaOf = (verdict: Verdict): DetailsSection => ({
  title: 'Criteria',
  entries: verdict.criteria.map((criterion) => ({
    tone: criterion.decision,
    name: criterion.title,
    stance: criterionStance(verdict, criterion),
    text: criterion.rationale ?? '',
  })),
});

const shortHash = (hash: string | null): string =>
  hash === null ? 'not asked' : `prompt ${hash.replace(/^sha256:/, '').slice(0, 8)}`;

function usageText({ usage }: Judgement): string {
  if (usage.attempts === 0) return '';
  const tokens =
    usage.promptTokens === null || usage.completionTokens === null
      ? 'tokens not known'
      : `${usage.promptTokens} + ${usage.completionTokens} tokens`;
  const tries = usage.attempts > 1 ? ` · ${usage.attempts} attempts` : '';
  return ` · ${tokens} · ${costText(usage.costUsd)} · ${Math.round(usage.latencyMs)} ms${tries}${usage.fromCache ? ' · from cache' : ''}`;
}

function judgementEntry(
  judgement: Judgement,
  panel: readonly Judge[],
  verdict: Pick<Verdict, 'scale' | 'preference'>,
  texts: PersonaTexts,
  titles: ReadonlyMap<string, string>,
): DetailsEntry {
  const reason = saidBy(judgement);
  const caveat =
    judgement.status === 'scored' && judgement.caveat !== undefined ? [`Caveat: ${judgement.caveat}`] : [];
  // With a single criterion, a judge often gives the same reason for it and for the whole.
  const findings = judgement.criteria
    .filter(({ rationale }) => rationale !== reason)
    .map(
      ({ id, decision, score, rationale }) =>
        `• ${titles.get(id) ?? id}: ${betterWords(verdict, score) ?? score ?? decisionWords(decision)}${rationale === null ? '' : `. ${rationale}`}`,
    );
  return {
    tone: toneOf(judgement),
    name: judgeName(judgement, panel, texts),
    stance: stanceOf(judgement, verdict),
    text: [reason, ...caveat, ...findings].join('\n'),
    small: `${judgement.judge.model} · ${shortHash(judgement.promptHash)}${usageText(judgement)}`,
  };
}

const titlesOf = ({ criteria }: Verdict): Map<string, string> =>
  new Map(criteria.map(({ id, title }) => [id, title]));

/** Every judge's full answer by round, the decisive round first; empty for exact checks, whose findings the criteria show. */
function roundsOf(verdict: Verdict, texts: PersonaTexts): DetailsSection[] {
  if (isExact(verdict)) return [];
  const titles = titlesOf(verdict);
  const rounds = [...new Set(verdict.judgements.map(({ round }) => round))].sort((a, b) => b - a);
  const decided = verdict.decidedInRound;
  const order = [...rounds].sort((a, b) => Number(b === decided) - Number(a === decided));
  return order.map((round) => ({
    title: rounds.length === 1 ? 'Judges' : `Round ${round + 1}${round === decided ? ' (decisive)' : ''}`,
    entries: verdict.judgements
      .filter((judgement) => judgement.round === round)
      .map((judgement) => judgementEntry(judgement, judgesOf(verdict), verdict, texts, titles)),
  }));
}

const tokensText = (tokens: number | null): string => (tokens === null ? 'not known' : String(tokens));

const bulleted = (name: string, all: readonly string[]): DetailsEntry[] =>
  all.length === 0 ? [] : [{ name, text: all.map((line) => `• ${plainLine(line)}`).join('\n') }];

/** The settings and the usage of a verdict. */
export function settingsOf({
  verdict,
  evalCase: { tags = {} },
}: Pick<VerdictRecord, 'verdict' | 'evalCase'>): DetailsSection {
  const { settings, usage, calls, rounds, durationMs, startedAt } = verdict;
  const facts: [string, string][] = [
    ['case', verdict.caseId],
    ['rubric', verdict.rubric],
    ['method', verdict.method],
    ['temperature', String(settings.temperature)],
    ['seed', settings.seed === null ? 'none' : String(settings.seed)],
    ['rounds', `${rounds} of at most ${settings.rounds}`],
    ['worked examples', String(settings.examples)],
    ...Object.entries(settings.values ?? {}),
    ['calls', String(calls)],
    [
      'tokens',
      `${tokensText(usage.promptTokens)} in${usage.cachedTokens === null ? '' : ` (${usage.cachedTokens} cached)`}, ${tokensText(usage.completionTokens)} out`,
    ],
    ['cost', costText(usage.costUsd)],
    ['took', `${durationMs} ms, from ${startedAt}`],
  ];
  return {
    title: 'Settings and usage',
    entries: [
      { name: 'Settings', text: facts.map(([label, value]) => `${label}: ${value}`).join('\n') },
      ...bulleted(
        'Tags',
        Object.entries(tags).map(([name, value]) => `${name}: ${value}`),
      ),
      ...bulleted('Assumed', verdict.assumed),
      ...bulleted('Left out', verdict.leftOut === undefined ? [] : [verdict.leftOut]),
      ...bulleted('Remarks', verdict.remarks),
    ],
  };
}

/**
 * How far people agreed with verdicts like this one when it was given. Only the details say so: people choose what they vote on, so
 * it is no reason to believe a verdict or not. Null if too few were settled.
 */
export function suchVerdicts({
  trust,
}: Pick<VerdictRecord, 'trust'>): { text: string; small: string } | null {
  const text = trust === undefined ? null : agreedSentence(trust);
  return trust === undefined || text === null
    ? null
    : {
        text: `${text}.`,
        small: `Such verdicts: the same rubric, method, models and decision, in the ${trust.days} days before`,
      };
}

function agreementSection(record: Pick<VerdictRecord, 'trust'>): DetailsSection {
  const such = suchVerdicts(record);
  return {
    title: 'What people say of such verdicts',
    entries: such === null ? [] : [{ name: 'Votes', ...such }],
  };
}

/** All details of a verdict, the most interesting first, in full. */
export function detailsOf(
  record: Pick<VerdictRecord, 'verdict' | 'evalCase' | 'received' | 'trust'>,
  texts: PersonaTexts & Pick<CardTexts, 'lineFor'>,
): DetailsSection[] {
  const { verdict, evalCase, received } = record;
  const { ratings = [] } = verdict;
  const raters = ratings.map(({ judge }) => judge);
  const sections = [
    criteriaOf(verdict),
    ...roundsOf(verdict, texts),
    {
      title: 'Ratings shown to the panel',
      entries: ratings.map((judgement) => judgementEntry(judgement, raters, {}, texts, titlesOf(verdict))),
    },
    agreementSection(record),
    caseSection(evalCase, texts.lineFor),
    ...(received === undefined ? [] : [readSection(received, texts.lineFor)]),
    settingsOf(record),
  ];
  return sections.filter(({ entries }) => entries.length > 0);
}
