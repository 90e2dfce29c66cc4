import { JuryError } from '../../common/index.ts';
import type { Env } from '../../env.ts';
import type { Inspection, Surface, SurfaceSetup } from '../index.ts';
import { consoleAccess, isPerson, kindOf, LOCAL_USER, PAGE } from './ids.ts';

function setup({ settings }: Pick<Env, 'settings'>): SurfaceSetup {
  const access = consoleAccess(settings);
  if (access.kind === 'local')
    return { kind: 'ready', how: 'in the browser, with the link that npx jury open prints' };
  if (access.kind === 'sign-in')
    return { kind: 'ready', how: `at ${access.publicUrl}, for people who sign in at ${access.issuer}` };
  if (settings.JURY_API_TOKENS.size > 0)
    return { kind: 'ready', how: `for programs with a token only; its pages are off: ${access.needs}` };
  return access;
}

const openTo = (issuer: string): string | null =>
  issuer === 'https://accounts.google.com'
    ? 'unless the app at Google is internal, everyone can sign in'
    : null;

/** Checks that the setup lets people in: it tries the key file or the sign-in provider. @throws JuryError `config` */
async function inspect(
  { settings, outgoing }: Env,
  surfaces: readonly Pick<Surface, 'openTo'>[],
): Promise<Inspection> {
  const access = consoleAccess(settings);
  if (access.kind === 'off') {
    if (access.begun) throw new JuryError('config', access.needs);
    return { works: `for programs with a token; its pages are off: ${access.needs}`, lacks: [] };
  }
  if (access.kind === 'local') {
    const { createConsoleKey } = await import('./console-key.ts');
    await createConsoleKey(settings.JURY_DATA_DIR, Date.now).keep();
    return {
      works: 'with the link that npx jury open prints: it asks for a key, not for sign-in',
      lacks: [],
    };
  }
  const { inspectProvider, redirectUri } = await import('./sign-in.ts');
  const { issuer, publicUrl } = access;
  const isKnown = await inspectProvider({ ...access, fetch: outgoing.fetch });
  const works = `at ${publicUrl}, for people who sign in at ${issuer}${isKnown ? ', which knows this client' : ''}; the redirect URI to set there is ${redirectUri(access)}`;
  const open =
    settings.OIDC_EMAIL_DOMAINS.length > 0
      ? []
      : surfaces.flatMap((surface) => surface.openTo?.(issuer, { settings }) ?? []);
  return {
    works,
    lacks: [
      ...(isKnown ? [] : [`${issuer} does not say whether it takes the client's secret: sign in to try it`]),
      ...open.map((who) => `${who}: set OIDC_EMAIL_DOMAINS=example.com`),
    ],
  };
}

/** The console's entry in the list of surfaces. Its libraries are loaded only when it connects. */
export const page: Surface = {
  name: PAGE,
  title: 'Console',
  isUserIdGlobal: true,
  ask: 'paste a conversation',
  digests: 'the console posts none',
  start: 'npm start, then open the link that it prints, or that npx jury open prints',
  idHelp: {
    conversation: `its one conversation is "${PAGE}"`,
    person: `without sign-in everyone is ${LOCAL_USER}; who signs in is oidc:ISSUER:SUBJECT`,
  },
  kindOf,
  isPerson,
  openTo,
  setup,
  inspect,
  posters: async () => ({ digests: null, studies: null, reviews: null, announce: null }),
  connect: async (host) => (await import('./connect-page.ts')).connectPage(host),
};
