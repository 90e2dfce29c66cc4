import { spawn } from 'node:child_process';
import * as z from 'zod';
import { JuryError } from '../../common/errors.ts';
import type { Env } from '../../env.ts';
import type { CommandAction } from '../cli/command.ts';
import { createConsoleKey, linkWith } from './console-key.ts';
import { consoleAccess, consoleOrigin } from './ids.ts';

const Options = z.object({ newKey: z.boolean().optional() });

/** The command that opens a link in the desktop's browser; null: there is no desktop, or none that we know of. */
function browserCommand(
  { variable }: Pick<Env, 'variable'>,
  platform: NodeJS.Platform,
): [command: string, ...args: string[]] | null {
  const isSet = (...names: string[]) => names.some((name) => variable(name) !== undefined);
  // The screen of another machine.
  if (isSet('SSH_CONNECTION', 'SSH_TTY')) return null;
  if (platform === 'darwin') return ['open'];
  // To `start`, the first is a title.
  if (platform === 'win32') return ['cmd', '/c', 'start', ''];
  return isSet('DISPLAY', 'WAYLAND_DISPLAY') ? ['xdg-open'] : null;
}

/** Opens a link, if it can: people have it in print, too. */
async function openInBrowser(
  [command, ...args]: readonly [string, ...string[]],
  link: string,
): Promise<void> {
  const child = spawn(command, [...args, link], { stdio: 'ignore', detached: true });
  await new Promise<void>((done) => {
    child.once('error', () => done());
    child.once('spawn', () => done());
  });
  child.unref();
}

/** `jury open`: prints the link with the key of this machine's console. */
export const openConsole: CommandAction = async ({ env: readEnv, out, err }, options) => {
  const { newKey } = Options.parse(options);
  const env = await readEnv();
  const { settings } = env;
  const access = consoleAccess(settings);
  if (access.kind === 'off') throw new JuryError('config', `The console is off: ${access.needs}.`);
  if (access.kind === 'sign-in') {
    err(`There is no key: people sign in at ${access.issuer}.`);
    return out(`${access.publicUrl}/`);
  }
  const key = createConsoleKey(settings.JURY_DATA_DIR, Date.now);
  const text = newKey === true ? await key.replace() : await key.keep();
  const origin = consoleOrigin(settings, settings.PORT);
  const link = linkWith(origin, text);
  out(link);
  const isThere = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(2_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isThere)
    return err(`Nothing answers at ${origin}: start Jury with npm start, with the same PORT as here.`);
  const command = browserCommand(env, process.platform);
  if (command !== null) await openInBrowser(command, link);
};
