import { answerNamesOf, type EvalCase, lastRequest } from '../../case/index.ts';
import { groupedBy } from '../../common/index.ts';
import { firstSentence, plainKey } from '../../common/text/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
import {
  allJudgements,
  backersOf,
  backingOf,
  betterOf,
  type CriterionVerdict,
  decisiveJudgements,
  isExact,
  isNotAsked,
  isScored,
  type Judgement,
  outcomeOfVerdict,
  type Preference,
  pairReason,
  reasonOf,
  type ScoredJudgement,
  scoredOf,
  scoreText,
  sidesOf,
  type Verdict,
} from '../verdict/index.ts';
import {
  type Card,
  type CardAction,
  type CardPart,
  type CardSetting,
  type CardTexts,
  type CriterionRow,
  decisionText,
  inQuotes,
  judgeName,
  judgesOf,
  menuActions,
  opinionsOf,
  type ScoreRow,
  verdictIn,
} from './card.ts';
import { asksOf, needsModel, notesOf, titlesOf, unreadText } from './card-notes.ts';

/** `Auditor and Investigator disagree: “the kitchen is open until 21:00”`; null if no judge does. */
function dissentOf(against: readonly ScoredJudgement[], verdict: Verdict, texts: CardTexts): string | null {
  const [first] = against;
  if (first === undefined) return null;
  const judges = against.map((one) => judgeName(one, judgesOf(verdict), texts));
  const reason = inQuotes(firstSentence(first.rationale), texts.language);
  return wordsIn(texts.language).verdict.disagree({ judges, reason });
}

/** One reason for each of two answers, and the judges that prefer the other one. */
function pairPart(verdict: Verdict, preference: Preference, texts: CardTexts): CardPart[] {
  const against = scoredOf(decisiveJudgements(verdict)).filter(
    ({ score }) => (score ?? 0) * (verdict.score ?? 0) < 0,
  );
  const dissent = dissentOf(against, verdict, texts) ?? '';
  // If judges were not asked for reasons, who disagrees is all that there is to say.
  const [text, other = null] = [pairReason(preference), dissent].filter((reason) => reason !== '');
  return text === undefined ? [] : [{ kind: 'panel', text, isExact: isExact(verdict), dissent: other }];
}

/** The criteria by which two answers differ. */
function differences(verdict: Verdict, { names: [A, B] }: Preference): ScoreRow[] {
  // With a single criterion, the overall result already says it.
  if (verdict.criteria.length === 1) return [];
  return verdict.criteria.flatMap(({ title, score, rationale }) => {
    const better = betterOf(score ?? 0);
    if (better === 'same') return [];
    return [{ title, score: `→ ${better === 'A' ? A : B}`, text: firstSentence(rationale) }];
  });
}

/** A sentence as it continues after a dash. */
const continued = (sentence: string): string =>
  sentence.replace(/^(?:The|A|An|It|No|This|All|There|Its|What|Nothing|Closed|Open) /, (word) =>
    word.toLowerCase(),
  );

const isHeard = ({ pass, fail, scored, unscored }: CriterionVerdict['tally']): boolean =>
  pass + fail + scored + unscored > 0;

/** A reason without the criterion's name at its start: the card shows the name itself. */
const untitled = (title: string, text: string): string =>
  text.toLowerCase().startsWith(`${title.toLowerCase()}: `) ? text.slice(title.length + 2) : text;

/** Failed criteria first, then those that could not be checked; those with the same reason are one row. */
function rowsOf(
  verdict: Verdict,
  evalCase: EvalCase,
  texts: CardTexts,
): (CriterionRow & { titles: string[] })[] {
  const { criteria } = verdict;
  return (['fail', 'undecided'] as const).flatMap((tone) => {
    // An undecided criterion gets a row only if a judge answered it: the headline says why there are no answers.
    const rows = criteria.filter(
      ({ decision, tally }) => decision === tone && (tone === 'fail' || isHeard(tally)),
    );
    const reasonIn = ({ id, title, decision, tally: { pass, fail }, rationale }: CriterionVerdict) => {
      if (decision === 'undecided' && pass > 0 && fail > 0)
        return wordsIn(texts.language).card.judgesSplit({ pass, fail });
      const unread = decision === 'undecided' ? unreadText(id, verdict, evalCase, texts) : null;
      return unread ?? untitled(title, inQuotes(firstSentence(rationale), texts.language));
    };
    return [...groupedBy(rows, reasonIn)].map(([text, group]) => {
      const titles = group.map(({ title }) => title);
      return { tone, text, titles, title: titles.join(' · ') };
    });
  });
}

