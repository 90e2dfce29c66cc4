import { andList, counted } from '../../common/text/index.ts';

/** Votes, their buttons, and what came of a click. */
export const votes = {
  none: 'No votes yet',
  tally: ({ agree, disagree, unsure }: { agree: number; disagree: number; unsure: number }) =>
    `Votes: ${[
      agree === 0 ? '' : `👍 ${counted(agree, 'agrees', 'agree')}`,
      disagree === 0 ? '' : `👎 ${counted(disagree, 'disagrees', 'disagree')}`,
      unsure === 0 ? '' : `🤷 ${unsure} not sure`,
    ]
      .filter((part) => part !== '')
      .join(' · ')}`,
  peopleSay: (answers: readonly string[]) => `People say: ${answers.join(', ')}`,
  saidDecision: ({ count, decision }: { count: number; decision: string }) => `${count} ${decision}`,
  saidAnswer: ({ answer, count }: { answer: string; count: number }) =>
    `${answer} (${counted(count, 'person', 'people')})`,
  score: (score: string) => `score ${score}`,
  notSure: (count: number) => `${count} not sure`,
  same: 'Same',
  /** The voter's own answer, after "You said". */
  own: {
    right: 'the response is right',
    wrong: 'the response is wrong',
    score: (score: string) => `a score of ${score}`,
    unsure: 'not sure',
    said: (answer: string) => `You said: ${answer}.`,
    later: (answer: string) => `Since then: ${answer}.`,
    firstCounts:
      'Your first answer counts. What you add now is kept beside it, marked as added after the verdict.',
    sayMore: 'Say more',
    takeBack: 'Take my answer back',
    takeBackTitle: 'Take it back for good?',
    takeBackText: 'You have seen the verdict, so you cannot answer this case again.',
    takeItBack: 'Take it back',
    keepIt: 'Keep it',
    counts: 'Your answer counts.',
  },
  /** Before the verdict is seen. */
  blind: {
    whichBetter: 'Which answer is better?',
    whichScore: 'Which score is right?',
    isRight: 'Is the response right?',
    question: ({ asked, rubric }: { asked: string; rubric: string }) => `${asked} Rubric: ${rubric}.`,
    right: 'Response is right',
    wrong: 'Response is wrong',
    unsure: '🤷 Not sure',
    title: '🗳️ Answer first',
    ask: (words: string) => `How do you judge ${words}? Answer to see the verdict.`,
    whole: 'Whole case',
    case: 'The case',
    note: 'Your first answer counts and shows you the verdict.',
    noteOnCard: 'Your first answer counts and shows you the verdict. Reactions do not count here.',
    chooseScore: 'Choose a score',
    user: 'User',
    openCase: 'Open the case',
  },
  /** Buttons and menu items of a card. */
  actions: {
    unsure: '🤷 Not sure',
    right: 'What is right?',
    'fill-in': 'Fill in',
    'ask-model': 'Ask a model',
    'with-it': 'Judge with it',
    details: 'Details',
    again: 'Judge again…',
    retract: 'Take my vote back',
    share: 'Share to channel',
    'add-to-set': 'Add to a set…',
    json: 'JSON',
    jsonFile: 'JSON as a file',
    agree: '👍 Agree',
    disagree: '👎 Disagree',
    agreeTip: 'I agree with the panel',
    disagreeTip: 'I disagree with the panel',
    unsureTip: 'I am not sure',
    whichRight: 'Say what is right',
  },
  outcome: {
    panel: 'The panel',
    said: ({ by, decision, reason }: { by: string; decision: string; reason: string }) =>
      `${by} said ${decision}: ${reason}`,
    undecided: ({ by, reason }: { by: string; reason: string }) => `${by} did not decide: ${reason}`,
  },
  shared: 'Shared',
  sharedBy: (name: string) => `Shared by ${name}`,
  voteInThread: 'vote on it in its thread',
  voteAndAskInThread: (by: string) => `${by}; vote and ask about it in its thread.`,
  noVoteOnUndecided:
    'The panel did not decide this case, so your reaction is no vote: there is nothing to agree with.',
  undecidedAsk: 'The panel did not decide this case. What is right?',
  agreed: 'Your vote counts: the verdict is right.',
  disagreed: 'Your vote counts: the verdict is wrong.',
  unsure: 'Your vote counts: not sure.',
  takenBack: 'Your vote is taken back.',
  answerFirst: 'Answer first whether the response is right; then you see the verdict.',
  answerFirstThenRead: 'Answer first: then you see this verdict.',
  gone: 'This verdict is no longer kept, or it belongs to another conversation.',
  open: 'This verdict is open to everyone: vote on its card.',
  undecided:
    'The panel did not decide this case, so there is nothing to agree or disagree with. Say what is right; nothing counts before you send that.',
  stood: 'You answered this before. Your first answer counts, this one does not.',
  seen: 'You took your answer back after you had seen the verdict. Another one would not be blind, so it is not counted.',
  notVoted: 'You have not voted on this verdict, so there is no vote to take back.',
  answerTakenBack: 'Your answer is taken back and no longer counts.',
  noAnswer: 'You have not answered, so there is nothing to take back.',
  savedNotShown: 'Your choice is saved, but what follows could not be shown. Press again to see it.',
  storeAway: 'I cannot reach my storage at the moment, so nothing was saved. Try again in a minute.',
  didNotWork: 'That did not work. Try again.',
  /** Why a verdict needs a vote. */
  needs: {
    judgesSplit: (split: string) => `judges split ${split}`,
    undecided: 'the panel could not decide',
    apart: ({ low, high }: { low: string; high: string }) => `judges score from ${low} to ${high}`,
    sure: (share: string) => `judges are ${share} sure`,
    silent: ({ count, of }: { count: number; of: number }) => `${count} of ${of} judges gave no answer`,
    votesSplit: (split: string) => `votes split ${split}`,
    votes: ({ count, needed }: { count: number; needed: number }) =>
      `${count === 0 ? 'no vote yet' : counted(count, 'vote')}, ${needed} needed`,
    vote: (reason: string) => `Needs your vote: ${reason}`,
  },
  judgesList: andList,
};
