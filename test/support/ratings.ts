import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom } from '../../src/statistics/random.ts';

const WORDS = ['No', 'No', 'No', 'Yes', 'Yes', 'Unsure'] as const;

/** Of whom a case is rated by some. */
export const PEOPLE = 173;

/** What each person said of each case, as in a safety study: of 990 cases, 73 people each. */
export const ratingsOf = (cases: number, raters: number): (typeof WORDS)[number][][] =>
  Array.from({ length: cases }, (_, item) => {
    const random = createRandom(72, 'ratings', item);
    const most = 2 + Math.floor(random.fraction() * 5);
    return Array.from({ length: raters }, () => WORDS[Math.floor(random.fraction() * most)] ?? 'No');
  });

/** The rows of a file of ratings, without its first. */
export const ratingRows = (units: readonly (readonly string[])[]): string[] =>
  units.flatMap((own, item) => own.map((said, n) => `c${item},r${(n * 7 + item) % PEOPLE},${said}`));

/** Writes the ratings and the cases that they are of. */
export function writeRatings(cwd: string, units: readonly (readonly string[])[]): void {
  writeFileSync(join(cwd, 'ratings.csv'), `item_id,rater_id,Q_overall\n${ratingRows(units).join('\n')}\n`);
  const cases = units.map((_, item) =>
    JSON.stringify({ id: `c${item}`, conversation: [{ role: 'user', text: `Q ${item}` }], response: 'A' }),
  );
  writeFileSync(join(cwd, 'cases.jsonl'), cases.join('\n'));
}

/** The commands that make the study and import the ratings. */
export const studyOfRatings = (cases: number): string[] =>
  `study create cases.jsonl --annotators name:r0 --cases ${cases} --ask correct -r question-answering`.split(
    ' ',
  );
export const importOfRatings: readonly string[] =
  'study import s1 ratings.csv --map item_id=case --map rater_id=annotator --map Q_overall=correct --map-value Yes=fail,No=pass --add-annotators'.split(
    ' ',
  );
