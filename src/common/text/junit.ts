import { groupedBy } from '../index.ts';
import { plainLine, plainText } from './text.ts';

/** A test case in a JUnit file. It passed unless it has a problem; one that is skipped counts as neither. */
export interface JunitCase {
  suite: string;
  name: string;
  seconds: number;
  /** Where it is written. */
  at?: { file: string; line: number | null } | null;
  problem?: { kind: 'failure' | 'error' | 'skipped'; type: string; message: string; details?: string };
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string =>
  text.toWellFormed().replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? '');

/** XML does not allow control characters, even escaped ones. */
const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(plainLine(String(value)))}"`)
    .join('');

function countsOf(cases: readonly JunitCase[]) {
  const number = (kind: string) => cases.filter(({ problem }) => problem?.kind === kind).length;
  return {
    tests: cases.length,
    failures: number('failure'),
    errors: number('error'),
    skipped: number('skipped'),
  };
}

/**
 * A JUnit file for CI systems (Jenkins' junit-10 schema), with one test suite per `suite` in order of appearance.
 * @param timestamp ISO 8601
 * @param prefix prefix of the class names
 */
export function junitText(
  name: string,
  timestamp: string,
  cases: readonly JunitCase[],
  prefix = name,
): string {
  const lines = [...groupedBy(cases, ({ suite }) => suite)].map(([suite, suiteCases]) => {
    const seconds = suiteCases.reduce((sum, one) => sum + one.seconds, 0).toFixed(3);
    const tests = suiteCases.map(({ name: test, seconds: took, problem, at = null }) => {
      const where = at === null ? {} : { file: at.file, ...(at.line === null ? {} : { line: at.line }) };
      const head = `    <testcase${attributes({ name: test, classname: `${prefix}.${suite}`, time: took.toFixed(3), ...where })}`;
      if (problem === undefined) return `${head}/>`;
      const { kind, type, message, details } = problem;
      const element = `${kind}${attributes(kind === 'skipped' ? { message } : { type, message })}`;
      return details === undefined
        ? `${head}><${element}/></testcase>`
        : `${head}><${element}>${escaped(plainText(details))}</${kind}></testcase>`;
    });
    const about = {
      name: suite,
      ...countsOf(suiteCases),
      time: seconds,
      timestamp: timestamp.slice(0, 19),
    };
    return `  <testsuite${attributes(about)}>\n${tests.join('\n')}\n  </testsuite>`;
  });
  const { skipped: _, ...counts } = countsOf(cases);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes({ name, ...counts })}>\n${lines.join('\n')}\n</testsuites>\n`;
}
