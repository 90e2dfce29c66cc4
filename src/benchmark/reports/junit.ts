import { escaped } from './html/html.ts';
import { type Check, checkText } from './thresholds.ts';

const attribute = (name: string, value: string | number): string => ` ${name}="${escaped(String(value))}"`;

function testcase(check: Check, run: string): string {
  const { metric, least } = check.threshold;
  const head = `    <testcase${attribute('name', `${metric} at least ${least}`)}${attribute('classname', `${run}.${check.setup}`)}${attribute('time', '0.000')}`;
  return check.met
    ? `${head}/>`
    : `${head}><failure${attribute('type', 'threshold')}${attribute('message', checkText(check))}/></testcase>`;
}

/**
 * Thresholds as a JUnit file, as CI systems read it (Jenkins' schema junit-10): a suite is a configuration, a test case is
 * a threshold. Single mistakes are no test cases: judges are expected to make some, and how many are too many is what a
 * threshold says.
 *
 * @param timestamp ISO 8601, of the run
 */
export function junitFile(run: string, timestamp: string, checks: readonly Check[]): string {
  const setups = [...new Set(checks.map(({ setup }) => setup))];
  const failures = (own: readonly Check[]) => own.filter(({ met }) => !met).length;
  const suites = setups.map((setup) => {
    const own = checks.filter((check) => check.setup === setup);
    const counts = `${attribute('tests', own.length)}${attribute('failures', failures(own))}${attribute('errors', 0)}${attribute('skipped', 0)}`;
    return `  <testsuite${attribute('name', setup)}${counts}${attribute('time', '0.000')}${attribute('timestamp', timestamp.slice(0, 19))}>\n${own.map((check) => testcase(check, run)).join('\n')}\n  </testsuite>`;
  });
  const counts = `${attribute('tests', checks.length)}${attribute('failures', failures(checks))}${attribute('errors', 0)}`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${attribute('name', `jury bench ${run}`)}${counts}>\n${suites.join('\n')}\n</testsuites>\n`;
}
