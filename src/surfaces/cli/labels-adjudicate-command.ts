import { JuryError } from '../../common/errors.ts';
import { keepRuling, type Ruling, rulingOn } from '../../labels/adjudicate.ts';
import { labelOf, usualRule, type Voted } from '../../labels/label.ts';
import { labelText } from '../../labels/label-text.ts';
import { readVoted } from '../../labels/read-voted.ts';
import type { Parts } from '../parts.ts';
import { type ExitCode, exitCode, type Terminal } from './console.ts';
import { labelJson } from './label-json.ts';
import { jsonLine, plainText } from './plain-text.ts';
import { renderCard } from './render-card.ts';

const labelNow = (voted: Voted): string => labelText(labelOf(voted, null, usualRule));

/** `jury labels adjudicate`: a ruling by a named role, which stands above all votes. */
export async function labelsAdjudicateCommand(
  parts: Parts,
  { out, screen }: Terminal,
  id: string,
  told: Ruling,
  { json }: { json: boolean },
): Promise<ExitCode> {
  const store = await parts.store();
  const before = await readVoted(store, id);
  const { verdict } = before.record;
  const made = rulingOn(before.record, parts.library.rubrics.get(verdict.rubric), told, parts.now());
  if ('problem' in made) throw new JuryError('usage', `Verdict ${id}: ${made.problem}. Nothing was changed.`);
  const kept = await keepRuling(store, made.ruling, before.adjudication);
  if ('problem' in kept) throw new JuryError('usage', `Verdict ${id}: ${kept.problem}. Nothing was changed.`);
  const { ruled } = kept;
  const after = await readVoted(store, id);
  if (json) {
    out(jsonLine({ ruled, ...labelJson({ voted: after, label: labelOf(after, null, usualRule) }) }));
    return exitCode.ok;
  }
  const { decision, why, caseId, rubric, method } = verdict;
  const title = `${caseId} (${rubric} by ${method})`;
  out(renderCard(screen, [{ kind: 'headline', tone: decision, label: decision.toUpperCase(), title, why }]));
  out(plainText(`  label before: ${labelNow(before)}`));
  out(
    plainText(
      ruled === 'unchanged'
        ? '  The same ruling stood already; nothing was changed.'
        : `  label now:    ${labelNow(after)}`,
    ),
  );
  return exitCode.ok;
}
