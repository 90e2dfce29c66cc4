import { agreement } from './agreement.ts';
import { calibration } from './calibration.ts';
import { categories } from './categories.ts';
import { effectiveness } from './classification.ts';
import { criteria } from './criteria.ts';
import { decisions } from './decisions.ts';
import { efficiency } from './efficiency.ts';
import { flips } from './flips.ts';
import { scores } from './scores.ts';

/** Every metric, in the order of JSON, CSV columns and tables. New ones go last, so that the columns of the others keep their places. */
export const metrics = [
  effectiveness,
  categories,
  efficiency,
  agreement,
  flips,
  calibration,
  scores,
  criteria,
  decisions,
] as const;
