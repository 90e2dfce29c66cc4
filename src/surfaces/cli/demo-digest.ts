import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EvalCase } from '../../core/case.ts';
import type { Digest } from '../../core/digest.ts';
import { subjectsOf } from '../../core/subject.ts';
import type { Verdict } from '../../core/verdict.ts';
import { gatherDigest } from '../../flows/gather-digest.ts';
import { previewDigest, unscheduled } from '../../flows/preview-digest.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';

export interface Judged {
  verdict: Verdict;
  evalCase: EvalCase;
}

const CHANNEL = 'demo';
const VOTERS = ['ann', 'ben', 'cem'] as const;

/** The digest of some verdicts on which three people voted: all agree, but for one on every third. Kept nowhere. */
export async function demoDigest(judged: readonly Judged[], at: number): Promise<Digest> {
  const folder = await mkdtemp(join(tmpdir(), 'jury-demo-'));
  const store = await openSqliteStore(join(folder, 'jury.db'));
  try {
    for (const [n, { verdict, evalCase }] of judged.entries()) {
      const verdictId = `demo-${n}`;
      const source = { surface: 'terminal', team: '', channel: CHANNEL, thread: null, message: null };
      await store.saveVerdict({
        id: verdictId,
        at,
        evalCase,
        verdict,
        source,
        subjects: subjectsOf(verdict),
      });
      for (const [voter, name] of VOTERS.entries()) {
        const value = n % VOTERS.length === 0 && voter === 0 ? 'disagree' : 'agree';
        await store.castVote({ verdictId, voter: name, value, surface: 'terminal', at });
      }
    }
    const now = () => at;
    return await previewDigest(
      store,
      (schedule, due, last, outcomes) =>
        gatherDigest({ store, benchmarks: null, now }, schedule, due, last, outcomes),
      unscheduled(CHANNEL, at),
      at,
    );
  } finally {
    await store.close();
    await rm(folder, { recursive: true });
  }
}