/** The reason in the first line, and rows for the failed and unchecked criteria that it does not mention. */
function headlineOf(
  verdict: Verdict,
  evalCase: EvalCase,
  texts: CardTexts,
  { hasModel }: CardSetting,
): { reason: string; rows: CriterionRow[] } {
  const { language } = texts;
  const words = wordsIn(language);
  if (needsModel(verdict, texts))
    return { reason: words.card.needsModel({ isConnected: hasModel }), rows: [] };
  if (verdict.preference !== undefined && verdict.decision === 'scored')
    return { reason: backingOf(verdict, language), rows: [] };
  // With a single criterion, the card shows the sides of a tie instead: they say the same in more detail.
  const rows =
    sidesOf(verdict).length > 0 && verdict.criteria.length === 1 ? [] : rowsOf(verdict, evalCase, texts);
  const [first, ...others] = rows.filter(({ tone }) => tone === 'fail');
  if (verdict.decision !== 'fail' || first === undefined)
    return { reason: inQuotes(reasonOf(verdict, language), language), rows };
  // Judges were not asked for reasons, so the row would be empty.
  if (first.text === '')
    return { reason: reasonOf(verdict, language), rows: rows.filter((row) => row !== first) };
  const backersReason = firstSentence(backersOf(verdict)[0]?.rationale ?? null);
  const isSaid = isExact(verdict) || plainKey(backersReason) === plainKey(first.text);
  if (!isSaid) return { reason: backersReason, rows };
  const rest = rows.filter((row) => row !== first);
  // A row would only repeat the reason.
  if (others.length === 0 && first.title === texts.rubric(verdict.rubric)?.title)
    // The footer names the rubric, which has the criterion's name.
    return { reason: first.text, rows: rest };
  if (others.length === 0)
    return first.titles.length === 1
      ? { reason: `${first.title}: ${continued(first.text)}`, rows: rest }
      : { reason: first.text, rows: [{ ...first, text: '' }, ...rest] };
  const titles = [first, ...others].flatMap((row) => row.titles);
  // More than three names would not fit into the first line.
  const reason =
    titles.length > 3
      ? words.verdict.manyFail({ count: titles.length, of: verdict.criteria.length })
      : words.verdict.fail(titles);
  return { reason, rows };
}

/** The judges who decided, and those who disagree or gave no answer. */
function panelPart(verdict: Verdict, texts: CardTexts): CardPart[] {
  const { decision, tally, preference } = verdict;
  const last = decisiveJudgements(verdict);
  const words = wordsIn(texts.language).verdict;
  if (needsModel(verdict, texts)) return [];
  if (preference !== undefined && decision === 'scored') return pairPart(verdict, preference, texts);
  // The headline says who judged.
  if (verdict.fallback !== undefined) return [];
  if (isExact(verdict)) return [{ kind: 'panel', text: words.exactAlone, isExact: true, dissent: null }];
  // The headline says that no judge answered, and why.
  const reasons = new Set(last.map((one) => (isScored(one) ? null : one.reason)));
  if (!last.some(isScored) && (verdict.cancelled || reasons.size <= 1)) return [];
  const nameOf = (judgement: Judgement) => judgeName(judgement, judgesOf(verdict), texts);
  const isDecided = decision === 'pass' || decision === 'fail';
  const against = scoredOf(last).filter((one) => isDecided && one.decision !== decision);
  const silent = last.flatMap((one) => (isScored(one) || one.reason === 'not-relevant' ? [] : [one]));
  return [
    {
      kind: 'panel',
      text: [
        backingOf(verdict, texts.language),
        ...(tally.notAsked > 0 && !verdict.cancelled ? [words.backing.notNeeded(tally.notAsked)] : []),
        ...silent.map((one) => words.backing.silent({ judge: nameOf(one), why: words.silence[one.reason] })),
      ].join(' · '),
      isExact: false,
      dissent: dissentOf(against, verdict, texts),
    },
  ];
}

