import * as z from 'zod';

/** A person, by the platform's own ids; `team` is empty where users have one id in every team. */
export const Person = z.strictObject({ surface: z.string(), team: z.string(), user: z.string() });
export type Person = z.infer<typeof Person>;

/** A stable name for a person in votes, from which the person cannot be identified without the secret. */
export type Pseudonym = (person: Person) => string;

/** The surface of people who have a name instead of a platform's id. */
export const NAMED = 'name';

/** A person as commands take them: `U0123ABCD`, `name:ann`, or surface, team and user. */
export const personText = ({ surface, team, user }: Person): string =>
  surface === NAMED ? `${NAMED}:${user}` : team === '' ? user : `${surface}:${team}:${user}`;
