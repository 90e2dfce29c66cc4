import { capital, plainLine, shortened } from '../../common/text/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
import type { AssistantReport } from './assistant-report.ts';
import { between, unitOf } from './assistant-words.ts';
import { LEAST } from './slices.ts';

type Slices = NonNullable<AssistantReport['slices']>;
type Slice = Slices['values'][number];

/** Limits on the values named in a sentence, and on the characters of each. */
const MAX_NAMED = 3;
const MAX_VALUE = 40;

/** The name of a language by its code, such as `de` or `pt-BR`; null if it is not a code. */
function languageName(code: string, language: Language): string | null {
  if (!/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(code)) return null;
  return new Intl.DisplayNames([language], { type: 'language', fallback: 'none' }).of(code) ?? null;
}

function nameOf({ value, values }: Slice, tag: string, language: Language): string {
  const words = wordsIn(language).assistant.slices;
  if (values === 0) return words.without(tag);
  if (value === null) return words.otherValues(values);
  const text = shortened(plainLine(value), MAX_VALUE);
  return tag === 'language' ? (languageName(value, language) ?? text) : text;
}

function rateText(
  { rate: { measure }, decided: of }: Slice,
  kind: AssistantReport['rate']['kind'],
  language: Language,
): string {
  const words = wordsIn(language).assistant.slices;
  if (!measure.defined) return '–';
  const rate = unitOf(kind, language).plain(measure.value);
  return kind === 'pass' ? words.passes({ share: rate, of }) : words.scores({ mean: rate, of });
}

/**
 * The values that got worse: `German got worse: 71 % of 80`. Null if none did.
 * @param name the benchmark; null if there is only one
 */
export function slicesText(
  { slices, rate }: Pick<AssistantReport, 'slices' | 'rate'>,
  name: string | null,
  language: Language = 'en',
): string | null {
  const words = wordsIn(language).assistant.slices;
  const worse = (slices?.values ?? []).filter(({ isWorse }) => isWorse);
  const [first, ...others] = worse;
  if (slices === null || first === undefined) return null;
  const named = (slice: Slice) => {
    const own = nameOf(slice, slices.tag, language);
    return slice.values === 0 ? words.answers(own) : own;
  };
  const rateOf = (slice: Slice) => rateText(slice, rate.kind, language);
  if (others.length === 0) return words.oneWorse({ what: named(first), where: name, rate: rateOf(first) });
  const left = worse.length - MAX_NAMED;
  const all = [
    ...worse.slice(0, MAX_NAMED).map((slice) => `${named(slice)} (${rateOf(slice)})`),
    ...(left > 0 ? [words.moreValues(left)] : []),
  ];
  return words.someWorse({ all, where: name });
}

function changeText(
  { difference, isWorse }: Slice,
  kind: AssistantReport['rate']['kind'],
  language: Language,
): string {
  if (difference === null) return '–';
  const { points } = unitOf(kind, language);
  const { numbers, assistant } = wordsIn(language);
  const limits = between(difference.interval, (limit) => points(limit, true), numbers.to, language);
  return `${points(difference.value, true)} (${limits})${isWorse ? assistant.slices.worse : ''}`;
}

/**
 * A table of the answers by value, and what to know of it. Null without a tag.
 * @param then the day compared with; null: there is no earlier run
 */
export function slicesTable(
  { slices, rate: { kind } }: AssistantReport,
  then: string | null,
  language: Language = 'en',
) {
  if (slices === null) return null;
  const words = wordsIn(language).assistant.slices;
  const { tag, values } = slices;
  if (values.every((slice) => slice.values === 0))
    return { title: '', columns: [], rows: [], note: words.noTag(plainLine(tag)) };
  const { plain } = unitOf(kind, language);
  const isPass = kind === 'pass';
  const since = then === null ? [] : [isPass ? words.columns.pointsSince(then) : words.columns.since(then)];
  const isFew = values.some(({ difference }) => difference === null) || values.some((one) => one.values > 1);
  return {
    title: words.title(plainLine(tag)),
    columns: [
      capital(plainLine(tag)),
      words.columns.answers,
      isPass ? words.columns.pass : words.columns.mean,
      words.columns.interval,
      ...since,
    ],
    rows: values.map((slice) => {
      const { measure, interval } = slice.rate;
      return [
        capital(nameOf(slice, tag, language)),
        wordsIn(language).numbers.grouped(slice.decided),
        measure.defined ? `${plain(measure.value)}${isPass ? ' %' : ''}` : '–',
        interval.defined ? `${plain(interval.low)}–${plain(interval.high)}` : '–',
        ...(then === null ? [] : [changeText(slice, kind, language)]),
      ];
    }),
    note: [
      ...(then === null ? [] : [words.worseNote(plainLine(tag))]),
      ...(isFew ? [words.fewNote(LEAST)] : []),
    ].join(' '),
  };
}
