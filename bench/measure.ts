import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

/** How often programs run in turn: the argument of the command. */
export const rounds = z.coerce
  .number()
  .int()
  .positive()
  .parse(process.argv[2] ?? 3);

const Hello = z.object({ baseUrl: z.string() });
const Seen = z.object({ requests: z.number(), firstAt: z.number(), spanMs: z.number(), body: z.unknown() });
const Took = z.object({ cpuMs: z.number(), peakMiB: z.number() });

export const bench = (file: string): string => join(import.meta.dirname, file);

/** The model in a process of its own: `double-process.ts`. */
export const startDouble = (...args: number[]): ChildProcess =>
  fork(bench('double-process.ts'), args.map(String), { execArgv: ['--import', 'tsx'] });

const heard = async (double: ChildProcess): Promise<unknown> => (await once(double, 'message'))[0];

/** What it says first: its address. */
export const addressOf = async (double: ChildProcess): Promise<string> =>
  Hello.parse(await heard(double)).baseUrl;

/** What it has seen since it was asked last. */
export async function seen(double: ChildProcess): Promise<z.infer<typeof Seen>> {
  const answer = heard(double);
  double.send('report');
  return Seen.parse(await answer);
}

/** Median of some figures, with the least and the most of them where there are several. */
export function spread(figures: readonly number[], digits: number): string {
  const sorted = figures.toSorted((a, b) => a - b);
  const [least = 0, most = 0] = [sorted[0], sorted.at(-1)];
  const said = median(figures).toFixed(digits);
  return sorted.length > 1 ? `${said} (${least.toFixed(digits)}–${most.toFixed(digits)})` : said;
}

/** The lower one of the two in the middle where there are two. */
export const median = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[(figures.length - 1) >> 1] ?? Number.NaN;

/**
 * Runs one program to its end and reads off what it took: the whole process, start-up and end included.
 *
 * @param env all that it finds in its environment beside the path. What else is set here stays out of it: to read the certificates
 *   of `NODE_EXTRA_CA_CERTS`, for one, takes Node as long as its whole start.
 */
export async function measured(args: readonly string[], env: Readonly<Record<string, string>>) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['--require', bench('report-usage.cjs'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...env },
  });
  const usage = child.stdio[3];
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null || usage === null || usage === undefined || !('read' in usage))
    throw new Error('the child has no pipes');
  const [out, errors, took] = await Promise.all([
    text(stdout),
    text(stderr),
    text(usage),
    once(child, 'close'),
  ]);
  return {
    ...Took.parse(JSON.parse(took)),
    code: child.exitCode,
    out,
    errors,
    /** Milliseconds since the epoch. */
    startedAt: performance.timeOrigin + startedAt,
    wallMs: performance.now() - startedAt,
  };
}

/** How long `node -e 0` takes, in ms: what any command in this language takes at least. */
export async function bareStart(): Promise<number> {
  const startedAt = performance.now();
  await once(
    spawn(process.execPath, ['-e', '0'], { stdio: 'ignore', env: { PATH: process.env.PATH } }),
    'close',
  );
  return performance.now() - startedAt;
}

/** A case like the benchmark's others but for its number. */
export const oneCase = (index: number) => ({
  id: `case-${index}`,
  rubric: 'navigation',
  conversation: [
    { role: 'user', text: `Find me a high-end French restaurant rated at least 4.5 (${index})` },
  ],
  response: 'I recommend Chez Luc, a high-end French restaurant rated 4.6, 1.2 km away.',
  context: {
    date: '2024-03-04',
    time: '20:35',
    location: { latitude: 52.53, longitude: 13.41, description: 'Prenzlauer Berg, Berlin' },
  },
  recommendation: {
    name: 'Chez Luc',
    location: { latitude: 52.54, longitude: 13.42, description: 'Kollwitzkiez, Berlin' },
    cuisine: 'French',
    cost: 'high',
    rating: 4.6,
    openingHours: { monday: '12:00-23:00', tuesday: '12:00-14:30, 18:00-01:00', sunday: 'closed' },
    distanceKm: 1.2,
    durationMin: 6,
  },
});
