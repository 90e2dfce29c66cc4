import { counted, grouped } from '../../common/text/index.ts';

/** Annotation studies: invitations, the forms around a case, its questions. */
export const studies = {
  title: 'Study',
  invitation: (name: string) => `Study “${name}”`,
  stand: {
    closed: ({ done, total }: { done: number; total: number }) =>
      `The study is closed; ${done} of ${total} are done. Thank you.`,
    all: (total: number) => `All ${counted(total, 'case')} are done. Thank you!`,
    begin: (total: number) =>
      `You are asked about ${counted(total, 'case')}, on your own: your answers are never shown under your name. Stop whenever you like; what you sent is kept.`,
    some: ({ done, total }: { done: number; total: number }) => `${done} of ${total} are done.`,
  },
  next: {
    start: 'Start',
    look: 'Look at my answers',
    continue: ({ at, total }: { at: number; total: number }) => `Continue: case ${at} of ${total}`,
  },
  seats: {
    none: 'No open study asks for your answers.',
    noneOf: (id: string) => `Study ${id} does not ask for your answers, or it is closed.`,
    count: (count: number) => `You are an annotator in ${counted(count, 'study', 'studies')}.`,
    more: ({ count, command }: { count: number; command: string }) =>
      `${count} more: name one, such as “${command}”.`,
    gone: 'This study is gone.',
    noPlace: 'You have no place in this study.',
    closed: 'This study is closed. Thank you.',
    noMore:
      'This study no longer takes answers: it was closed or removed, or you are no longer one of its annotators.',
  },
  form: {
    title: ({ at, total }: { at: number; total: number }) => `Case ${at} of ${total}`,
    caseTitle: (at: number) => `Case ${at}`,
    send: 'Send and continue',
    stop: 'Stop here',
    back: '← Case before',
    change: '← Change my answers',
    toForm: 'Back to the form',
    done: ({ done, total }: { done: number; total: number }) =>
      `${grouped(done)} of ${grouped(total)} done. What you send is kept; stop whenever you like.`,
    moreOfGuide: (count: number) =>
      `${counted(count, 'more part')} of the guide: open “Whole case and guide”.`,
    moreOfCase: (count: number) =>
      `${counted(count, 'more part')} of this case: open “Whole case and guide”.`,
    more: (count: number) => `${counted(count, 'more part')}: open “Whole case and guide”.`,
    allDone: ({ count, name }: { count: number; name: string }) =>
      `${count === 1 ? `The case of “${name}” is` : `All ${counted(count, 'case')} of “${name}” are`} done. Thank you!`,
  },
  roles: { user: 'User', system: 'System' },
  before: (role: string) => `${role}, before`,
  userAfter: 'User, after the response',
  answer: (name: string) => `Answer ${name}`,
  ratings: ['invalid', 'most likely invalid', 'inconclusive', 'most likely valid', 'valid'],
  yes: 'Yes',
  no: 'No',
  unsure: 'Unsure',
  same: 'The same',
  met: 'Met',
  notMet: 'Not met',
  notRelevant: 'Does not apply',
  range: ({ min, max }: { min: number; max: number }) => `${min} to ${max}; empty if you are unsure.`,
  meetsBetter: (title: string) => `${title}: which answer meets it better?`,
  questions: {
    user: 'User part: how valid is it?',
    userHint: 'Could a user say this, there and then?',
    system: 'System part: how valid is it?',
    systemHint: 'Could what it says about itself be true, whether or not it was asked for?',
    correct: 'Is the response correct?',
    better: 'Which answer is better?',
    errors: 'If not: which errors?',
    comment: 'Comment',
  },
  required: {
    rate: 'Rate it from 1 to 5.',
    correct: 'Say yes or no, or that you are unsure.',
    better: 'Choose an answer, or "The same".',
    choose: 'Choose an answer; "Unsure" is one.',
  },
  wrong: {
    markedCorrect: 'The response is marked correct: name no errors, or mark it incorrect.',
    markedUnsure: 'You are unsure whether it is correct: name no errors, or mark it incorrect.',
    nameOne: 'Name at least one error; choose "other" if none of these fits.',
    number: ({ min, max }: { min: number; max: number }) => `Give a number from ${min} to ${max}.`,
    noError: ({ id, all }: { id: string; all: readonly string[] }) =>
      `There is no error "${id}"; choose from: ${all.join(', ')}.`,
    tooLong: (most: number) => `At most ${most} characters.`,
  },
};
