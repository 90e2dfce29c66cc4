import { JuryError } from '../../common/index.ts';
import { counted, grouped, jsonLine, plainLine, plainText } from '../../common/text/index.ts';
import { cardTexts } from '../../judging/card/index.ts';
import {
  COMPARISON_NOTE,
  type Comparison,
  casesOf,
  compareRuns,
  comparisonLead,
  differenceRows,
  differenceTitles,
  estimatePower,
  type Flip,
  labeledTexts,
  leftOutTexts,
  type Move,
  nameOfPair,
  type PairReport,
  pointTexts,
  type RunPower,
} from '../../reports/comparison/index.ts';
import { reviewedFor } from '../../reviews/index.ts';
import { type Aim, casesToShow, discordanceOf } from '../../statistics/index.ts';
import { readSide } from '../index.ts';
import {
  type Column,
  type CommandContext,
  type ExitCode,
  exitCode,
  type Screen,
  tableOf,
  wrap,
  writePieces,
} from '../terminal/index.ts';
import { loadReportFile } from '../web/lazy.ts';
import { assistantLines } from './bench.ts';
import { type GateFlags, readGate, readWishes } from './gate.ts';

/** How many flips of one kind a terminal shows. */
const MOST = 10;

const kinds: Record<Flip['kind'], string> = {
  fixed: 'now right',
  broken: 'now wrong',
  other: 'wrong in another way',
  unlabeled: 'different, without a label',
};

/** The first `MOST` items as lines, then how many more there are. */
const firstLines = <T>(items: readonly T[], lineOf: (item: T) => string): string[] => [
  ...items.slice(0, MOST).map((item) => `    ${lineOf(item)}`),
  ...(items.length > MOST ? [`    and ${items.length - MOST} more (--json lists all)`] : []),
];

function flipLines({ colors }: Screen, flips: readonly Flip[], kind: Flip['kind']): string[] {
  const ofKind = flips.filter((flip) => flip.kind === kind);
  if (ofKind.length === 0) return [];
  return [
    `  ${colors.bold(`${grouped(ofKind.length)} ${kinds[kind]}`)}`,
    ...firstLines(
      ofKind,
      ({ caseId, truth, category, first, second }) =>
        `${plainLine(caseId)}: ${first} → ${second}${truth === null ? '' : `, is ${truth}`}${truth === 'fail' && category !== null ? ` (${plainText(category)})` : ''}`,
    ),
  ];
}

/** @param shared how many cases are in both runs */
function moveLines(pair: PairReport, moves: readonly Move[], shared: number): string[] {
  const number = (value: number) => String(Math.round(value * 100) / 100);
  return [
    ...pointTexts(pair, shared).map((text) => `  ${text}`),
    ...firstLines(
      moves,
      ({ caseId, first, second, labelScore }) =>
        `${plainLine(caseId)}: ${number(first)} → ${number(second)}${labelScore === null ? '' : `, is ${number(labelScore)}`}`,
    ),
  ];
}

function pairLines(
  screen: Screen,
  { pair, flips, moves }: Comparison['pairs'][number],
  shared: number,
): string[] {
  const cases = casesOf(pair);
  const head = plainText(nameOfPair(pair));
  const columns = differenceTitles(pair).map(
    (title, at): Column<string[]> => [title, (row) => row[at] ?? ''],
  );
  return [
    screen.colors.bold(`${head} (${counted(cases, 'case')})`),
    ...(cases === 0
      ? ['  No case has been judged by both.']
      : tableOf(screen, differenceRows(pair), columns)),
    ...labeledTexts(pair).map((text) => `  ${text}`),
    ...(['broken', 'fixed', 'other', 'unlabeled'] as const).flatMap((kind) => flipLines(screen, flips, kind)),
    ...moveLines(pair, moves, shared),
    '',
  ];
}

/** The result in a sentence, where it is about the judges. */
function leadLines({ colors, width }: Screen, comparison: Comparison): string[] {
  const lead = comparison.assistant === null ? comparisonLead(comparison) : null;
  if (lead === null) return [];
  const [first = '', ...others] = wrap(plainText(`${lead.claim}${lead.rest}`), width).split('\n');
  return [first.replace(lead.claim, colors.bold(lead.claim)), ...others];
}

function judgesLines(screen: Screen, comparison: Comparison): string[] {
  const { first, second, changes, notes, cases, pairs, assistant } = comparison;
  const shared = counted(cases.shared, 'case');
  return [
    assistant === null
      ? `${screen.colors.bold(`${first} → ${second}`)}: ${shared} in both`
      : `${screen.colors.bold('The judges')}: ${shared} with the same answer in ${first} and ${second}`,
    ...leadLines(screen, comparison),
    ...changes.map((change) => `  changed: ${plainText(change)}`),
    ...notes.map((note) => screen.colors.dim(wrap(note, screen.width))),
    ...leftOutTexts(comparison, MOST).map((one) => `  left out: ${plainText(one)}`),
    '',
    ...pairs.flatMap((pair) => pairLines(screen, pair, cases.shared)),
    screen.colors.dim(wrap(COMPARISON_NOTE, screen.width)),
  ];
}

