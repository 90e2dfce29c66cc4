import * as z from 'zod';
import { JuryError } from '../common/errors.ts';

/** Somebody on a platform, by the platform's own ids. */
export const Person = z.strictObject({ surface: z.string(), team: z.string(), user: z.string() });
export type Person = z.infer<typeof Person>;

/** Names a person in votes so that the same person has the same name, and nobody can tell who it is without the secret. */
export type Pseudonym = (person: Person) => string;

/** The surface of people who have no platform's id but a name that they were given. */
export const NAMED = 'name';

/** A person as commands take them: `U0123ABCD`, `name:ann`, or surface, team and user. */
export const personText = ({ surface, team, user }: Person): string =>
  surface === 'slack' ? user : surface === NAMED ? `${NAMED}:${user}` : `${surface}:${team}:${user}`;

/** Names that annotators are given: what fits into a table and a file. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,39}$/u;

/**
 * Somebody as commands take them: `U0123ABCD` of Slack, `name:ann`, or surface, team and user with colons between them.
 * @throws JuryError `usage` where the text names nobody
 */
export function readPerson(text: string): Person {
  if (/^[UW][A-Z0-9]{2,}$/.test(text)) return { surface: 'slack', team: '', user: text };
  const [surface = '', team = '', ...rest] = text.split(':');
  if (surface === NAMED && rest.length === 0 && NAME.test(team))
    return { surface, team: '', user: team.normalize('NFC').toLowerCase() };
  const user = rest.join(':');
  if (surface !== NAMED && surface !== '' && team !== '' && user !== '') return { surface, team, user };
  throw new JuryError(
    'usage',
    `"${text}" names nobody: give a Slack user id such as U0123ABCD (in Slack: profile, ⋮, Copy member ID), a name such as name:ann (letters, digits, dot, hyphen), or surface:team:user.`,
  );
}
