import { andList, counted, usd } from '../../common/text/index.ts';

/** The parts of a verdict's card. */
export const card = {
  quoted: (text: string) => `“${text}”`,
  judgesSplit: ({ pass, fail }: { pass: number; fail: number }) => `the judges split ${pass} : ${fail}`,
  needsModel: ({ isConnected }: { isConnected: boolean }) =>
    `this needs a model${isConnected ? '' : ', and none is connected'}`,
  askAdmin: 'Ask your Jury admin to connect a model',
  connectModel: 'Set JURY_MODEL, such as openai/gpt-4o-mini, and its OPENAI_API_KEY to connect one',
  dataHint:
    'Exact checks need data in the paste: what the car did (“Device: temperature”, “Operation: set”, “Value: 21 °C”), or what a venue is like (“Rating: 4.3”, “Duration: 5 min”)',
  leftOut: (text: string) => `Left out: “${text}”`,
  unread: ({ label, value, how }: { label: string; value: string; how: string }) =>
    `The ${label} ${value} could not be read${how}`,
  notChecked: ({ titles, reason }: { titles: readonly string[]; reason: string }) =>
    `Not checked: ${titles.join(' · ')} – ${reason}`,
  missing: ({ names, lines }: { names: readonly string[]; lines: readonly string[] }) =>
    `the paste has no ${names.join(' and no ')}; add ${andList(lines.map((line) => `“${line}”`))}`,
  was: ({ outcome, as, by }: { outcome: string; as: string | null; by: readonly string[] }) =>
    `Was: ${outcome}${as === null ? '' : `, as ${as}`}${by.length === 0 ? '' : `, by ${andList(by)}`}`,
  overruled: ({ label, outcome }: { label: string; outcome: string }) => `${label}, ruled ${outcome}`,
  ruled: (outcome: string) => `Ruled: ${outcome}`,
  ruledBy: ({ role, comment }: { role: string; comment: string | null }) =>
    `, by ${role}${comment === null ? '' : `; ${comment}`}`,
  notRelevant: (titles: readonly string[]) => `Not relevant here: ${titles.join(' · ')}`,
  ignored: (text: string) => `Ignored: ${text}`,
  assumed: (text: string) => `Assumed: ${text}`,
  turn: (number: number) => `turn ${number} of ${number}`,
  askedBy: (name: string) => `asked by ${name}`,
  stoppedEarly: 'stopped early',
  stoppedBy: (name: string) => `stopped by ${name}`,
  calls: ({ count, rounds, cached }: { count: number; rounds: number; cached: number }) =>
    `${counted(count, 'call')}${rounds > 1 ? ` in ${rounds} rounds` : ''}${cached > 0 ? `, ${cached} from cache` : ''}`,
  cost: usd,
  costUnknown: 'cost unknown',
  moreCriteria: (count: number) => `${counted(count, 'more criterion', 'more criteria')} in Details`,
  moreAnswers: (count: number) => `${count} more answers in Details`,
  moreInDetails: (count: number) => `${count} more in Details`,
  andMore: (count: number) => `and ${count} more`,
};
