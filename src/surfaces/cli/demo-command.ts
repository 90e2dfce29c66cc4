import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EvalCase } from '../../case/case.ts';
import { RULES } from '../../judges/rules/rules-judge.ts';
import type { Verdict } from '../../judging/verdict.ts';
import type { Parts } from '../parts.ts';
import { type ExitCode, exitCode, type Terminal } from './console.ts';
import { demoDigest, type Judged } from './demo-digest.ts';
import { judgeCommand } from './judge-command.ts';
import { renderDigest } from './render-digest.ts';

const NEXT = `How to go on
  Your own paste  npx jury judge, paste it, then Ctrl-D; npx jury judge --help shows one to start from
  A real model    OPENAI_API_KEY=… npx jury judge --model openai/gpt-4o-mini FILE (npx jury models lists more)
  Slack           make an app from manifests/slack.json, then SLACK_BOT_TOKEN=… SLACK_APP_TOKEN=… npm start
  Redis           REDIS_URL=redis://… npm start; without it a file in the folder that JURY_DATA_DIR names keeps all`;

/** `jury demo`: judges the sample pastes by exact checks, whatever is configured, and says how to go on. Ends with 0. */
export async function demoCommand(parts: Parts, terminal: Terminal, signal: AbortSignal): Promise<ExitCode> {
  const folder = join(parts.env.promptFolders[0], 'samples', 'navigation');
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .map((name) => join(folder, name));
  const judged: Judged[] = [];
  const onVerdict = (verdict: Verdict, evalCase: EvalCase) => judged.push({ verdict, evalCase });
  const options = { models: [RULES], json: false, concurrency: 6, onVerdict };
  const code = await judgeCommand(parts, terminal, files, options, signal);
  if (code === exitCode.interrupted) return code;
  terminal.out(`\nWhat a channel gets every week (votes and earlier weeks are made up)\n`);
  terminal.out(renderDigest(terminal.screen, await demoDigest(judged, parts.now())));
  terminal.out(`\n${NEXT}`);
  return exitCode.ok;
}
