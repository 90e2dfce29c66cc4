import { counted, usd } from '../../common/text/index.ts';

/** Messages about requests: progress, problems, questions and their answers. */
export const chat = {
  user: 'User',
  system: 'System',
  answer: 'Answer',
  soFar: (counts: readonly string[]) => `${counts.join(', ')} so far`,
  silent: (count: number) => `${count} without an answer`,
  judged: ({ count, outcome }: { count: number; outcome: string }) => `${count} ${outcome}`,
  thinking: (name: string) => `${name} is thinking…`,
  thinkingMany: ({ first, others, second }: { first: string; second: string; others: number }) =>
    `${first} and ${others === 0 ? second : `${others + 1} others`} are thinking…`,
  stopping: 'Stopping',
  stoppingOnly: 'Stopping…',
  rating: 'Rating the criteria first',
  round: ({ round, of }: { round: number; of: number }) => `Round ${round} of ${of}`,
  judging: 'Judging…',
  answered: ({ count, of }: { count: number; of: number }) =>
    `${count} of ${counted(of, 'judge')} ${count === 1 ? 'has' : 'have'} answered`,
  hidden: 'Everyone answers first here: you see the verdict once you have answered.',
  stop: 'Stop',
  moreJudges: (count: number) => `and ${count} more judges`,
  reading: 'Reading the case…',
  cases: ({ total, counts }: { total: number; counts: readonly string[] }) =>
    `${counted(total, 'case')}: ${counts.join(' · ')}`,
  outcomes: {
    pass: 'pass',
    fail: 'fail',
    scored: 'scored',
    undecided: 'not decided',
    'no-quorum': 'with too few answers',
    unanswered: 'without an answer',
    judged: 'judged',
    problem: 'not judged',
    pending: 'waiting',
  },
  open: 'Open',
  show: 'Show',
  close: 'Close',
  casesTitle: 'Cases',
  answerFirstLine: 'judged, answer first',
  notJudged: (problem: string) => `not judged: ${problem}`,
  moreNotPassing: (count: number) => `${count} more that do not pass`,
  passes: ({ count, isMore }: { count: number; isMore: boolean }) => `✅ ${count}${isMore ? ' more' : ''}`,
  noneKept: 'These verdicts are no longer kept.',
  moreDoNotFit: (count: number) => `${count} more do not fit here.`,
  unclear: {
    title: 'I cannot judge this yet.',
    text: (problem: string) => `This could not be judged: ${problem}`,
    missing: 'Missing',
    example: (line: string) => `, for example: ${line}`,
    understood: 'Understood so far',
    fillIn: 'Fill in the rest',
  },
  unsure: {
    title: 'Which messages belong together?',
    nothingYet: 'Nothing is judged yet.',
    leftOut: 'Left out',
    judge: (count: number) => `Judge ${count === 1 ? 'this message' : `these ${count} messages`}`,
    judgeNumbered: ({ number, count }: { number: number; count: number }) =>
      `${number}: judge ${count === 1 ? 'this message' : `these ${count} messages`}`,
    edit: 'Edit…',
  },
  lines: {
    whole: { answer: 'the answer', said: 'what was said' },
    question: ({ text, whole }: { text: string; whole: string }) => `Does “${text}” belong to ${whole}?`,
    marked: (whole: string) => `Does the line marked “?” belong to ${whole}?`,
    why: 'The outcome depends on it, so nothing was judged yet.',
    without: 'Judge without it',
    answer: 'It belongs to the answer',
    said: 'It was said',
    pasteAgain: 'Paste it again without that line, or with it in the answer.',
  },
  readByModel: {
    title: 'Is this right?',
    why: (model: string) => `No label says who speaks, so ${model} read it. Nothing is judged yet.`,
    judge: 'Judge',
    earlier: (count: number) => `${counted(count, 'earlier turn')} not shown`,
    offer: (model: string) => `Or press Judge: ${model} reads it, and you say whether that is right.`,
    /** Why a model that was asked gave no reading. */
    none: {
      nothing: (model: string) => `${model} was asked to read it and found no conversation in it.`,
      sentence: (model: string) =>
        `${model} was asked to read it, but what it takes for a turn is only a part of a sentence: put what each of them says on a line of its own.`,
      useless: (model: string) => `${model} was asked to read it and gave no usable reading.`,
      silent: (model: string) => `${model} was asked to read it and gave no answer.`,
      budget: (model: string) => `${model} was not asked to read it, as the budget for model calls is spent.`,
      unreachable: (model: string) => `${model} was asked to read it and could not be reached.`,
      key: (model: string) => `${model} was asked to read it, but its endpoint refuses the key.`,
      model: (model: string) => `${model} was asked to read it, but its endpoint does not know this model.`,
      credit: (model: string) => `${model} was asked to read it, but its account is used up.`,
      overloaded: (model: string) =>
        `${model} was asked to read it, but takes no more questions at the moment.`,
    },
    pasteAgain: 'Paste it again with “User:” and “System:” before what each of them says.',
  },
  budget: {
    shared: (limitUsd: number) =>
      `The daily budget for model calls (${usd(limitUsd)}) is spent, so no judge was asked. It resets at 00:00 UTC; your Jury admin can raise it.`,
    other: 'A daily budget for model calls is spent, so no judge was asked. It resets at 00:00 UTC.',
    whose: {
      person: 'Your own daily limit',
      conversation: 'This conversation’s daily limit',
      token: 'This token’s daily limit',
    },
    spent: ({ whose, limitUsd, resetsAt }: { whose: string; limitUsd: number; resetsAt: string }) =>
      `${whose} of ${usd(limitUsd)} for model calls is spent. It resets at ${resetsAt} UTC.`,
  },
  question: {
    answers: (name: string) => `${name} answers`,
    panel: 'The panel',
    notANewVerdict: (model: string) => `An answer, not a new verdict · ${model}`,
    noModel: 'To answer questions I need a model, and none is connected.',
    failed: {
      malformed: 'The model’s answer could not be used.',
      refused: 'The model refused to answer.',
      timeout: 'The model did not answer in time.',
      'rate-limited': 'The model takes no more questions at the moment. Ask again in a minute.',
      budget: 'A budget for model calls is spent, so I could not ask the model.',
      unsupported: 'The model could not answer this.',
      cancelled: 'The question was stopped.',
      error: 'The model could not be reached.',
      'not-relevant': 'The model could not answer this.',
    },
    tooLong: (most: string) => `The question is too long: ask in at most ${most} characters.`,
    judgeSaid: ({ judge, stance, reason }: { judge: string; stance: string; reason: string }) =>
      `${judge} said ${stance}: ${reason}`,
    notSeated: ({ named, seated }: { named: string; seated: readonly string[] }) =>
      seated.length === 0
        ? `${named} did not judge this case: it was checked exactly, without a panel.`
        : `${named} did not judge this case. The judges were ${seated.length === 1 ? seated[0] : `${seated.slice(0, -1).join(', ')} and ${seated.at(-1)}`}.`,
    hidden:
      'Here people vote before they see a verdict, so I can’t answer in the thread. Vote first, then open the verdict.',
    which: ({ count, example }: { count: number; example: number }) =>
      `This thread has ${count} verdicts. Name the one that you mean, such as “case ${example}”.`,
    case: ({ number, name }: { number: number; name: string }) => `case ${number}: ${name}`,
    gone: 'The verdict of this thread is no longer kept. Paste the case again.',
  },
  unreadable: {
    long: 'I couldn’t read a conversation in this. Write what the user said and what your system answered, like this:',
    short: 'Paste what a user said and what your system answered, and I will judge it.',
  },
  welcome: {
    greeting: 'Hi, I am Jury.',
    text: 'Paste what a user said and what your system answered, and a panel of judges decides whether the answer holds up.',
    votes: 'Was the panel right? Vote 👍 or 👎 on its card, or react with one.',
    tryThis: 'Try this',
    ways: 'Ways to ask',
    votesTitle: 'Votes',
    openForm: 'Open the form',
    judgeExample: 'Judge this example',
    byCommand: (command: string) => [
      'Mention me with a paste in a channel. In a thread, just mention me, and I judge the messages above.',
      'Choose “Ask the jury” from the menu of a message.',
      `Type ${command} to fill in a form.`,
      'Send me a direct message. Files (.txt, .csv, .json, .jsonl) work, too.',
    ],
    queueByCommand: (command: string) =>
      `${command} queue lists the verdicts that need your vote most; ${command} review shows answers to check if you are asked to.`,
    byWriting: [
      'Mention me with a paste, in a channel, a reply or a group chat.',
      'Choose “Ask the jury” in the menu of a message.',
      'Write “ask” to fill in a form; where there are others, “@Jury ask”.',
      'Write to me in our own chat. Files (.txt, .csv, .json, .jsonl) work, too.',
    ],
    queueByWriting:
      'Write “queue” to see the verdicts that need your vote most; where there are others, “@Jury queue”. In our own chat, “review” shows answers to check if you are asked to.',
  },
  /** Replies to a written command, a form or a click. */
  replies: {
    ask: 'Fill in a request and its answer.',
    settings: 'How cases of this conversation are judged.',
    openSettings: 'Open the settings',
    asked: { title: 'Asked', text: 'Asked: the card comes in this conversation.' },
    notMyButton: 'This button is not mine.',
    foreign: 'Jury answers only people of the organization that runs it.',
  },
  privately: {
    aboutMessage: (words: string) => `About the conversation in which you wrote “${words}”.`,
    notHere: 'I can’t answer you privately here. Write to me in our own chat.',
  },
  judgedAgainBelow: 'Judged again below',
  tryAgain: 'Try again',
  notJudgedSince: (trouble: string) =>
    `This could not be judged: ${trouble.charAt(0).toLowerCase()}${trouble.slice(1)}`,
  stopped: 'Stopped before anything was judged.',
  unshowable: {
    answer: (why: string) => `I cannot show the answer: ${why}. Ask again, or paste the case here.`,
    noPost: (why: string) => `I cannot post in that conversation: ${why}. Ask again, or paste the case here.`,
    verdict: ({ decision, why }: { decision: string; why: string }) =>
      `Your verdict is ${decision}, but I cannot show its card: ${why}.`,
    blind: (why: string) =>
      `Your verdict is ready, but I cannot post it: ${why}. Answer first, and you will see it.`,
  },
  edited: {
    judged: 'You changed this message after it was judged. The verdict is about what it said before.',
    read: 'You changed this message after I read it.',
    judgeAgain: 'Judge again',
    readAgain: 'Read it again',
  },
};
