import type { KnownBlock, ModalView, RichTextElement } from '@slack/types';
import { dump } from 'js-yaml';
import * as z from 'zod';
import type { EvalCase } from '../../../case/case.ts';
import { type CardPart, costText } from '../../../judging/card.ts';
import type { Judge, Judgement } from '../../../judging/judgement.ts';
import { judgeName, judgesOf, type PersonaTexts, stanceOf, toneOf } from '../../../judging/opinion.ts';
import type { Range, Verdict } from '../../../judging/verdict.ts';
import type { Vote } from '../../../labels/vote.ts';
import { titleOfKey } from '../../forms/case-fields.ts';
import { oneLine, pieces, safeText, shortLine } from '../../safe-text.ts';
import { toneMark } from '../../wording.ts';
import { actions, callbacks } from '../ids.ts';
import {
  bold,
  context,
  header,
  italic,
  limits,
  pageBlocks,
  paragraph,
  plain,
  rich,
  section,
  words,
} from './blocks.ts';
import { type CardInput, cardBlocks } from './card.ts';
import { ownAnswerBlocks } from './votes.ts';

/** Longest name or title; the whole stands in the rubric. */
const NAME = 120;

/** A long text under a head, in as many blocks as it needs. */
export function long(head: RichTextElement[], text: string): KnownBlock[] {
  const [first = '', ...rest] = pieces(safeText(text).trim(), limits.blockText - 200);
  return [
    paragraph(head, words(first === '' ? '' : `\n${first}`)),
    ...rest.map((piece) => paragraph(words(piece))),
  ];
}

const name = (text: string): string => shortLine(text, NAME);

/** Everything that was judged, unshortened. */
export function caseBlocks(evalCase: EvalCase): KnownBlock[] {
  const { conversation, response, id: _id, rubric: _rubric, label: _label, ...rest } = evalCase;
  const turns = conversation.flatMap(({ role, text }) =>
    long(bold(role === 'user' ? 'User' : 'System'), text),
  );
  const fields = Object.entries(rest).flatMap(([key, value]) =>
    value === undefined
      ? []
      : long(
          bold(name(titleOfKey(key))),
          typeof value === 'string' ? value : dump(value, { lineWidth: -1, noRefs: true }),
        ),
  );
  return [header('What was judged'), ...turns, ...long(bold('Response'), response), ...fields];
}

/** Each criterion with its tally and whole rationale. */
function criterionBlocks({ criteria }: Verdict): KnownBlock[] {
  if (criteria.length === 0) return [];
  const blocks = criteria.flatMap(({ title, decision, score, scale, tally, rationale }) => {
    const votes = tally.pass + tally.fail > 0 ? ` ${tally.pass}–${tally.fail}` : '';
    const most = scale === undefined ? '' : ` of ${scale.max}`;
    const scored = score === null ? '' : ` ${Math.round(score * 100) / 100}${most}`;
    const head = [
      ...words(`${toneMark(decision)} `),
      ...bold(name(title)),
      ...words(`: ${decision}${scored}${votes}`),
    ];
    return long(head, rationale);
  });
  return [header('Criteria'), ...blocks];
}

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

function judgementBlocks(
  judgement: Judgement,
  panel: readonly Judge[],
  scale: Range | undefined,
  texts: PersonaTexts,
): KnownBlock[] {
  const head = [
    ...words(`${toneMark(toneOf(judgement))} `),
    ...bold(name(judgeName(judgement, panel, texts))),
    ...words(`: ${stanceOf(judgement, scale)}`),
  ];
  const said = judgement.status === 'scored' ? judgement.rationale : judgement.message;
  const findings = judgement.criteria.map(
    ({ id, decision, score, rationale }) => `${id}: ${score === null ? decision : score}. ${rationale}`,
  );
  const caveat =
    judgement.status === 'scored' && judgement.caveat !== undefined
      ? long(italic('Caveat'), judgement.caveat)
      : [];
  return [
    ...long(head, said),
    ...caveat,
    ...(findings.length === 0 ? [] : long(italic('Findings'), findings.join('\n'))),
    context(`${judgement.judge.model} · ${shortHash(judgement.promptHash)}${usageText(judgement)}`),
  ];
}

/** Every judge of every round, with all that it said; the round that decided first. */
function roundBlocks(verdict: Verdict, texts: PersonaTexts): KnownBlock[] {
  const rounds = [...new Set(verdict.judgements.map(({ round }) => round))].sort((a, b) => b - a);
  const decided = verdict.decidedInRound;
  const order = [...rounds].sort((a, b) => Number(b === decided) - Number(a === decided));
  return order.flatMap((round) => [
    header(rounds.length === 1 ? 'Judges' : `Round ${round + 1}${round === decided ? ' (decisive)' : ''}`),
    ...verdict.judgements
      .filter((judgement) => judgement.round === round)
      .flatMap((judgement) => judgementBlocks(judgement, judgesOf(verdict), verdict.scale, texts)),
  ]);
}

