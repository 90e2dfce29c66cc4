import { JuryError } from '../../common/index.ts';

const NUMBER = String.raw`(-?\d+(?:\.\d+)?)`;
const RANGE = `${NUMBER}(?:-|\\.\\.)${NUMBER}`;
const MAPPING = new RegExp(`^${RANGE}=${RANGE}$`);

/**
 * How overall labels are put on the scale of the judges' scores.
 *
 * @param text `0-100=0-4`: labels from 0 to 100 mean scores from 0 to 4; or nothing
 * @throws JuryError `usage` for anything else, later also for a label beyond its scale
 */
export function readLabelScale(text: string | undefined): ((score: number) => number) | undefined {
  if (text === undefined) return undefined;
  const [, ...ends] = MAPPING.exec(text) ?? [];
  const [from = 0, to = 0, low = 0, high = 0] = ends.map(Number);
  if (from >= to || low >= high)
    throw new JuryError(
      'usage',
      `--label-scale ${text}: Must be the scale of the labels and that of the scores, such as 0-100=0-4.`,
    );
  return (score) => {
    if (score < from || score > to)
      throw new JuryError('usage', `--label-scale ${text}: A label is ${score}, outside ${from} to ${to}.`);
    return low + ((score - from) / (to - from)) * (high - low);
  };
}

/** Number of cases from which labels reveal their scale. */
const MIN_CASES = 5;
/** The highest values of usual scales. Smaller scales cannot be distinguished from 0 to 4. */
const TOPS = [4, 5, 10, 100];

const highest = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);

/**
 * Whether labels are on another scale than scores, such as 0 to 100 beside 0 to 4. Trials do not record their scale, so it is inferred:
 * some label is over twice the top of the scores' scale, or, of several cases, none is over a quarter of the highest score.
 */
export function isOtherScale(scores: readonly number[], labels: readonly number[], cases: number): boolean {
  const [score, label] = [highest(scores), highest(labels)];
  const top = TOPS.find((one) => one >= score) ?? score;
  return label > 2 * top || (cases >= MIN_CASES && score > 1 && 4 * label <= score);
}
