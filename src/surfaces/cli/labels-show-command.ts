import { type Card, cardOf } from '../../judging/card.ts';
import { labelOf, usualRule, type VerdictLabel, type Voted } from '../../labels/label.ts';
import { labelText, settledText } from '../../labels/label-text.ts';
import { readVoted } from '../../labels/read-voted.ts';
import { rightText } from '../../labels/right.ts';
import { rightOf, type Vote } from '../../labels/vote.ts';
import type { Parts } from '../parts.ts';
import { type ExitCode, exitCode, type Terminal } from './console.ts';
import { labelJson } from './label-json.ts';
import { jsonLine } from './plain-text.ts';
import { renderCard } from './render-card.ts';

/** What one vote adds to its thumb; nobody is named. */
function voteText({ record }: Voted, vote: Vote): string {
  const right = rightOf(vote, record.verdict);
  const { criteria = [], errorType, judges = [], comment } = vote.correction ?? {};
  const parts = [
    ...(right === null ? [] : [`right: ${rightText(right)}`]),
    ...(errorType === undefined ? [] : [`error: ${errorType}`]),
    ...(criteria.length === 0 ? [] : [`wrong about ${criteria.join(', ')}`]),
    ...(judges.length === 0 ? [] : [`wrong judges: ${judges.join(', ')}`]),
  ];
  const said = `${vote.value}${parts.length === 0 ? '' : ` (${parts.join('; ')})`}`;
  return comment === undefined ? said : `${said}: ${comment}`;
}

function labelLines({ votes }: Voted, label: VerdictLabel): string[] {
  const { tally, adjudication, majority, said } = label;
  return [
    `label: ${labelText(label)}`,
    `votes: ${tally.agree} agree, ${tally.disagree} disagree, ${tally.unsure} unsure; ${said.length} of ${votes.length} say what is right`,
    `majority: ${settledText(majority)}`,
    ...(adjudication === null
      ? []
      : [
          `ruled by ${adjudication.role} at ${new Date(adjudication.at).toISOString().slice(0, 16).replace('T', ' ')} UTC${adjudication.comment === undefined ? '' : `: ${adjudication.comment}`}`,
        ]),
  ];
}

/** `jury labels show`: a verdict with all that people said of it, and its label by majority. */
export async function labelsShowCommand(
  parts: Parts,
  { out, screen }: Terminal,
  id: string,
  { json }: { json: boolean },
): Promise<ExitCode> {
  const voted = await readVoted(await parts.store(), id);
  const { record, votes } = voted;
  const label = labelOf(voted, null, usualRule);
  if (json) {
    const corrections = votes.map(({ value, correction }) => ({ value, correction: correction ?? null }));
    out(jsonLine({ ...labelJson({ voted, label }), corrections, record }));
    return exitCode.ok;
  }
  const texts = { personaTitle: (persona: string) => parts.library.personas.get(persona)?.title ?? persona };
  const card: Card = [
    ...cardOf(record.verdict, record.evalCase, texts, record.trust),
    { kind: 'notes', title: 'Label', lines: labelLines(voted, label) },
  ];
  if (votes.length > 0)
    card.push({ kind: 'notes', title: 'What people say', lines: votes.map((vote) => voteText(voted, vote)) });
  out(renderCard(screen, card));
  return exitCode.ok;
}