/** Who rated the criteria before the panel spoke, where the method says so. */
function ratingBlocks({ ratings = [] }: Verdict, texts: PersonaTexts): KnownBlock[] {
  if (ratings.length === 0) return [];
  const raters = ratings.map(({ judge }) => judge);
  return [
    header('Ratings shown to the panel'),
    ...ratings.flatMap((judgement) => judgementBlocks(judgement, raters, undefined, texts)),
  ];
}

const listed = (title: string, lines: readonly string[]): KnownBlock[] =>
  lines.length === 0 ? [] : long(bold(title), lines.map((line) => `• ${oneLine(line)}`).join('\n'));

const known = (tokens: number | null): string => (tokens === null ? 'not known' : String(tokens));

/** How it was judged and what that took. */
function settingsBlocks(verdict: Verdict): KnownBlock[] {
  const { settings, usage, calls, rounds, durationMs, startedAt } = verdict;
  const lines: [string, string][] = [
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
      `${known(usage.promptTokens)} in (${known(usage.cachedTokens)} cached), ${known(usage.completionTokens)} out`,
    ],
    ['cost', costText(usage.costUsd)],
    ['took', `${durationMs} ms, from ${startedAt}`],
  ];
  const elements = lines.flatMap(([label, value], index) => [
    ...bold(`${index === 0 ? '' : '\n'}${label} `),
    ...words(value),
  ]);
  return [
    header('Settings and usage'),
    rich(section(elements)),
    ...listed('Assumed', verdict.assumed),
    ...listed('Remarks', verdict.remarks),
  ];
}

/** What a button of the pages carries. */
export const pageValue = (verdictId: string, page: number): string => `${verdictId} ${page}`;

/** Reads {@link pageValue}; null where it is none of ours. */
export function readPageValue(text: string): { verdictId: string; page: number } | null {
  const [, verdictId, page] = /^(\S+) (\d{1,6})$/.exec(text) ?? [];
  return verdictId === undefined ? null : { verdictId, page: Number(page) };
}

export const DetailsMetadata = z.strictObject({ verdict: z.string(), page: z.int().min(0) });

/**
 * Blocks about a verdict in pages that are turned with buttons (`views.update`); nothing is shortened.
 *
 * @param first stands above all on every page: a few blocks
 * @param page from 0; the nearest one where there is no such page
 */
export function pagedView(
  { id, title }: { id: string; title: string },
  first: readonly KnownBlock[],
  rest: readonly KnownBlock[],
  page: number,
): ModalView {
  const { at, blocks } = pageBlocks(first, rest, page, {
    back: actions.detailsBack,
    next: actions.detailsPage,
    value: (to) => pageValue(id, to),
  });
  return {
    type: 'modal',
    callback_id: callbacks.detailsView,
    title: plain(title, limits.viewTitle),
    close: plain('Close', limits.viewButton),
    private_metadata: JSON.stringify({ verdict: id, page: at } satisfies z.infer<typeof DetailsMetadata>),
    blocks,
  };
}

/**
 * The card, then all that was judged and said, in pages; nothing is shortened.
 *
 * @param page from 0; the nearest one where there is no such page
 * @param own the viewer's own blind vote, where their answer has opened it
 */
export function detailsView(input: CardInput, page = 0, own: Vote | null = null): ModalView {
  const { record, texts, tally } = input;
  const { verdict, evalCase, id, blind } = record;
  // A vote on what is hidden from others is an answer about the case, which the viewer has given.
  const isVotable = (part: CardPart) => part.kind !== 'actions' || blind !== true;
  const inView = (part: CardPart): CardPart =>
    part.kind === 'actions' ? { ...part, buttons: part.buttons.filter((one) => one !== 'details') } : part;
  const card = cardBlocks(input, true, (parts) => parts.filter(isVotable).map(inView));
  return pagedView(
    { id, title: 'Details' },
    own === null ? [] : ownAnswerBlocks(record, { vote: own, tally }),
    [
      ...card,
      ...criterionBlocks(verdict),
      ...roundBlocks(verdict, texts),
      ...ratingBlocks(verdict, texts),
      ...caseBlocks(evalCase),
      ...settingsBlocks(verdict),
    ],
    page,
  );
}
