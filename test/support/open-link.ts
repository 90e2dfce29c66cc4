import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';

/** The sessions that links have begun, by the ports of their services. */
const sessions = new Map<number, string>();

/** What a browser sends that has opened the link of the service on this port; nothing where there is no link. */
export function sessionOf(port: number): { cookie?: string } {
  const cookie = sessions.get(port);
  return cookie === undefined ? {} : { cookie };
}

/** Opens the link with the key once, as people do. From then on, {@link sessionOf} has the session of it. */
export async function openLink(link: string): Promise<{ cookie: string }> {
  const { port, pathname, search } = new URL(link);
  const cookie = await new Promise<string>((resolve, reject) => {
    const opened = request(
      { host: '127.0.0.1', port, path: pathname + search },
      ({ headers, statusCode }) => {
        const [set = ''] = headers['set-cookie'] ?? [];
        if (statusCode === 303) resolve(set.replace(/;.*/, ''));
        else reject(new Error(`The link was answered with ${statusCode}.`));
      },
    );
    opened.on('error', reject);
    opened.end();
  });
  sessions.set(Number(port), cookie);
  return { cookie };
}

/** What a program on the machine sends to a service with this data folder. */
export const keyIn = (folder: string): { authorization: string } => ({
  authorization: `Bearer ${readFileSync(join(folder, 'console-key'), 'utf8')}`,
});
