import { JuryError } from '../../core/errors.ts';
import type { Person } from '../../core/person.ts';
import type { Parts } from '../../parts.ts';
import { type ExitCode, exitCode, type Terminal } from './console.ts';

/** @throws JuryError `usage` where the text names nobody */
function readPerson(text: string): Person {
  if (/^[UW][A-Z0-9]{2,}$/.test(text)) return { surface: 'slack', team: '', user: text };
  const [surface = '', team = '', ...rest] = text.split(':');
  const user = rest.join(':');
  if (surface !== '' && team !== '' && user !== '') return { surface, team, user };
  throw new JuryError(
    'usage',
    `"${text}" names nobody: give a Slack user id such as U0123ABCD (in Slack: profile, ⋮, Copy member ID), or surface:team:user.`,
  );
}

/** `jury labels forget`: erases what a person voted. */
export async function forgetCommand(parts: Parts, { out }: Terminal, text: string): Promise<ExitCode> {
  const person = readPerson(text);
  const pseudonym = await parts.pseudonym();
  const gone = await (await parts.store()).forgetVoter(pseudonym(person));
  out(
    gone === 0 ? `No votes of ${text} are kept.` : `Erased ${gone} vote${gone === 1 ? '' : 's'} of ${text}.`,
  );
  return exitCode.ok;
}
