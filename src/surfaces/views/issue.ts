import { lastRequest, namedAnswers } from '../../case/index.ts';
import { decisionText } from '../../judging/card/index.ts';
import { reasonOf } from '../../judging/verdict/index.ts';
import { issueLink } from '../../labels/access/index.ts';
import type { VerdictRecord } from '../../labels/record/index.ts';
import { shortLine } from '../wording/index.ts';

/**
 * A link that opens a new issue about a verdict, filled in.
 *
 * @param template the conversation's address for issues
 * @param consoleUrl null if people cannot open the console
 */
export function issueFor(
  { id, evalCase, verdict, source }: Pick<VerdictRecord, 'id' | 'evalCase' | 'verdict' | 'source'>,
  template: string,
  consoleUrl: string | null,
): string {
  const reason = reasonOf(verdict, 'en');
  const link = source.permalink ?? (consoleUrl === null ? null : `${consoleUrl}/verdicts/${id}`);
  return issueLink(template, {
    title: shortLine(`${decisionText(verdict, 'en')}: ${reason}`, 150),
    body: [
      `User: ${lastRequest(evalCase)}`,
      ...namedAnswers(evalCase).map(({ name, text }) => `${name}: ${text}`),
      '',
      reason,
      ...(link === null ? [] : [link]),
    ].join('\n'),
  });
}
