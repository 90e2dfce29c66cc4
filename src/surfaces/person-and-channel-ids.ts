import { JuryError } from '../common/index.ts';
import { NAMED, type Person } from '../labels/access/index.ts';
import type { Surface } from './surface.ts';

/** Names of annotators: they must fit into a table and a file. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,39}$/u;

type Surfaces = readonly Surface[];

const helpOf = (surfaces: Surfaces, what: keyof Surface['idHelp']): string =>
  surfaces.map(({ title, idHelp }) => `in ${title}, ${idHelp[what]}`).join('; ');

/**
 * A person as commands take them: a platform's own id, `name:ann`, or surface, team and user with colons between them.
 * @throws JuryError `usage`
 */
export function readPerson(text: string, surfaces: Surfaces): Person {
  const owner = surfaces.find(({ isPerson }) => isPerson(text));
  if (owner !== undefined) return { surface: owner.name, team: '', user: text };
  const [surface = '', team = '', ...rest] = text.split(':');
  if (surface === NAMED && rest.length === 0 && NAME.test(team))
    return { surface, team: '', user: team.normalize('NFC').toLowerCase() };
  const user = rest.join(':');
  const isGlobal = surfaces.some(({ name, isUserIdGlobal }) => name === surface && isUserIdGlobal);
  if (surface !== NAMED && surface !== '' && team !== '' && user !== '')
    return { surface, team: isGlobal ? '' : team, user };
  throw new JuryError(
    'usage',
    `"${text}" is not a person: give a name such as name:ann (letters, digits, dots, hyphens), a user id (${helpOf(surfaces, 'person')}), or surface:team:user.`,
  );
}

/** A person named in a file: an id or a name that commands take, or whatever another tool calls them. */
export function importedPerson(text: string, surfaces: Surfaces): Person {
  for (const form of [text, `${NAMED}:${text}`])
    try {
      return readPerson(form, surfaces);
    } catch (thrown) {
      if (!(thrown instanceof JuryError)) throw thrown;
    }
  return { surface: 'import', team: 'file', user: text };
}

/** The id of the person to notify of problems. @throws JuryError `usage` */
export function requireUser(text: string, surface: Surface): string {
  if (surface.isPerson(text)) return text;
  throw new JuryError(
    'usage',
    `"${text.slice(0, 60)}" is not the id of a person: ${helpOf([surface], 'person')}.`,
  );
}

/**
 * The surface and the id of a conversation as commands take it: a platform's own id.
 * @param direct whether a conversation with a single person will do
 * @throws JuryError `usage`
 */
export function readConversation(
  text: string,
  surfaces: Surfaces,
  direct: boolean,
): { surface: Surface; channel: string } {
  for (const surface of surfaces) {
    const kind = surface.kindOf(text);
    if (kind !== null && (direct || kind !== 'direct')) return { surface, channel: text };
  }
  throw new JuryError(
    'usage',
    `${text === '' ? 'No channel is named' : `"${text.slice(0, 60)}" is not a channel id`}: give one (${helpOf(surfaces, 'conversation')}).`,
  );
}
