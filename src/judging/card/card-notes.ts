import {
  contentOf,
  type EvalCase,
  eitherAnswer,
  fieldOf,
  missingFields,
  noteKind,
} from '../../case/index.ts';
import { groupedBy } from '../../common/index.ts';
import { capital, plainLine } from '../../common/text/index.ts';
import { wordsIn } from '../../words/index.ts';
import { pathsOfCheck } from '../standards/index.ts';
import {
  type CriterionVerdict,
  cutShortText,
  isExact,
  NO_MODEL,
  troubleOf,
  type Verdict,
} from '../verdict/index.ts';
import { type CardSetting, type CardTexts, decisionText, type EarlierOutcome, judgesOf } from './card.ts';

/** Remarks of one kind are joined into a line of at most this many characters. */
const LONGEST_NOTE = 150;

export const titlesOf = (
  criteria: readonly CriterionVerdict[],
  decision: CriterionVerdict['decision'],
): string[] => criteria.filter((criterion) => criterion.decision === decision).map(({ title }) => title);

/** Whether the verdict's rubric leaves nothing to exact checks, and only they were asked. */
export const needsModel = (verdict: Verdict, texts: CardTexts): boolean => {
  const rubric = texts.rubric(verdict.rubric);
  return (
    verdict.decision === 'undecided' &&
    isExact(verdict) &&
    rubric !== undefined &&
    (verdict.preference !== undefined ||
      rubric.decide !== 'all' ||
      rubric.criteria.every(({ check }) => check === undefined))
  );
};

/** Whether a case has data besides the conversation and the response. */
const hasData = ({ conversation: _, response: _r, ...content }: ReturnType<typeof contentOf>): boolean =>
  Object.values(content).some((value) => value !== undefined);

/** The notes on a criterion's fields that were given but could not be read. */
function unreadOf(id: string, { rubric, assumed }: Verdict, evalCase: EvalCase, texts: CardTexts): string[] {
  const criterion = texts.rubric(rubric)?.criteria.find((one) => one.id === id);
  const paths = (criterion?.check ? pathsOfCheck(criterion.check) : []).flatMap(([, all]) => all);
  const lines = [...paths, ...(criterion?.needs ?? [])]
    .filter((path) => fieldOf(evalCase, path) === undefined)
    .flatMap((path) => texts.lineFor(path) ?? []);
  return assumed.filter(
    (note) => noteKind(note) === 'left out' && lines.some((line) => note.endsWith(`“${line}”`)),
  );
}

/** `The rating "very good" could not be read; write one number, such as “Rating: 4.6”`; null where all was read or nothing given. */
export const unreadText = (
  id: string,
  verdict: Verdict,
  evalCase: EvalCase,
  texts: CardTexts,
): string | null =>
  unreadOf(id, verdict, evalCase, texts)[0]?.replace(
    /^[^"]*(".*), not understood(.*“([^:]+): .*)$/,
    (_, value: string, how: string, label: string) =>
      wordsIn(texts.language).card.unread({ label: label.toLowerCase(), value, how }),
  ) ?? null;

/** What to add to the paste: `Not checked: Time – the paste has no date; add "Date: 2026-03-02"`, a line for each reason. */
export function asksOf(verdict: Verdict, evalCase: EvalCase, texts: CardTexts): string[] {
  const words = wordsIn(texts.language).card;
  const criteria = texts.rubric(verdict.rubric)?.criteria ?? [];
  const reasonOfRow = ({ id, rationale }: CriterionVerdict): string => {
    const unread = unreadText(id, verdict, evalCase, texts);
    if (unread !== null) return unread.charAt(0).toLowerCase() + unread.slice(1);
    const criterion = criteria.find((one) => one.id === id);
    const missing = missingFields(eitherAnswer(evalCase), criterion?.needs ?? []);
    if (missing.length > 0 && criterion?.ask !== undefined) return criterion.ask;
    const examples = missing.flatMap((path) => texts.lineFor(path) ?? []);
    if (missing.length === 0 || examples.length < missing.length) return rationale ?? '';
    const names = examples.map((line) => line.split(':')[0]?.toLowerCase() ?? '');
    return words.missing({ names, lines: examples });
  };
  const left = verdict.criteria.filter(({ decision }) => decision === 'not-judged');
  return [...groupedBy(left, reasonOfRow)].map(([reason, rows]) =>
    words.notChecked({ titles: rows.map(({ title }) => title), reason }),
  );
}

