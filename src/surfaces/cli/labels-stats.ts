import { InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import { JuryError } from '../../common/errors.ts';
import { counted, jsonLine, plainText } from '../../common/text.ts';
import { groupings } from '../../labels/count-groups.ts';
import { type AgreementQuery, type AgreementReport, readAgreement } from '../../labels/read-agreement.ts';
import type { Parts } from '../parts.ts';
import { agreementText } from './agreement-text.ts';
import type { Register } from './command-context.ts';
import { withMinVotes } from './options.ts';
import { type ExitCode, exitCode, type Terminal } from './terminal.ts';

/** What to do where there is nothing to show. */
function nothingText(
  { verdicts }: AgreementReport,
  { rubric, channel, since, minVotes }: AgreementQuery,
): string {
  const narrowed = [
    ...(rubric === undefined ? [] : [`of the rubric ${rubric}`]),
    ...(channel === undefined ? [] : [`in the channel ${channel}`]),
    ...(since === undefined ? [] : [`since ${since}`]),
  ].join(' ');
  const of = narrowed === '' ? '' : ` ${narrowed}`;
  if (verdicts === 0)
    return `No verdicts${of} are kept. "jury serve" keeps those that are asked for in a chat, where colleagues vote on them.`;
  const enough =
    minVotes === undefined
      ? 'a vote'
      : `${counted(minVotes, 'vote')} that ${minVotes === 1 ? 'agrees or disagrees' : 'agree or disagree'}`;
  return `None of ${counted(verdicts, 'verdict')}${of} has ${enough} yet: vote on the cards in the chat, which lists those that need it.`;
}

/**
 * `jury labels stats`.
 * @throws JuryError `usage` where nothing is known of the rubric
 */
async function stats(
  parts: Parts,
  { out, err, screen }: Terminal,
  query: AgreementQuery,
  json: boolean,
): Promise<ExitCode> {
  const report = await readAgreement(await parts.store(), query);
  const { rubrics } = parts.library;
  if (query.rubric !== undefined && report.verdicts === 0 && !rubrics.has(query.rubric))
    throw new JuryError(
      'usage',
      `There is no rubric "${plainText(query.rubric)}" and no verdict by it. Rubrics: ${[...rubrics.keys()].join(', ')}.`,
    );
  if (json) out(jsonLine(report));
  else if (report.groups.length === 0) err(plainText(nothingText(report, query)));
  else out(agreementText(screen, report));
  return exitCode.ok;
}

function day(value: string): string {
  if (z.iso.date().safeParse(value).success) return value;
  throw new InvalidArgumentError('Must be a day such as 2026-11-21.');
}

/** `jury labels stats`. */
export const register: Register = (command, { terminal, withParts }) => {
  command
    .description(
      'Shows how far votes agree with the judges and with each other: percent, kappa, AC1 and alpha, and rank correlations of scores, each with n and a 95 % interval by verdict. No voter is named.',
    )
    .addOption(
      new Option('--by <what>', 'group by; persona and model are about single judges')
        .choices(groupings)
        .default('rubric'),
    )
    .option('--rubric <id>', 'of one rubric only')
    .option('--channel <id>', 'of verdicts given in one channel only')
    .option('--since <day>', 'of verdicts from this day on (UTC), such as 2026-11-21', day)
    .option('--json', 'everything as JSON', false);
  withMinVotes(command, 'minimum number of votes that agree or disagree (default: 1)').action(
    ({ json, ...query }: AgreementQuery & { json: boolean }) =>
      withParts({ cache: false }, (parts) => stats(parts, terminal, query, json)),
  );
};
