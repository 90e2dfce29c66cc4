import * as z from 'zod';

/** Somebody on a platform, by the platform's own ids; `team` is empty where users have one id in every team. */
export const Person = z.strictObject({ surface: z.string(), team: z.string(), user: z.string() });
export type Person = z.infer<typeof Person>;

/** Names a person in votes so that the same person has the same name, and nobody can tell who it is without the secret. */
export type Pseudonym = (person: Person) => string;

/** The surface of people who have no platform's id but a name that they were given. */
export const NAMED = 'name';

/** A person as commands take them: `U0123ABCD`, `name:ann`, or surface, team and user. */
export const personText = ({ surface, team, user }: Person): string =>
  surface === NAMED ? `${NAMED}:${user}` : team === '' ? user : `${surface}:${team}:${user}`;