const noted = (text: (said: string) => string, texts: readonly string[]): string[] => {
  const all = texts.join(' · ');
  return (all === '' || all.length > LONGEST_NOTE ? texts : [all]).map(text);
};

/** A title as it continues a sentence; names and abbreviations keep their capital. */
const inSentence = (title: string): string =>
  /^\p{Lu}\p{Ll}+(?: \p{Ll}|$)/u.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;

/** `Was: not decided, as question answering`: what the verdict that this one replaces said, and how it was judged differently. */
function earlierText(earlier: EarlierOutcome, verdict: Verdict, texts: CardTexts): string {
  const { language } = texts;
  const words = wordsIn(language);
  const outcome =
    earlier.decision === 'scored'
      ? decisionText(earlier, language)
      : words.verdict.decision[earlier.decision];
  const as = texts.rubric(earlier.rubric)?.title ?? earlier.rubric;
  const now = new Set(judgesOf(verdict).map(({ model }) => model));
  const isSamePanel =
    now.size === new Set(earlier.models).size && earlier.models.every((one) => now.has(one));
  const by = earlier.models.map((model) =>
    model === 'rules' ? words.verdict.exact : model.replace(/^[^/]+\//, ''),
  );
  return words.card.was({
    outcome,
    as: earlier.rubric === verdict.rubric ? null : language === 'en' ? inSentence(as) : as,
    by: isSamePanel ? [] : by,
  });
}

/** What was left out or assumed, and other remarks on how a case was judged, a line each. */
export function notesOf(
  verdict: Verdict,
  evalCase: EvalCase,
  texts: CardTexts,
  { hasModel, earlier, isOperator = false }: CardSetting,
): string[] {
  const words = wordsIn(texts.language).card;
  const aside = titlesOf(verdict.criteria, 'not-relevant');
  // Missing fields are reported with the criterion that was left out because of them.
  const assumed = verdict.assumed.filter((one) => noteKind(one) === 'assumed');
  const unread = verdict.criteria
    .filter(({ decision }) => decision === 'undecided' || decision === 'not-judged')
    .flatMap(({ id }) => unreadOf(id, verdict, evalCase, texts));
  const ignored = verdict.assumed
    .filter((one) => noteKind(one) === 'left out' && !unread.includes(one))
    .map((one) => one.replace(/^[^:]*: /, ''));
  const cut = cutShortText(verdict, texts.language);
  const trouble = troubleOf(verdict);
  return [
    ...(trouble === null ? [] : [wordsIn(texts.language).verdict.trouble[trouble]]),
    ...(earlier === undefined ? [] : [earlierText(earlier, verdict, texts)]),
    ...(verdict.leftOut === undefined ? [] : [words.leftOut(plainLine(verdict.leftOut))]),
    ...(needsModel(verdict, texts) && !hasModel
      ? [
          isOperator ? words.connectModel : words.askAdmin,
          ...(hasData(contentOf(evalCase)) ? [] : [words.dataHint]),
        ]
      : []),
    ...(cut === '' ? [] : [capital(cut)]),
    ...(isExact(verdict) ? new Set(verdict.judgements.flatMap(({ caveat }) => caveat ?? [])) : []),
    ...(aside.length === 0 ? [] : [words.notRelevant(aside)]),
    ...noted(words.ignored, ignored),
    ...noted(words.assumed, assumed),
    // The footer names the rubric; the details say why it was chosen, and what else is about an id.
    ...verdict.remarks.filter(
      (remark) =>
        !remark.startsWith(`rubric ${verdict.rubric} `) &&
        (isOperator || !(remark.startsWith(`method ${verdict.method} `) || remark.startsWith(NO_MODEL))),
    ),
  ];
}
