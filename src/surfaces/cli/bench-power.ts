import { estimatePower, type RunPower } from '../../benchmark/estimate-power.ts';
import { JuryError } from '../../common/errors.ts';
import { counted, grouped, jsonLine, plainText } from '../../common/text.ts';
import { type Aim, casesToShow, discordanceOf } from '../../statistics/power.ts';
import { readSide } from '../run-reports.ts';
import type { CommandContext } from './command-context.ts';
import { type GateFlags, readWishes } from './gate.ts';
import { wrap } from './wrap.ts';

interface PowerFlags extends Pick<GateFlags, 'clusterBy'> {
  difference: string;
  discordance?: string;
  accuracy?: string;
  correlation?: string;
  designEffect?: string;
  power?: string;
  alpha?: string;
  /** A run, or one configuration of it. */
  from?: string;
  json: boolean;
}

/** What is assumed if neither the command nor a run says so. */
const USUAL = { accuracy: 0.8, correlation: 0.5, power: 0.8, alpha: 0.05 };

/** @throws JuryError `usage` for what is not a number within bounds, these excluded */
function numberBetween(flag: string, text: string | undefined, least: number, most: number): number | null {
  if (text === undefined) return null;
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (value > least && value < most) return value;
  const bounds = most === Number.POSITIVE_INFINITY ? `above ${least}` : `between ${least} and ${most}`;
  throw new JuryError('usage', `--${flag} ${text}: Must be a number ${bounds}, such as 0.05.`);
}

const percent = (share: number): string => `${Number((share * 100).toPrecision(3))} %`;

const points = (share: number): string => counted(Number((share * 100).toPrecision(3)), 'point');

interface Assumed {
  /** The words for it. */
  discordance: string;
  aim: Aim;
}

/** The share of cases that differ, as given, as a run says, or from accuracy and correlation. */
function discordanceFor(flags: PowerFlags, difference: number, run: RunPower | null) {
  const given = numberBetween('discordance', flags.discordance, 0, 1);
  if (given !== null && given < difference)
    throw new JuryError(
      'usage',
      `--discordance ${flags.discordance}: Two configurations that are ${points(difference)} apart differ on at least ${percent(difference)} of the cases.`,
    );
  if (given !== null) return { value: given, why: 'as given' };
  const correlation = numberBetween('correlation', flags.correlation, -1, 1);
  const asked = numberBetween('accuracy', flags.accuracy, 0, 1);
  if (run !== null && run.discordance !== null && asked === null && correlation === null)
    return { value: Math.max(difference, run.discordance), why: `as in ${run.run}` };
  const first = asked ?? run?.accuracy ?? USUAL.accuracy;
  const second = first + difference <= 1 ? first + difference : Math.max(0, first - difference);
  const phi = correlation ?? USUAL.correlation;
  return {
    value: Math.max(difference, discordanceOf(first, second, phi)),
    why: `accuracies of ${percent(first)} and ${percent(second)}, correlation ${phi}`,
  };
}

function assumed(flags: PowerFlags, run: RunPower | null): Assumed {
  const difference = numberBetween('difference', flags.difference, 0, 1) ?? 0;
  const { value, why } = discordanceFor(flags, difference, run);
  return {
    discordance: why,
    aim: {
      difference,
      discordance: value,
      designEffect: Math.max(
        1,
        numberBetween('design-effect', flags.designEffect, 0, Number.POSITIVE_INFINITY) ??
          run?.designEffect ??
          1,
      ),
      power: numberBetween('power', flags.power, 0, 1) ?? USUAL.power,
      alpha: numberBetween('alpha', flags.alpha, 0, 1) ?? USUAL.alpha,
    },
  };
}

function powerText({ aim, discordance }: Assumed, cases: number, run: RunPower | null): string {
  const { difference, designEffect, power, alpha } = aim;
  const size = run === null || run.groups === run.cases ? 1 : run.cases / run.groups;
  const asGroups =
    size === 1 ? '' : `, such as ${counted(Math.ceil(cases / size), 'group')} of ${Number(size.toFixed(1))},`;
  const together =
    designEffect === 1
      ? run !== null && size > 1
        ? 'Cases of a group differ as much as others there, so they count as independent.'
        : 'Cases count as independent of each other.'
      : `As cases that belong together are alike, that is ${designEffect.toFixed(2)} times as many as of independent ones.`;
  return [
    `Both configurations must judge ${counted(cases, 'case')}${asGroups} to show a difference of ${points(difference)} in accuracy ${percent(power)} of the time, at p ≤ ${alpha}.`,
    `Assumed: they differ on ${percent(aim.discordance)} of the cases (${discordance}).`,
    together,
    ...(run === null
      ? []
      : [
          `${plainText(run.run)} has ${counted(run.configurations, 'configuration')} and ${grouped(run.cases)} labeled cases, of which ${percent(run.accuracy)} are judged right.`,
        ]),
  ].join(' ');
}

/** `jury bench power`: how many cases show a difference between two configurations. */
export async function power(context: CommandContext, flags: PowerFlags): Promise<void> {
  const run =
    flags.from === undefined
      ? null
      : await estimatePower(await context.runs(), readSide(flags.from), readWishes(flags));
  const found = assumed(flags, run);
  const cases = casesToShow(found.aim);
  context.out(
    flags.json
      ? jsonLine({ cases, ...found.aim, from: run })
      : wrap(powerText(found, cases, run), context.screen.width),
  );
}
