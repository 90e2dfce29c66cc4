import { normalQuantile } from './distributions.ts';
import { type Interval, type Measure, measured, unmeasured } from './measure.ts';
import type { Share } from './proportions.ts';

const within = (value: number): number => Math.min(1, Math.max(0, value));

const shareOf = ({ successes, n }: Share): number => successes / n;

/**
 * The true share of right answers behind the share that imperfect judges pass. Rogan and Gladen, American Journal of
 * Epidemiology 107, 1978: (passed + specificity − 1) / (sensitivity + specificity − 1), kept within 0 and 1. Its interval
 * counts the uncertainty of all three shares: Lang and Reiczigel, Preventive Veterinary Medicine 113, 2014.
 *
 * @param passed answers that the judges passed, of those that they decided
 * @param sensitivity of the answers known to be right, those that they passed
 * @param specificity of the answers known to be wrong, those that they failed
 * @returns not defined without enough known answers of both kinds, or for judges that are no better than chance
 */
export function trueShare(
  passed: Share,
  sensitivity: Share,
  specificity: Share,
  level = 0.95,
): { measure: Measure; interval: Interval } {
  const { n } = passed;
  const none = (why: string) => ({ measure: unmeasured(why, n), interval: unmeasured(why, n) });
  if (n === 0) return none('no answer was decided');
  if (sensitivity.n === 0) return none('no answer is known to be right');
  if (specificity.n === 0) return none('no answer is known to be wrong');
  const youden = shareOf(sensitivity) + shareOf(specificity) - 1;
  if (youden <= 0) return none('the judges are no better than chance');
  const z = normalQuantile((1 + level) / 2);
  // As Wilson's and Agresti's intervals do, some made-up answers are added, half of them on either side.
  const padded = ({ successes, n: of }: Share, more: number) => {
    const [all, share] = [of + more, (successes + more / 2) / (of + more)];
    return { share, variance: (share * (1 - share)) / all };
  };
  const [p, se, sp] = [padded(passed, z * z), padded(sensitivity, 2), padded(specificity, 2)];
  const scale = se.share + sp.share - 1;
  if (scale <= 0) return none('too few answers are known to be right or wrong');
  const center = (p.share + sp.share - 1) / scale;
  const shift = 2 * z * z * (center * se.variance - (1 - center) * sp.variance);
  const half =
    (z * Math.sqrt(p.variance + center ** 2 * se.variance + (1 - center) ** 2 * sp.variance)) / scale;
  return {
    measure: measured(within((shareOf(passed) + shareOf(specificity) - 1) / youden), n),
    interval: {
      defined: true,
      n,
      low: within(center + shift - half),
      high: within(center + shift + half),
      level,
    },
  };
}
