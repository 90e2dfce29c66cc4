/** Somebody on a platform, by the platform's own ids. */
export interface Person {
  surface: string;
  team: string;
  user: string;
}

/** Names a person in votes so that the same person has the same name, and nobody can tell who it is without the secret. */
export type Pseudonym = (person: Person) => string;
