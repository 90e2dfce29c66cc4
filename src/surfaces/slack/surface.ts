import * as z from 'zod';
import { JuryError } from '../../common/index.ts';
import type { Env } from '../../env.ts';
import type { Person } from '../../labels/access/index.ts';
import { type Surface, type SurfaceSetup, stillNeeded } from '../index.ts';
import { EVENTS_PATH, kindOf, SLACK } from './ids.ts';

const USER = /^[UW][A-Z0-9]{2,}$/;

function setup({ settings }: Pick<Env, 'settings'>): SurfaceSetup {
  const { SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_SIGNING_SECRET } = settings;
  if (SLACK_BOT_TOKEN === undefined) {
    const rest = Object.entries({ SLACK_APP_TOKEN, SLACK_SIGNING_SECRET });
    const set = rest.flatMap(([name, value]) => (value === undefined ? [] : [name]));
    return {
      kind: 'off',
      needs:
        set.length > 0
          ? stillNeeded(set, ['SLACK_BOT_TOKEN'])
          : 'set SLACK_BOT_TOKEN, and SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP)',
      begun: set.length > 0,
    };
  }
  if (SLACK_APP_TOKEN !== undefined) return { kind: 'ready', how: 'in Socket Mode' };
  if (SLACK_SIGNING_SECRET !== undefined) return { kind: 'ready', how: `over signed HTTP at ${EVENTS_PATH}` };
  return {
    kind: 'off',
    needs: 'SLACK_BOT_TOKEN is set; set SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP) too',
    begun: true,
  };
}

const SignedIn = z.object({
  'https://slack.com/user_id': z.string().regex(USER),
  'https://slack.com/team_id': z.string(),
});

const ISSUER = 'https://slack.com';

/**
 * The person Slack signed in; null for any other issuer, including GovSlack. A distributed app can sign in people from every
 * workspace, so the team must be the bot's if there is a bot token.
 * @throws JuryError `usage` for people of another workspace
 */
async function identify(issuer: string, claims: object, { settings, outgoing }: Env): Promise<Person | null> {
  if (issuer !== ISSUER) return null;
  const signedIn = SignedIn.safeParse(claims).data;
  const { SLACK_BOT_TOKEN: token, SLACK_API_URL: apiUrl } = settings;
  if (token !== undefined) {
    const { createSlackClients, identify: identifyBot } = await import('./clients.ts');
    const { once } = createSlackClients(token, apiUrl, null, outgoing.fetch);
    const { team, workspaceUrl } = await identifyBot(once);
    if (signedIn?.['https://slack.com/team_id'] !== team)
      throw new JuryError('usage', `Jury is for people of ${workspaceUrl}: sign in to that workspace`);
  }
  const user = signedIn?.['https://slack.com/user_id'];
  return user === undefined ? null : { surface: SLACK, team: '', user };
}

/** The Slack surface. Slack's libraries are imported only when they are needed. */
export const slack: Surface = {
  name: SLACK,
  title: 'Slack',
  // In a channel shared by two workspaces, a person has one user id but may appear under either team, and would be counted twice.
  isUserIdGlobal: true,
  ask: 'mention @Jury with a paste, write to it, or type /jury',
  digests: 'type /jury digest in a channel',
  start: 'make an app from manifests/slack.json, then SLACK_BOT_TOKEN=… SLACK_APP_TOKEN=… npm start',
  idHelp: {
    conversation:
      'it is at the end of the channel\'s details, such as C0123ABCD; "/jury digest schedule" in the channel needs none',
    person: 'Copy member ID in the ⋮ menu of the profile gives it, such as U0123ABCD',
  },
  marksRequests: true,
  kindOf: (id) => (/^[CGD][A-Z0-9]{2,}$/.test(id) ? kindOf(id) : null),
  isPerson: (id) => USER.test(id),
  identify,
  openTo: (issuer, { settings: { SLACK_BOT_TOKEN } }) =>
    issuer === ISSUER && SLACK_BOT_TOKEN === undefined
      ? 'SLACK_BOT_TOKEN is not set, so people of other workspaces can sign in if the Slack app is distributed'
      : null,
  setup,
  inspect: async ({ settings, outgoing }) => {
    const { inspectSlack } = await import('./clients.ts');
    const { SLACK_BOT_TOKEN = '', SLACK_APP_TOKEN, SLACK_API_URL } = settings;
    return inspectSlack(SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_API_URL, outgoing.fetch);
  },
  posters: async ({ env, store }) => {
    const { SLACK_BOT_TOKEN: token, SLACK_API_URL: apiUrl } = env.settings;
    if (token === undefined) return { needs: 'set SLACK_BOT_TOKEN' };
    const [
      { createLanguages },
      { createSlackClients },
      { createLocales },
      { createSlackAnnouncer, createSlackDigestPoster },
      { createSlackReviewPoster },
      { createSlackStudyPoster },
    ] = await Promise.all([
      import('../chat/index.ts'),
      import('./clients.ts'),
      import('./members.ts'),
      import('./digests.ts'),
      import('./reviews.ts'),
      import('./studies.ts'),
    ]);
    const clients = createSlackClients(token, apiUrl, null, env.outgoing.fetch);
    const languages = createLanguages({ store: await store() }, createLocales(clients.once, Date.now));
    return {
      digests: createSlackDigestPoster(clients, languages),
      studies: createSlackStudyPoster(clients),
      reviews: createSlackReviewPoster(clients),
      announce: createSlackAnnouncer(clients, languages),
    };
  },
  connect: async (host) => (await import('./connect.ts')).connectSlack(host),
};
