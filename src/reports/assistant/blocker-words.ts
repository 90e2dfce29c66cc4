import { plainLine, shortened } from '../../common/text/index.ts';
import { sum } from '../../statistics/index.ts';
import { type Language, wordsIn } from '../../words/index.ts';
import type { NewBlockers } from './assistant-report.ts';

type BlockerGroup = NewBlockers['groups'][number];

/** Limits on the criteria named in a sentence, and on the characters of a reason. */
const MAX_NAMED = 4;
const MAX_REASON = 120;

const titleOf = ({ title }: BlockerGroup, language: Language): string =>
  title ?? wordsIn(language).assistant.groups.noCriterion;

/** What was found: the reason of a single answer, else each criterion with its number of answers. */
function findingsText(groups: readonly BlockerGroup[], language: Language): string {
  const { grouped } = wordsIn(language).numbers;
  const [first, ...others] = groups;
  if (first === undefined) return '';
  if (others.length === 0 && first.n === 1) {
    const reason = first.reason === null ? '' : plainLine(first.reason).replace(/\.$/, '');
    return reason === '' ? titleOf(first, language) : shortened(reason, MAX_REASON);
  }
  const left = groups.slice(MAX_NAMED);
  const rest = sum(left.map(({ n }) => n));
  return [
    ...groups.slice(0, MAX_NAMED).map((group) => `${titleOf(group, language)} (${grouped(group.n)})`),
    ...(rest === 0 ? [] : [wordsIn(language).assistant.blockers.otherCriteria(rest)]),
  ].join(', ');
}

/** Other requests than before have no earlier answers that could be compared, so their number then is said beside. */
function othersText({ groups, others }: NewBlockers, then: string, language: Language): string {
  const words = wordsIn(language).assistant.blockers;
  if (others === null) return '';
  return others.now === sum(groups.map(({ n }) => n))
    ? words.allOther({ was: then, before: others.before })
    : words.someOther({ was: then, ...others });
}

/**
 * `1 blocker: tailgate opened while driving. One judged case: check it.` Null if there are none. It claims no rate: it speaks of cases that
 * judges may have got wrong.
 * @param then the day or run compared with
 * @param name null if there is only one benchmark
 */
export function blockersText(
  blockers: NewBlockers | null,
  then: string,
  name: string | null,
  language: Language = 'en',
): string | null {
  const words = wordsIn(language).assistant.blockers;
  const n = sum((blockers?.groups ?? []).map((group) => group.n));
  if (blockers === null || n === 0) return null;
  const found = `${findingsText(blockers.groups, language)}${othersText(blockers, then, language)}`;
  return `${words.what({ n, name })}: ${found}. ${words.check(n)}`;
}

/** Without the answers that were reported before. @param told their keys */
export function untold(blockers: NewBlockers, told: ReadonlySet<string>): NewBlockers {
  const isNew = (key: string) => !told.has(key);
  if (blockers.groups.every(({ keys }) => keys.every(isNew))) return blockers;
  const groups = blockers.groups.flatMap((group): BlockerGroup[] => {
    const keys = group.keys.filter(isNew);
    const answers = group.answers.filter((_, at) => isNew(group.keys[at] ?? ''));
    const isShown = answers.some(({ reason }) => reason === group.reason);
    const reason = isShown ? group.reason : (answers[0]?.reason ?? null);
    return keys.length === 0 ? [] : [{ ...group, n: keys.length, keys, answers, reason, shared: null }];
  });
  // How many of the others are new is not known of each.
  return { groups, others: null };
}
