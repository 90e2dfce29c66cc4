import * as z from 'zod';
import type { EvalCase } from '../case/index.ts';
import { JuryError } from '../common/index.ts';
import type { Rubric } from '../judging/standards/index.ts';
import { noDrives, type Router } from './driving-routes.ts';
import { domainIn, generate, loadDomain, readDataFile, type UserCases } from './generate.ts';
import { CallDomain, generateCallUser } from './generate-calls.ts';

/** What cases are generated with. */
interface GeneratorParts {
  rubric: Rubric;
  /** Schema that cases must satisfy. */
  schema: z.ZodType<EvalCase>;
  /** Opened only if there are drives. */
  router: () => Router;
}

/** Which of a domain's requests are generated. */
interface GeneratorWishes {
  /** Default: as the domain has them. */
  language?: string | undefined;
  /** How many turns users take. Default: 1. */
  turns?: number | undefined;
}

/** Generates the cases of users 1 to `users`, in order. */
export interface Generator {
  /** The id of the rubric that judges the cases. */
  rubric: string;
  generate: (parts: GeneratorParts, seed: number, users: number) => Promise<UserCases[]>;
  /** Where drive times come from; null if there are no drives. */
  basis: (parts: Pick<GeneratorParts, 'router'>) => string | null;
}

/**
 * Opens the generator of a file in `prompts/datasets/`: of calls of tools if it has tasks, else of recommended places.
 * @throws JuryError `usage` for an unknown ID, `bad-file` for an invalid file
 */
export function openGenerator(
  folders: readonly string[],
  id: string,
  { language, turns = 1 }: GeneratorWishes = {},
): Generator {
  const { tasks } = readDataFile(
    folders,
    'datasets',
    'domain',
    id,
    z.looseObject({ tasks: z.unknown().optional() }),
  );
  if (tasks !== undefined) {
    const domain = readDataFile(folders, 'datasets', 'domain', id, CallDomain);
    if (turns > 1) throw new JuryError('usage', `${id} has no conversations of ${turns} turns.`);
    return {
      rubric: domain.rubric,
      generate: async ({ schema }, seed, users) =>
        Array.from({ length: users }, (_none, index) =>
          generateCallUser(domain, schema, seed, index + 1, language),
        ),
      basis: () => null,
    };
  }
  const loaded = loadDomain(folders, domainIn(folders, id, language));
  const drives = loaded.domain.dimensions.some(({ kind }) => kind === 'drive');
  return {
    rubric: loaded.domain.rubric,
    generate: ({ rubric, schema, router }, seed, users) =>
      generate({ ...loaded, rubric, schema, turns, router: drives ? router() : noDrives }, seed, users),
    basis: ({ router }) => (drives ? router().basis : null),
  };
}
