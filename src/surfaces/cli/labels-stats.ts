import { JuryError } from '../../common/errors.ts';
import { counted, jsonLine, plainText } from '../../common/text.ts';
import { type AgreementReport, type AgreementWish, readAgreement } from '../../labels/read-agreement.ts';
import type { Parts } from '../parts.ts';
import { agreementText } from './agreement-text.ts';
import { type ExitCode, exitCode, type Terminal } from './terminal.ts';

/** What to do where there is nothing to tell. */
function nothingText(
  { verdicts }: AgreementReport,
  { rubric, channel, since, least }: AgreementWish,
): string {
  const narrowed = [
    ...(rubric === undefined ? [] : [`of the rubric ${rubric}`]),
    ...(channel === undefined ? [] : [`in the channel ${channel}`]),
    ...(since === undefined ? [] : [`since ${since}`]),
  ].join(' ');
  const of = narrowed === '' ? '' : ` ${narrowed}`;
  if (verdicts === 0)
    return `No verdicts${of} are kept. "jury serve" keeps those that are asked for in Slack, where colleagues vote on them.`;
  const enough =
    least === undefined
      ? 'a vote'
      : `${counted(least, 'vote')} that ${least === 1 ? 'agrees or disagrees' : 'agree or disagree'}`;
  return `None of ${counted(verdicts, 'verdict')}${of} has ${enough} to tell from: vote on the cards in Slack; App Home lists those that need it.`;
}

/**
 * `jury labels stats`.
 * @throws JuryError `usage` where nothing is known of the rubric
 */
export async function labelsStatsCommand(
  parts: Parts,
  { out, err, screen }: Terminal,
  wish: AgreementWish,
  json: boolean,
): Promise<ExitCode> {
  const report = await readAgreement(await parts.store(), wish);
  const { rubrics } = parts.library;
  if (wish.rubric !== undefined && report.verdicts === 0 && !rubrics.has(wish.rubric))
    throw new JuryError(
      'usage',
      `There is no rubric "${plainText(wish.rubric)}" and no verdict by it. Rubrics: ${[...rubrics.keys()].join(', ')}.`,
    );
  if (json) out(jsonLine(report));
  else if (report.groups.length === 0) err(plainText(nothingText(report, wish)));
  else out(agreementText(screen, report));
  return exitCode.ok;
}
