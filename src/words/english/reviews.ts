import { counted } from '../../common/text/index.ts';

/** Answers of a run that people are asked to check. */
export const reviews = {
  toCheck: ({ count, minutes }: { count: number; minutes: number }) =>
    `${counted(count, 'answer')} to check, about ${counted(minutes, 'minute')}`,
  about:
    'They were drawn by chance, to find out how far the judges can be trusted. You see each without the verdict, and no list shows who said what.',
  start: 'Start',
  notThisWeek: 'Not this week',
  never: 'Never',
  right: 'Response is right',
  wrong: 'Response is wrong',
  notSure: 'Not sure',
  title: ({ number, most }: { number: number; most: number }) =>
    `Answer ${number} of at most ${most} this week`,
  wholeTitle: (number: number) => `Answer ${number}`,
  isRight: 'Is the response right?',
  whole: 'Whole case and guide',
  shortened: 'This is shortened: “Whole case and guide” has all of it.',
  nothingYet:
    'There is nothing to check for you now. People whom a benchmark names are asked in a private message.',
  checked: ({ count, why }: { count: number; why: string }) =>
    `You checked ${counted(count, 'answer')} this week. ${why}`,
  askWhenThere: 'Ask me when there is',
  askAgain: 'Ask me again',
  guide: 'Guide: what to judge by',
  task: 'Task',
  none: {
    'not-volunteer': 'You have not volunteered to check answers.',
    never: 'You asked never to be offered answers to check.',
    'not-this-week': 'You’re skipping this week. There may be more from Monday.',
    enough: 'Thank you, that is all for this week.',
    'not-asked': 'This run does not ask you to check answers.',
    past: 'Answers of this run were drawn more than 30 days ago and are no longer offered.',
    none: 'There is nothing left to check. Thank you.',
  },
  answered: {
    stood: 'You answered this before. Your first answer counts, this one does not.',
    late: 'Someone else has since been asked about this one.',
    gone: 'This answer is no longer there to check.',
  },
};
