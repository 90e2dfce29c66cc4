import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import * as z from 'zod';
import { JuryError } from '../../common/index.ts';
import type { Env } from '../../env.ts';
import { pathOfSecret, replaceSecret } from '../../stores/index.ts';
import type { CommandAction } from '../terminal/index.ts';
import { createConsoleKey, linkWith } from './console-key.ts';
import { consoleAccess, consoleOrigin } from './ids.ts';

const Options = z.object({ newKey: z.boolean().optional() });

/** The command that opens a page in the desktop's browser; null if no desktop is detected. */
function browserCommand(
  { variable }: Pick<Env, 'variable'>,
  platform: NodeJS.Platform,
): [command: string, ...args: string[]] | null {
  const isSet = (...names: string[]) => names.some((name) => variable(name) !== undefined);
  // Over SSH, a browser would open on the wrong machine.
  if (isSet('SSH_CONNECTION', 'SSH_TTY')) return null;
  if (platform === 'darwin') return ['open'];
  // `start` takes its first quoted argument as the window's title.
  if (platform === 'win32') return ['cmd', '/c', 'start', ''];
  return isSet('DISPLAY', 'WAYLAND_DISPLAY') ? ['xdg-open'] : null;
}

/**
 * Tries to open the link; failures are ignored, since it is also printed. Every account on the machine can read the arguments of a process,
 * so the browser is started with a private file that redirects to the link.
 */
async function openInBrowser(
  [command, ...args]: readonly [string, ...string[]],
  folder: string,
  link: string,
): Promise<void> {
  const page = { folder, name: 'open-console.html', advice: '' };
  const html = `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${link}">
<title>Jury</title>
<p><a href="${link}">Open the console</a></p>
`;
  const isWritten = await replaceSecret(page, html).then(
    () => true,
    () => false,
  );
  if (!isWritten) return;
  const child = spawn(command, [...args, resolve(pathOfSecret(page))], { stdio: 'ignore', detached: true });
  await new Promise<void>((done) => {
    child.once('error', () => done());
    child.once('spawn', () => done());
  });
  child.unref();
}

/** `jury open`: prints the link with the console's key and, on a desktop, opens it. */
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
  if (command !== null) await openInBrowser(command, settings.JURY_DATA_DIR, link);
};
