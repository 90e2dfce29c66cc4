import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Store } from '../../src/stores/store.ts';
import { countsOf, recount } from '../support/recount.ts';
import { aRecord } from '../support/store-builders.ts';

const writer = fileURLToPath(new URL('../support/vote-writer.ts', import.meta.url));
const verdicts = 5;

/** A process that votes until it is killed in the middle of it. Resolves to the voters whose votes it saw acknowledged. */
async function voteAndBeKilled(target: readonly string[], name: string, after: number): Promise<string[]> {
  const child = spawn(process.execPath, ['--import', 'tsx', writer, ...target, name, `${verdicts}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (chunk: string) => {
    text += chunk;
    if (text.split('\n').length > after) child.kill('SIGKILL');
  });
  await once(child, 'close');
  // The last line may be cut off.
  return text
    .split('\n')
    .slice(0, -1)
    .map((n) => `${name}${n}`);
}

/** Two processes vote on the same verdicts and are killed: every acknowledged vote is there, and counted once. */
export async function loseNothingWhenKilled(store: Store, target: readonly string[]): Promise<void> {
  for (let n = 0; n < verdicts; n++) await store.saveVerdict(aRecord({ id: `v${n}` }));
  const acknowledged = (
    await Promise.all([voteAndBeKilled(target, 'a', 150), voteAndBeKilled(target, 'b', 300)])
  ).flat();
  const kept = new Set<string>();
  for (let n = 0; n < verdicts; n++) for (const { voter } of await store.votes(`v${n}`)) kept.add(voter);
  expect(acknowledged.length).toBeGreaterThanOrEqual(450);
  expect(acknowledged.filter((voter) => !kept.has(voter))).toEqual([]);
  expect(await countsOf(store)).toEqual(await recount(store));
}
