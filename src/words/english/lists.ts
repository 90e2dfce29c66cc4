import { counted, grouped } from '../../common/text/index.ts';

/** The queue, the app's home, and what pages of a list or of details share. */
export const lists = {
  needVotes: 'Verdicts that need votes',
  waiting: (count: number) =>
    count === 0
      ? 'No verdict needs your vote.'
      : `${counted(count, 'verdict needs', 'verdicts need')} your vote.`,
  nothingWaiting: 'Nothing is waiting for your vote.',
  lookedAt: ({ most, isCut }: { most: number; isCut: boolean }) =>
    `${isCut ? `Your conversations’ verdicts among the newest ${grouped(most)} of all` : `The newest verdicts in your conversations, at most ${most}`}; those that need your vote most come first.`,
  moreBy: ({ count, command }: { count: number; command: string }) => `and ${count} more: ${command}`,
  moreByWriting: ({ count, command }: { count: number; command: string }) =>
    `${count} more: write “${command}”.`,
  moreAfter: (count: number) => `and ${count} more, after these`,
  moreThatNeed: ({ count, command }: { count: number; command: string }) =>
    `and ${count} more that need votes: ${command}`,
  moreVerdicts: (count: number) => `and ${count} more verdicts`,
  recent: 'Recent verdicts',
  noneYet: (command: string) =>
    `None yet. Mention me with a paste, choose “Ask the jury” from a message’s menu, or type ${command}.`,
  agreementTitle: 'Agreement so far',
  settledFew: ({ count, from }: { count: number; from: number }) =>
    `Settled verdicts (three votes or more, more than half of them on one side): ${count}. From ${from} on, this shows how often people agree with the panel.`,
  settledShare: (share: string) =>
    `People agreed with ${share} of the settled verdicts (three votes or more, more than half of them on one side).`,
  settings: 'Settings',
  chooseConversation: 'Choose a conversation to set how its cases are judged.',
  chooseOne: 'Choose a conversation',
  askTheJury: 'Ask the jury',
  defaults: (text: string) => `Defaults: ${text}`,
  wish: {
    rubric: 'rubric',
    method: 'method',
    model: 'model',
    panel: 'panel',
    models: 'models that may judge',
    eachCase: 'chosen for each case',
    fromRubric: 'from the rubric',
    default: 'default',
  },
  ownKnown: ({ right, of }: { right: number; of: number }) =>
    `Some cases in the queue have a known answer. Up to yesterday, you got ${right} of ${of} right. Only you see this.`,
  card: 'card',
  needsVote: (reason: string) => `Needs your vote: ${reason}`,
  needsVoteWithin: (reason: string) => `needs your vote: ${reason}`,
  answerFirst: 'answer first',
  answer: 'Answer',
  openAndVote: 'Open and vote',
  page: ({ at, of }: { at: number; of: number }) => `Page ${at} of ${of}`,
  more: 'More',
  back: 'Back',
  next: 'Next',
  inBrowser: { queue: 'Vote in the browser', details: 'Details in the browser' },
  moreLines: (count: number) => `${counted(count, 'more line does', 'more lines do')} not fit here.`,
  moreParts: ({ count, opensDetails }: { count: number; opensDetails: boolean }) =>
    `${counted(count, 'more part does', 'more parts do')} not fit here${opensDetails ? ': open Details' : ''}.`,
};
