import type { EvalCase } from '../../case/case.ts';
import { type AnswerNames, pairOf } from '../../case/pair.ts';
import { groupedBy } from '../../common/collections.ts';
import { JuryError } from '../../common/errors.ts';
import { counted, shortened } from '../../common/text.ts';

/** Problems that are listed at once. */
const MOST_PROBLEMS = 5;
/** Longest name of a build in that of an answer. */
const LONGEST_BUILD = 34;

const asked = ({ conversation }: EvalCase): string =>
  JSON.stringify(conversation.filter(({ role }) => role === 'user').map(({ text }) => text));

/**
 * Answers of two builds to the same requests as pairs: cases with the same id and different values of the tag `build`. A is the build
 * that comes first in the data. Pairs have no label, since a label is about one answer.
 *
 * @throws JuryError `bad-input` that lists cases without exactly one answer of each of two builds
 */
export function pairBuilds(cases: readonly EvalCase[]): EvalCase[] {
  const builds = [...new Set(cases.map(({ tags }) => tags?.build))];
  const [first, second] = builds;
  if (first === undefined || second === undefined || builds.length > 2)
    throw new JuryError(
      'bad-input',
      `To compare builds, every case needs the tag "build", with two values in all; found ${counted(builds.length, 'value')}: ${builds.map((build) => build ?? 'none').join(', ')}. Nothing was judged.`,
    );
  const [a, b] = [`Build ${shortened(first, LONGEST_BUILD)}`, `Build ${shortened(second, LONGEST_BUILD)}`];
  const names: AnswerNames = a === b ? ['A', 'B'] : [a, b];
  const problems: string[] = [];
  const pairs = [...groupedBy(cases, ({ id }) => id ?? '')].flatMap(([id, own]): EvalCase[] => {
    const [one, other, ...more] = [first, second].flatMap((build) =>
      own.filter(({ tags }) => tags?.build === build),
    );
    if (
      id === '' ||
      one === undefined ||
      other === undefined ||
      more.length > 0 ||
      one.tags?.build !== first ||
      other.tags?.build !== second
    )
      problems.push(
        `${id === '' ? 'a case has no id' : `${id} has ${counted(own.length, 'answer')} (${own.map(({ tags }) => tags?.build).join(', ')})`}`,
      );
    else if (asked(one) !== asked(other)) problems.push(`the requests of ${id} differ`);
    else {
      const { label: _, tags, ...pair } = pairOf(one, other, names);
      const { build: _build, ...shared } = tags ?? {};
      return [Object.keys(shared).length === 0 ? pair : { ...pair, tags: shared }];
    }
    return [];
  });
  if (problems.length === 0) return pairs;
  const more = problems.length - MOST_PROBLEMS;
  throw new JuryError(
    'bad-input',
    `To compare builds, each id needs one answer of ${first} and one of ${second}: ${problems.slice(0, MOST_PROBLEMS).join('; ')}${more > 0 ? `; and ${more} more` : ''}. Nothing was judged.`,
  );
}