function scoresOf(verdict: Verdict, { language }: Pick<CardTexts, 'language'>): ScoreRow[] {
  const { criteria, preference } = verdict;
  if (preference !== undefined) return differences(verdict, preference);
  const share = ({ score, scale }: CriterionVerdict): number =>
    score === null || scale === undefined ? 0 : (score - scale.min) / (scale.max - scale.min);
  return criteria
    .filter(({ decision }) => decision === 'scored')
    .sort((a, b) => share(a) - share(b))
    .map(({ title, score, scale, rationale }) => ({
      title,
      score: scoreText(score, scale, language),
      text: firstSentence(rationale),
    }));
}

/** Number and unit stay on one line. */
export const timeText = (ms: number, language: Language): string =>
  ms < 1000 ? `${Math.round(ms)}\u00a0ms` : `${wordsIn(language).verdict.number(ms / 1000)}\u00a0s`;

function usageOf(verdict: Verdict, { language }: Pick<CardTexts, 'language'>): string[] {
  const { calls, rounds, usage, durationMs, reader } = verdict;
  // Exact checks make no call, but a model may have read the paste.
  const isFree = isExact(verdict);
  if (isFree && reader === undefined) return [];
  const words = wordsIn(language).card;
  const cached = allJudgements(verdict)
    .filter((judgement) => judgement.usage.fromCache)
    .reduce((total, { calls: questions = 1 }) => total + questions, reader?.usage.fromCache === true ? 1 : 0);
  return [
    words.calls({ count: isFree ? 1 : calls, rounds, cached }),
    usage.costUsd === null ? words.costUnknown : words.cost(usage.costUsd),
    timeText(durationMs, language),
  ];
}

