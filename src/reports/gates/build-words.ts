import { counted, grouped, plainLine } from '../../common/text/index.ts';
import { type Build, type BuildCase, brokenBy, turnsOf } from './build.ts';
import type { Check } from './thresholds.ts';

/** A number with as many digits as it takes to show on which side of a limit it is. */
function onItsSide(value: number, limit: number, [fewest, most]: readonly [number, number]): string {
  for (let digits = fewest; digits < most; digits += 1)
    if (Number(value.toFixed(digits)) < limit === value < limit) return value.toFixed(digits);
  return value.toFixed(most);
}

/** `82.5`, or `82` for a whole number. */
const plainNumber = (value: number): string => String(Number(value.toPrecision(6)));

/** Shares are shown in percent; other scores as they are. */
const SHARES: Readonly<Record<string, string>> = { 'pass-rate': 'pass', coverage: 'are decided' };

/** A check as a headline says it: `80.0 % of 240 pass; at least 82.5 % required`. */
function checkWords(check: Check, build: Pick<Build, 'baseline'>): string {
  const { metric, found, required, isByValue, text } = check;
  if (found === null || !isByValue) return text;
  const { kind, value: limit } = required;
  if (kind === 'minimum') {
    const share = SHARES[metric];
    return share === undefined
      ? `${metric} is ${onItsSide(found.value, limit, [3, 12])}; at least ${plainNumber(limit)} required`
      : `${onItsSide(found.value * 100, limit * 100, [1, 10])} % of ${grouped(found.n)} ${share}; at least ${plainNumber(limit * 100)} % required`;
  }
  const isShare = metric === 'pass-rate';
  const [by, allowed] = isShare ? [found.value * 100, limit * 100] : [found.value, limit];
  const unit = isShare ? ' points' : '';
  const amount = onItsSide(-by, allowed, isShare ? [1, 10] : [3, 12]).replace(/^-/, '');
  const change =
    Number(amount) === 0 ? 'the same as' : `${amount}${unit} ${by < 0 ? 'lower than' : 'higher than'}`;
  return `${metric} is ${change} in ${sinceWords(build)}; at most ${plainNumber(allowed)}${unit} lower allowed`;
}

/** What a run is compared with: `main`. */
const sinceWords = ({ baseline }: Pick<Build, 'baseline'>): string => baseline?.series ?? '';

const several = (build: Pick<Build, 'cases'>): boolean =>
  new Set(build.cases.map(({ setup }) => setup)).size > 1;

/** A number of turned cases: `7 newly fail`. */
function turnedWords(cases: readonly BuildCase[], turn: 'now wrong' | 'now right'): string[] {
  const count = (isOwn: (one: BuildCase) => boolean, one: string, many: string) => {
    const n = cases.filter(isOwn).length;
    return n === 0 ? [] : [`${grouped(n)} ${n === 1 ? one : many}`];
  };
  const isLabeled = ({ label }: BuildCase) => label !== null;
  const isScored = ({ after }: BuildCase) => typeof after === 'number';
  const isOwn = (own: BuildCase['after']) => (one: BuildCase) => !isLabeled(one) && one.after === own;
  if (turn === 'now right')
    return [
      ...count(isOwn('pass'), 'newly passes', 'newly pass'),
      ...count(isLabeled, 'newly right', 'newly right'),
      ...count(isScored, 'scores higher', 'score higher'),
    ];
  return [
    ...count(isOwn('fail'), 'newly fails', 'newly fail'),
    ...count(isLabeled, 'newly wrong', 'newly wrong'),
    ...count(isScored, 'scores lower', 'score lower'),
    ...count(
      (one) => isOwn('not decided')(one) || isOwn('no answer')(one),
      'no longer decided',
      'no longer decided',
    ),
  ];
}

/**
 * What turned since the baseline, in words: `7 newly fail, 1 newly passes since main`; empty without a baseline. Of one configuration
 * where several turned: the same answer judged by two is one answer.
 */
function changeWords(build: Build, setup: string | undefined): string {
  if (build.baseline === null) return '';
  const cases = several(build) ? build.cases.filter((one) => one.setup === setup) : build.cases;
  const turns = turnsOf({ ...build, cases });
  const all = [
    ...turnedWords(turns['now wrong'], 'now wrong'),
    ...turnedWords(turns['now right'], 'now right'),
  ];
  return `${all.length === 0 ? 'no case turned' : all.join(', ')} since ${sinceWords(build)}`;
}

/** The outcome of a build in a sentence. */
export function headlineOf(build: Build): string {
  const { passes, checks, unfinished } = build;
  if (unfinished !== null) return `Gate failed: ${unfinished}`;
  const missed = checks.filter(({ met }) => !met);
  const [first, ...others] = passes ? checks : missed;
  const named = first === undefined ? '' : checkWords(first, build);
  const setup = first !== undefined && several(build) ? `${first.setup}: ` : '';
  const more =
    passes || others.length === 0 ? '' : ` (and ${counted(others.length, 'other threshold')} missed)`;
  const change = changeWords(build, first?.setup);
  return plainLine(
    `${passes ? 'Gate passed' : 'Gate failed'}: ${setup}${named}${more}${change === '' ? '' : ` · ${change}`}`,
  );
}

const standingWords = (standing: BuildCase['after']): string =>
  typeof standing === 'number' ? plainNumber(Number(standing.toFixed(2))) : standing;

/** What it was before, and what it is labeled: `was: pass`. */
function asideOf({ before, after, label, turn }: BuildCase): string {
  const was = before === null ? [] : [before === after ? 'as before' : `was: ${standingWords(before)}`];
  if (turn === 'now right') return [`now: ${standingWords(after)}`, ...was].join('; ');
  const found = typeof after === 'number' || after !== 'fail' ? [`now: ${standingWords(after)}`] : [];
  const judged = label === null ? found : [`judged ${standingWords(after)}, labeled ${label}`];
  return [...judged, ...was].join('; ');
}

/** Why a case is named: `Time: closed since 20:00 (was: pass)`. */
export function caseWords(one: BuildCase): string {
  const { criterion, reason } = one;
  const why = [criterion, reason].filter((part) => part !== '').join(': ');
  const aside = asideOf(one);
  return plainLine(`${why}${aside === '' ? '' : ` (${aside})`}`);
}

/** The request in quotation marks, and who judged if several did. */
export const requestWords = ({ request }: BuildCase): string =>
  request === '' ? '' : `“${plainLine(request)}”`;

/** A case as one line of plain text. */
export const caseLine = (build: Build, one: BuildCase): string =>
  plainLine(`${several(build) ? `${one.setup}: ` : ''}${one.caseId} ${requestWords(one)}: ${caseWords(one)}`);

/** Maximum number of cases that a terminal lists. */
const MAX_LINES = 10;

/** A build for a terminal: a line for each case that turned, or broke it. Empty if there is nothing to name. */
export function buildLines(build: Build): string[] {
  const turns = turnsOf(build);
  const broken = brokenBy(build);
  const wrong = turns['now wrong'].length > 0 ? turns['now wrong'] : broken;
  const named = [
    ...wrong.map((one) => ({ one, what: one.turn })),
    ...turns['now right'].map((one) => ({ one, what: one.turn })),
  ];
  const lines = named
    .slice(0, MAX_LINES)
    .map(({ one, what }) => `${what.padEnd(9)}  ${caseLine(build, one)}`);
  const more = named.length - lines.length;
  return [...lines, ...(more > 0 ? [`… ${counted(more, 'other case')}`] : [])];
}
