import { counted } from '../../common/text/index.ts';

/** What everyone in a conversation is told of changes. Lines begin with the person who made the change. */
export const announcements = {
  who: {
    terminal: (name: string) => `${name}, in the terminal,`,
    console: 'Someone at the console',
  },
  /** @param of.right null where people vote before they see it */
  ruled: ({ role, about, right }: { role: string; about: string; right: string | null }) =>
    ` ruled as ${role} on ${about}${right === null ? '' : `: ${right}`}.`,
  importedRulings: (count: number) =>
    ` imported ${counted(count, 'ruling')} on verdicts of this conversation.`,
  knownAnswer: ' added a known answer to the queue here.',
  knownAnswers: ({ count, every }: { count: number; every: number | null }) =>
    ` added ${counted(count, 'known answer')} to the queue here${every === null ? '' : `; about 1 in ${every} of its cases has one`}.`,
  study: (of: { id: string; cases: number; set: string; people: number }) =>
    ` started the study ${of.id}: ${counted(of.cases, 'case')} of the set ${of.set} for ${counted(of.people, 'person', 'people')}.`,
  scheduled: (what: string) => ` scheduled ${what}.`,
  setAlert: ({ id, rule }: { id: string; rule: string }) => ` set an alert: ${rule} (${id}).`,
  end: (text: string) => `${text}.`,
  removed: {
    paused: (what: string) =>
      `Jury was removed from the conversation of ${what}, so it is paused. Add Jury there again and write “digest list” to resume it.`,
    since: ({ what, resume }: { what: string; resume: string }) =>
      `Paused since Jury was removed: ${what}. “${resume}” resumes it.`,
  },
};
