import type { Parts } from '../parts.ts';
import { type ExitCode, exitCode, type Terminal } from './console.ts';
import { counted } from './plain-text.ts';
import { readPerson } from './read-person.ts';

/** `jury labels forget`: erases what a person voted and annotated. */
export async function forgetCommand(parts: Parts, { out }: Terminal, text: string): Promise<ExitCode> {
  const person = readPerson(text);
  const pseudonym = await parts.pseudonym();
  const gone = await (await parts.store()).forgetVoter(pseudonym(person));
  const said = [
    ...(gone.votes > 0 || gone.annotations === 0 ? [counted(gone.votes, 'vote')] : []),
    ...(gone.annotations > 0 ? [counted(gone.annotations, 'annotation')] : []),
  ];
  out(
    gone.votes + gone.annotations === 0
      ? `No votes of ${text} are kept.`
      : `Erased ${said.join(' and ')} of ${text}.`,
  );
  return exitCode.ok;
}
