import * as z from 'zod';
import type { Env } from '../../env.ts';
import type { Person } from '../../labels/access/index.ts';
import { type Surface, type SurfaceSetup, stillNeeded } from '../index.ts';
import { kindOf, MESSAGES_PATH, TEAMS } from './ids.ts';
import { playgroundProblem } from './playground.ts';

function setup({ settings }: Pick<Env, 'settings'>): SurfaceSetup {
  const { TEAMS_CLIENT_ID, TEAMS_CLIENT_SECRET, TEAMS_TENANT_ID, TEAMS_PLAYGROUND_URL } = settings;
  const problem = playgroundProblem(settings);
  if (problem !== null) return { kind: 'off', needs: problem, begun: true };
  if (TEAMS_PLAYGROUND_URL !== undefined)
    return { kind: 'ready', how: 'for a local playground; jury doctor prints the command that starts it' };
  const needed = { TEAMS_CLIENT_ID, TEAMS_CLIENT_SECRET };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (missing.length === 0) return { kind: 'ready', how: `at ${MESSAGES_PATH}` };
  const set = Object.entries({ ...needed, TEAMS_TENANT_ID }).flatMap(([name, value]) =>
    value === undefined ? [] : [name],
  );
  return { kind: 'off', needs: stillNeeded(set, missing), begun: set.length > 0 };
}

const SignedIn = z.object({ tid: z.guid(), oid: z.guid() });

/** The person Entra ID signed in; null unless the issuer belongs to the tenant in the claims. */
async function identify(issuer: string, claims: object): Promise<Person | null> {
  const [, tenant] =
    /^https:\/\/login\.(?:microsoftonline\.(?:com|us)|partner\.microsoftonline\.cn)\/([\w-]+)\/v2\.0$/.exec(
      issuer,
    ) ?? [];
  const { tid, oid } = SignedIn.safeParse(claims).data ?? {};
  return tenant === undefined || tid !== tenant || oid === undefined
    ? null
    : { surface: TEAMS, team: tid, user: oid };
}

/** The Teams surface. Its libraries are imported only when they are needed. */
export const teams: Surface = {
  name: TEAMS,
  title: 'Teams',
  isUserIdGlobal: false,
  ask: 'mention Jury with a paste, or write to it',
  digests: 'mention Jury with “digest” in a channel',
  start:
    'make an app package with jury teams package, then TEAMS_CLIENT_ID=… TEAMS_CLIENT_SECRET=… npm start',
  idHelp: {
    conversation:
      'the link to a channel contains it, such as 19:…@thread.tacv2; "digest schedule" in the channel needs none',
    person: 'give teams:TENANT:OBJECT-ID, both as Entra ID shows them',
  },
  kindOf,
  isPerson: () => false,
  identify,
  setup,
  inspect: async (env) => (await import('./app-package.ts')).inspectTeams(env),
  posters: async (parts) => {
    const state = setup(parts.env);
    if (state.kind === 'off') return { needs: state.needs };
    return (await import('./connect.ts')).teamsPosters(parts);
  },
  connect: async (host) => (await import('./connect.ts')).connectTeams(host),
};
