import { JuryError } from '../../common/errors.ts';
import type { PromotionWish } from '../../labels/corrected-exemplar.ts';
import type { ExemplarFinding } from '../../labels/corrected-findings.ts';

const FORM = /^([a-z0-9-]+)=([^:\s]+)\s*:\s*(\S[\s\S]*)$/;

/**
 * Reads findings on single criteria, `time=fail: It closes at 18:00.`
 * @throws JuryError `usage` for what is no finding
 */
export function readFindings(texts: readonly string[]): PromotionWish['findings'] {
  return new Map(texts.map(readFinding));
}

function readFinding(text: string): [string, ExemplarFinding] {
  const [, id = '', found = '', rationale = ''] = FORM.exec(text.trim()) ?? [];
  const reason = { rationale: rationale.trim() };
  if (found === 'pass' || found === 'fail' || found === 'unscored' || found === 'not-relevant')
    return [id, { ...reason, decision: found }];
  const score = Number(found);
  if (id === '' || !Number.isFinite(score))
    throw new JuryError(
      'usage',
      `--finding "${text}": write criterion=finding: why, such as --finding "time=fail: It closes at 18:00." (pass, fail, unscored, not-relevant or a score).`,
    );
  return [id, { ...reason, score }];
}