function footerOf(verdict: Verdict, evalCase: EvalCase, texts: CardTexts, setting: CardSetting): string[] {
  const models = [...new Set(allJudgements(verdict).map(({ judge }) => judge.model.replace(/^[^/]+\//, '')))];
  const turns = evalCase.conversation.filter(({ role }) => role === 'user').length;
  const { askedBy = null, stoppedBy = null } = setting;
  const words = wordsIn(texts.language).card;
  return [
    texts.rubric(verdict.rubric)?.title ?? verdict.rubric,
    ...(turns > 1 ? [words.turn(turns)] : []),
    ...(isExact(verdict) || models.length === 0
      ? []
      : [texts.methodTitle(verdict.method), models.join(', ')]),
    ...(askedBy === null ? [] : [words.askedBy(askedBy)]),
    ...(verdict.cancelled ? [stoppedBy === null ? words.stoppedEarly : words.stoppedBy(stoppedBy)] : []),
  ];
}

function actionsOf(
  verdict: Verdict,
  evalCase: EvalCase,
  texts: CardTexts,
  { hasModel }: CardSetting,
): CardPart {
  const names = answerNamesOf(evalCase);
  const withIt: CardAction[] = verdict.leftOut === undefined ? [] : ['with-it'];
  if (verdict.preference !== undefined) {
    // People say which answer is better, whatever the panel says.
    const buttons: CardAction[] = [
      ...(['prefer-first', 'prefer-second', 'prefer-same'] as const),
      ...withIt,
      'details',
    ];
    if (hasModel && needsModel(verdict, texts)) buttons.unshift('ask-model');
    return { kind: 'actions', names, buttons, menu: [...menuActions] };
  }
  if (verdict.decision !== 'undecided')
    return {
      kind: 'actions',
      names,
      buttons: ['agree', 'disagree', ...withIt, 'details'],
      menu: [...menuActions],
    };
  const isOpen = isExact(verdict) || verdict.judgements.length === 0;
  const buttons: CardAction[] = ['right', ...withIt, 'details'];
  // Judges that gave no answer may give one later.
  const isSilent =
    verdict.fallback !== undefined ||
    (!isOpen && ['unanswered', 'no-quorum'].includes(outcomeOfVerdict(verdict)));
  if (isSilent) buttons.unshift('again');
  if (isOpen && hasModel && !isSilent) buttons.unshift('ask-model');
  if (isOpen && !needsModel(verdict, texts)) buttons.unshift('fill-in');
  return {
    kind: 'actions',
    names,
    buttons,
    menu: menuActions.filter((one) => one !== 'unsure' && !(isSilent && one === 'again')),
  };
}

/** That exact checks stand in for models; why, unless a note says what is wrong with the model. */
function fallbackText({ fallback, trouble }: Verdict, { language }: Pick<CardTexts, 'language'>): string {
  const words = wordsIn(language).verdict;
  if (fallback === undefined) return '';
  return trouble === undefined ? words.fallback[fallback] : words.exactOnly;
}

/** `FAIL`; `PASS, ruled fail` where a ruling says otherwise. */
function labelOf(
  verdict: Verdict,
  { ruling }: CardSetting,
  { language }: Pick<CardTexts, 'language'>,
): string {
  const label = decisionText(verdict, language);
  return ruling === undefined || ruling.tone === verdict.decision
    ? label
    : wordsIn(language).card.overruled({ label, outcome: ruling.outcome });
}

/** What people have ruled, right below what the panel says. */
function rulingPart({ ruling }: CardSetting, { language }: Pick<CardTexts, 'language'>): CardPart[] {
  if (ruling === undefined) return [];
  const words = wordsIn(language).card;
  const { outcome, role, comment } = ruling;
  return [{ kind: 'ruling', ruled: words.ruled(outcome), by: words.ruledBy({ role, comment }) }];
}

/** A verdict's card: the outcome and its reason first, then what fails, what holds, who decided and who disagrees. */
export function cardOf(given: Verdict, evalCase: EvalCase, texts: CardTexts, setting: CardSetting): Card {
  const verdict = verdictIn(given, texts);
  const { fallback } = verdict;
  const { reason, rows } = headlineOf(verdict, evalCase, texts, setting);
  const held = titlesOf(
    verdict.criteria.filter((one) => !isNotAsked(one)),
    'pass',
  );
  const firstOf = sidesOf(verdict).flatMap(({ backers }) => backers.slice(0, 1));
  // Exact checks say the same on every seat.
  const opinions =
    needsModel(verdict, texts) || fallback !== undefined
      ? []
      : opinionsOf(decisiveJudgements(verdict), verdict, texts);
  const notes = notesOf(verdict, evalCase, texts, setting);
  const panel = panelPart(verdict, texts);
  const asks = asksOf(verdict, evalCase, texts);
  const before = rows.filter(({ tone }) => tone === 'undecided').length;
  const headline = [continued(reason), fallbackText(verdict, texts)]
    .filter((part) => part !== '')
    .join(' · ');
  const parts: Card = [
    {
      kind: 'headline',
      // What was ruled is what counts.
      tone: setting.ruling?.tone ?? verdict.decision,
      label: labelOf(verdict, setting, texts),
      reason: headline,
    },
    ...rulingPart(setting, texts),
    { kind: 'request', id: evalCase.id ?? null, text: lastRequest(evalCase) },
    ...(verdict.preference === undefined ? [] : panel),
    { kind: 'criteria', rows },
    { kind: 'held', titles: held },
    { kind: 'scores', scores: scoresOf(verdict, texts) },
    { kind: 'sides', opinions: opinionsOf(firstOf, verdict, texts) },
    ...(verdict.preference === undefined ? panel : []),
    { kind: 'opinions', opinions },
    { kind: 'asks', lines: asks, before },
    { kind: 'notes', lines: notes },
    actionsOf(verdict, evalCase, texts, setting),
    { kind: 'footer', facts: footerOf(verdict, evalCase, texts, setting) },
    { kind: 'usage', facts: usageOf(verdict, texts) },
  ];
  return parts.filter((part) => !Object.values(part).some((one) => Array.isArray(one) && one.length === 0));
}
