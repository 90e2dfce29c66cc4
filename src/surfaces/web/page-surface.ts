import type { Env } from '../../env.ts';
import type { Surface, SurfaceSetup } from '../surface.ts';
import { hasPages, isPerson, kindOf, LOCAL_USER, PAGE } from './ids.ts';

function setup({ settings }: Pick<Env, 'settings'>): SurfaceSetup {
  const { JURY_CONSOLE, JURY_API_TOKENS, HOST } = settings;
  if (hasPages(settings)) return { kind: 'ready', how: 'in the browser, on this machine only' };
  if (JURY_API_TOKENS.size > 0)
    return { kind: 'ready', how: 'for programs with a token only; its pages are off here' };
  if (JURY_CONSOLE === 'off') return { kind: 'off', needs: 'JURY_CONSOLE is off', begun: false };
  return {
    kind: 'off',
    needs: `HOST is ${HOST}, where other machines can reach it: set HOST=127.0.0.1, or reach this machine through SSH`,
    begun: false,
  };
}

/** The console, as it is known before its libraries are loaded. */
export const page: Surface = {
  name: PAGE,
  title: 'Console',
  isUserIdGlobal: true,
  ask: 'paste a conversation',
  digests: 'the console posts none',
  start: 'npm start, then open its address in a browser',
  idHelp: {
    conversation: `its one conversation is "${PAGE}"`,
    person: `without sign-in everyone is ${LOCAL_USER}`,
  },
  kindOf,
  isPerson,
  setup,
  inspect: async () => ({ works: 'on this machine, without sign-in', lacks: [] }),
  posters: async () => ({ digests: null, studies: null }),
  connect: async (host) => (await import('./connect-page.ts')).connectPage(host),
};
