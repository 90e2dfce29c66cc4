import { plainLine, plainText } from './text.ts';

/** A test case in a JUnit file. It passed unless it has a problem. */
export interface JunitCase {
  suite: string;
  name: string;
  seconds: number;
  problem?: { kind: 'failure' | 'error'; type: string; message: string; details?: string };
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
  return { tests: cases.length, failures: number('failure'), errors: number('error') };
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
  const lines = [...new Set(cases.map(({ suite }) => suite))].map((suite) => {
    const suiteCases = cases.filter((one) => one.suite === suite);
    const seconds = suiteCases.reduce((sum, one) => sum + one.seconds, 0).toFixed(3);
    const tests = suiteCases.map(({ name: test, seconds: took, problem }) => {
      const head = `    <testcase${attributes({ name: test, classname: `${prefix}.${suite}`, time: took.toFixed(3) })}`;
      if (problem === undefined) return `${head}/>`;
      const { kind, type, message, details } = problem;
      const element = `${kind}${attributes({ type, message })}`;
      return details === undefined
        ? `${head}><${element}/></testcase>`
        : `${head}><${element}>${escaped(plainText(details))}</${kind}></testcase>`;
    });
    const about = {
      name: suite,
      ...countsOf(suiteCases),
      skipped: 0,
      time: seconds,
      timestamp: timestamp.slice(0, 19),
    };
    return `  <testsuite${attributes(about)}>\n${tests.join('\n')}\n  </testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attributes({ name, ...countsOf(cases) })}>\n${lines.join('\n')}\n</testsuites>\n`;
}
