import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EvalCase } from '../../case/index.ts';
import { type Digest, gatherDigest, previewDigest, unscheduled } from '../../digests/index.ts';
import { RULES } from '../../judges/rules/index.ts';
import type { Verdict } from '../../judging/verdict/index.ts';
import { subjectsOf } from '../../labels/record/index.ts';
import type { BenchmarkHistory } from '../../reports/history/index.ts';
import { openSqliteStore } from '../../stores/index.ts';
import { type Parts, personaTitles } from '../index.ts';
import { type CommandContext, type ExitCode, exitCode, renderDigest } from '../terminal/index.ts';
import { judgeFiles } from './judge.ts';

interface Judged {
  verdict: Verdict;
  evalCase: EvalCase;
}

const CHANNEL = 'demo';
const WEEK_MS = 7 * 86_400_000;
const VOTERS = ['ann', 'ben', 'cem'] as const;

/** Whether a voter disagrees: the first does on the first verdict and every third after it, the other two on the last. */
const disagrees = (verdict: number, voter: number, verdicts: number): boolean =>
  (verdict % VOTERS.length === 0 && voter === 0) || (verdict === verdicts - 1 && voter > 0);

/** The samples as a benchmark: what was just judged, after three made-up weeks. The correct sample has the id "right". */
function benchmarkOf(judged: readonly Judged[], at: number): BenchmarkHistory {
  const n = judged.length;
  const isRight = ({ evalCase, verdict }: Judged) =>
    verdict.decision === (evalCase.id === 'right' ? 'pass' : 'fail');
  const correct = judged.filter(isRight).length;
  const rights = [n - 3, n - 2, n - 2, correct].map((right) => Math.max(0, right));
  const runs = rights.map((right, week) => ({
    name: `samples-${week + 1}`,
    at: at - (rights.length - 1 - week) * WEEK_MS,
    correct: right,
    n,
    cases: n,
    costUsd: 0,
  }));
  const before = rights.at(-2) ?? 0;
  const [gained, lost] = [Math.max(0, correct - before), Math.max(0, before - correct)];
  return {
    name: 'samples',
    subject: 'judges',
    runs,
    compared: { against: 'samples-3', gained, lost, n, cases: n, regressions: [] },
  };
}

/** A digest of the verdicts, with made-up votes of three people and made-up earlier weeks. Nothing is kept. */
async function demoDigest(
  judged: readonly Judged[],
  at: number,
  personas: ReadonlyMap<string, string>,
): Promise<Digest> {
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
        const value = disagrees(n, voter, judged.length) ? 'disagree' : 'agree';
        await store.castVote({ verdictId, voter: name, value, surface: 'terminal', at });
      }
    }
    const now = () => at;
    const benchmarks = async () => [benchmarkOf(judged, at)];
    return await previewDigest(
      store,
      (schedule, due, last, outcomes, language) =>
        gatherDigest({ store, benchmarks, now, personas }, schedule, due, last, outcomes, language),
      unscheduled(CHANNEL, at),
      at,
      'en',
    );
  } finally {
    await store.close();
    await rm(folder, { recursive: true });
  }
}

const next = (surfaces: Parts['surfaces']): string => `Next steps
  Your own paste  npx jury judge, paste it, then Ctrl-D; npx jury judge --help shows an example
  A real model    OPENAI_API_KEY=… npx jury judge --model openai/gpt-4o-mini FILE (npx jury models lists more)
${surfaces.map(({ title, start }) => `  ${title.padEnd(15)} ${start}`).join('\n')}
  Redis           REDIS_URL=redis://… npm start; without it a file in the folder that JURY_DATA_DIR names keeps everything`;

/** `jury demo`: judges the sample pastes by exact checks, whatever is configured, and lists next steps. Exits with 0 unless stopped. */
export async function demo(context: CommandContext): Promise<ExitCode> {
  const { out, screen } = context;
  const parts = await context.parts();
  const folder = join(parts.env.promptFolders[0], 'samples', 'navigation');
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .map((name) => join(folder, name));
  const judged: Judged[] = [];
  const onVerdict = (verdict: Verdict, evalCase: EvalCase) => judged.push({ verdict, evalCase });
  const options = { models: [RULES], format: 'cards' as const, opinions: true, concurrency: 6, onVerdict };
  const code = await judgeFiles(context, parts, files, options);
  if (code === exitCode.interrupted) return code;
  out(`\nWhat a channel gets every week (with made-up votes and earlier weeks)\n`);
  out(renderDigest(screen, await demoDigest(judged, parts.now(), personaTitles(parts.library))));
  out(`\n${next(parts.surfaces)}`);
  return exitCode.ok;
}