/** How the assistant changed, then how the judges differ on the answers that are the same in both runs. */
const comparisonText = (screen: Screen, comparison: Comparison): string =>
  [
    ...(comparison.assistant === null ? [] : [...assistantLines(screen, comparison.assistant).slice(1), '']),
    ...(comparison.pairs.length === 0 ? [] : judgesLines(screen, comparison)),
  ].join('\n');

/** `jury bench compare A B`: what changed, with intervals, and which cases are judged differently; `--out` writes it as a page. */
export async function compare(
  context: CommandContext,
  first: string,
  second: string,
  options: GateFlags & { json: boolean; out?: string },
): Promise<ExitCode> {
  const { out } = options;
  if (out !== undefined && !/\.html?$/i.test(out))
    throw new JuryError('usage', `--out ${out}: name a file that ends in .html.`);
  const gate = await readGate(context, options);
  const side = readSide(second);
  const store = await context.runs();
  const { comparison, setups, createdAt } = await compareRuns(store, readSide(first), side, {
    ...readWishes(options),
    reviewed: async (manifest) => {
      const parts = await context.parts();
      return reviewedFor(await parts.store(), manifest, parts.now());
    },
  });
  context.out(options.json ? jsonLine(comparison) : comparisonText(context.screen, comparison));
  if (out !== undefined) {
    const { env, library } = await context.parts();
    const { comparisonFile } = await loadReportFile();
    await writePieces(
      out,
      await comparisonFile(store, comparison, env.browserFolder, cardTexts(library, 'en')),
    );
    context.err(`Written to ${out}.`);
  }
  const met = await gate.passes({ side, createdAt, setups });
  return met ? exitCode.ok : exitCode.failed;
}

interface PowerFlags extends Pick<GateFlags, 'clusterBy'> {
  difference: number;
  discordance?: number;
  /** A run, or one configuration of it. */
  from?: string;
  json: boolean;
}

/** Assumed if neither the flags nor a run gives a value: judges that are right on four cases of five, often on the same ones. */
const USUAL = { accuracy: 0.8, correlation: 0.5 };

/** The usual power and significance level: the difference is found four times out of five, and chance passes for it once in twenty. */
const TEST = { power: 0.8, alpha: 0.05 };

const percent = (share: number): string => `${Number((share * 100).toPrecision(3))} %`;

const points = (share: number): string => counted(Number((share * 100).toPrecision(3)), 'point');

/** The share of cases that differ: as given, as measured in a run, or derived from an accuracy. */
function discordanceFor(
  { difference, discordance }: PowerFlags,
  run: RunPower | null,
): { value: number; why: string } {
  if (discordance !== undefined && discordance < difference)
    throw new JuryError(
      'usage',
      `--discordance ${discordance}: Two configurations that are ${points(difference)} apart differ on at least ${percent(difference)} of the cases.`,
    );
  if (discordance !== undefined) return { value: discordance, why: 'as given' };
  if (run !== null && run.discordance !== null)
    return { value: Math.max(difference, run.discordance), why: `as in ${run.run}` };
  const first = run?.accuracy ?? USUAL.accuracy;
  const second = first + difference <= 1 ? first + difference : Math.max(0, first - difference);
  return {
    value: Math.max(difference, discordanceOf(first, second, USUAL.correlation)),
    why: `accuracies of ${percent(first)} and ${percent(second)}, correlation ${USUAL.correlation}`,
  };
}

/** @param why where the assumed share of differing cases comes from */
function powerText(aim: Aim, why: string, cases: number, run: RunPower | null): string {
  const { difference, discordance, designEffect, power, alpha } = aim;
  const size = run === null || run.groups === run.cases ? 1 : run.cases / run.groups;
  const asGroups =
    size === 1
      ? ''
      : ` (about ${counted(Math.ceil(cases / size), 'group')} of ${Number(size.toFixed(1))} cases each)`;
  const together =
    designEffect === 1
      ? run !== null && size > 1
        ? 'Cases of a group differ as much as others there, so they count as independent.'
        : 'Cases count as independent of each other.'
      : `As cases that belong together are alike, that is ${designEffect.toFixed(2)} times as many as of independent ones.`;
  return [
    `Both configurations must judge ${counted(cases, 'case')}${asGroups} to show a difference of ${points(difference)} in accuracy ${percent(power)} of the time, at p ≤ ${alpha}.`,
    `Assumed: they differ on ${percent(discordance)} of the cases (${why}).`,
    together,
    ...(run === null
      ? []
      : [
          `${plainText(run.run)} has ${counted(run.configurations, 'configuration')} and ${grouped(run.cases)} labeled cases, of which ${percent(run.accuracy)} are judged right.`,
        ]),
  ].join(' ');
}

/** `jury bench power`: how many cases it takes to show a difference between two configurations. */
export async function power(context: CommandContext, flags: PowerFlags): Promise<void> {
  const run =
    flags.from === undefined
      ? null
      : await estimatePower(await context.runs(), readSide(flags.from), readWishes(flags));
  const { value: discordance, why } = discordanceFor(flags, run);
  const designEffect = Math.max(1, run?.designEffect ?? 1);
  const aim = { difference: flags.difference, discordance, designEffect, ...TEST };
  const cases = casesToShow(aim);
  context.out(
    flags.json
      ? jsonLine({ cases, ...aim, from: run })
      : wrap(powerText(aim, why, cases, run), context.screen.width),
  );
}
