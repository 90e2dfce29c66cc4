import { capital, counted, grouped, plainLine, shortened } from '../../common/text/index.ts';
import type { AssistantReport } from './assistant-report.ts';
import { between, units } from './assistant-words.ts';
import { LEAST } from './slices.ts';

type Slices = NonNullable<AssistantReport['slices']>;
type Slice = Slices['values'][number];

/** Limits on the values named in a sentence, and on the characters of each. */
const MAX_NAMED = 3;
const MAX_VALUE = 40;

/** The English name of a language by its code, such as `de` or `pt-BR`; null if it is not a code. */
function languageName(code: string): string | null {
  if (!/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(code)) return null;
  return new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(code) ?? null;
}

function nameOf({ value, values }: Slice, tag: string): string {
  if (values === 0) return `without ${tag}`;
  if (value === null) return counted(values, 'other value');
  const text = shortened(plainLine(value), MAX_VALUE);
  return tag === 'language' ? (languageName(value) ?? text) : text;
}

function rateText({ rate: { measure }, decided }: Slice, kind: AssistantReport['rate']['kind']): string {
  if (!measure.defined) return '–';
  const { plain } = units[kind];
  return kind === 'pass'
    ? `${plain(measure.value)} % of ${grouped(decided)}`
    : `${plain(measure.value)} on average of ${grouped(decided)}`;
}

/**
 * The values that got worse: `German got worse: 71 % of 80`. Null if none did.
 * @param name the benchmark; null if there is only one
 */
export function slicesText(
  { slices, rate }: Pick<AssistantReport, 'slices' | 'rate'>,
  name: string | null,
): string | null {
  const worse = (slices?.values ?? []).filter(({ isWorse }) => isWorse);
  const [first, ...others] = worse;
  if (slices === null || first === undefined) return null;
  const named = (slice: Slice) => `${slice.values === 0 ? 'answers ' : ''}${nameOf(slice, slices.tag)}`;
  const where = name === null ? '' : ` in ${name}`;
  if (others.length === 0) return `${named(first)} got worse${where}: ${rateText(first, rate.kind)}`;
  const left = worse.length - MAX_NAMED;
  const all = [
    ...worse.slice(0, MAX_NAMED).map((slice) => `${named(slice)} (${rateText(slice, rate.kind)})`),
    ...(left > 0 ? [counted(left, 'more value')] : []),
  ];
  return `${all.slice(0, -1).join(', ')} and ${all.at(-1)} got worse${where}`;
}

const changeText = ({ difference, isWorse }: Slice, kind: AssistantReport['rate']['kind']): string => {
  if (difference === null) return '–';
  const { points } = units[kind];
  const limits = between(difference.interval, (limit) => points(limit, true), ' to ');
  return `${points(difference.value, true)} (${limits})${isWorse ? ', worse' : ''}`;
};

/**
 * A table of the answers by value, and what to know of it. Null without a tag.
 * @param then the day compared with; null: there is no earlier run
 */
export function slicesTable({ slices, rate: { kind } }: AssistantReport, then: string | null) {
  if (slices === null) return null;
  const { tag, values } = slices;
  if (values.every((slice) => slice.values === 0))
    return { title: '', columns: [], rows: [], note: `No answer has the tag “${plainLine(tag)}”.` };
  const { plain } = units[kind];
  const isPass = kind === 'pass';
  const since = then === null ? [] : [`${isPass ? 'Points since' : 'Since'} ${then}`];
  const isFew = values.some(({ difference }) => difference === null) || values.some((one) => one.values > 1);
  return {
    title: `By ${plainLine(tag)}`,
    columns: [capital(plainLine(tag)), 'Answers', isPass ? 'Pass' : 'Mean score', '95 % interval', ...since],
    rows: values.map((slice) => {
      const { measure, interval } = slice.rate;
      return [
        capital(nameOf(slice, tag)),
        grouped(slice.decided),
        measure.defined ? `${plain(measure.value)}${isPass ? ' %' : ''}` : '–',
        interval.defined ? `${plain(interval.low)}–${plain(interval.high)}` : '–',
        ...(then === null ? [] : [changeText(slice, kind)]),
      ];
    }),
    note: [
      ...(then === null
        ? []
        : [
            `“Worse” allows for looking at all values of ${plainLine(tag)} at once: if none changed, at most 1 of 20 such tables calls one worse.`,
          ]),
      ...(isFew
        ? [`Values with fewer than ${LEAST} answers are counted together, and compared from ${LEAST} on.`]
        : []),
    ].join(' '),
  };
}
