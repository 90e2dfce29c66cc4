import { type JunitCase, junitText } from '../../common/text/index.ts';
import { type Build, type BuildCase, brokenBy, wrongIn } from './build.ts';
import { caseWords, requestWords } from './build-words.ts';
import type { Check } from './thresholds.ts';

const standing = (value: BuildCase['after'] | null): string =>
  value === null ? 'not compared' : String(value);

/** Everything that is known of a case, a line each. */
const detailsOf = ({ caseId, request, criterion, reason, before, after, label }: BuildCase): string =>
  [
    `Case: ${caseId}`,
    `Request: ${request}`,
    ...(criterion === '' ? [] : [`Criterion: ${criterion}`]),
    `Reason: ${reason}`,
    ...(label === null ? [] : [`Labeled: ${label}`]),
    `Before: ${standing(before)}`,
    `After: ${standing(after)}`,
  ].join('\n');

/**
 * A case is a failure only where it broke the build. One that is wrong within what the thresholds allow, or as before, is skipped with the
 * reason: a file with failures turns builds red or yellow, however many mistakes the thresholds allow.
 */
function testOf(
  build: Build,
  { wrong, broken }: Record<'wrong' | 'broken', ReadonlySet<BuildCase>>,
  one: BuildCase,
): JunitCase {
  const { caseId, setup, turn } = one;
  const test = { suite: setup, name: caseId, seconds: 0, at: build.placeOf(one) };
  if (!wrong.has(one)) return test;
  const kind = broken.has(one) ? ('failure' as const) : ('skipped' as const);
  const message = [requestWords(one), caseWords(one)].filter((part) => part !== '').join(': ');
  return { ...test, problem: { kind, type: turn, message, details: detailsOf(one) } };
}

/** The name of a check. The baseline is another run each time, of the same series. */
const steadyName = ({ baseline }: Build, { metric, name, required: { kind, value } }: Check): string =>
  kind === 'drop' && baseline !== null ? `${metric} no worse than ${baseline.series} by ${value}` : name;

/**
 * A build as a JUnit file: a suite for each configuration, with a test case for each threshold and for each case. Names stay the same from run
 * to run, so that CI systems follow them.
 */
export function junitFile(build: Build): string {
  const { run, series, createdAt, checks, cases, unfinished } = build;
  const name = `jury bench ${run}`;
  if (unfinished !== null) {
    const problem = { kind: 'error' as const, type: 'unfinished', message: unfinished };
    return junitText(
      name,
      createdAt,
      [{ suite: series, name: 'the run is finished', seconds: 0, problem }],
      series,
    );
  }
  const marks = { wrong: new Set(wrongIn(build)), broken: new Set(brokenBy(build)) };
  const thresholds = checks.map(
    (check): JunitCase => ({
      suite: check.setup,
      name: steadyName(build, check),
      seconds: 0,
      ...(check.met ? {} : { problem: { kind: 'failure', type: 'threshold', message: check.text } }),
    }),
  );
  return junitText(
    name,
    createdAt,
    [...thresholds, ...cases.map((one) => testOf(build, marks, one))],
    series,
  );
}
