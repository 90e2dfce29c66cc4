/** Replies to words that are no command. */
export const commands = {
  /** One that is typed with a slash, such as `/jury queue`. */
  slash: {
    unknown: (of: { command: string; word: string; nearest: string | null; all: readonly string[] }) =>
      `There is no ${of.command} ${of.word}. ${of.nearest === null ? '' : `Did you mean ${of.command} ${of.nearest}? `}Commands: ${of.all.join(', ')}. Without a word, ${of.command} opens the form.`,
    unreadAfter: (of: { command: string; word: string; more: string }) =>
      `I do not understand “${of.more}” after ${of.command} ${of.word}. Type ${of.command} ${of.word} alone, or ${of.command} help.`,
  },
  /** One that is written as a message. */
  written: {
    unknown: (of: { word: string; nearest: string; all: readonly string[] }) =>
      `There is no command “${of.word}”. Did you mean “${of.nearest}”? Commands: ${of.all.join(', ')}.`,
    unreadAfter: ({ word, more }: { word: string; more: string }) =>
      `I do not understand “${more}” after “${word}”. Write “${word}” alone, or “help”.`,
  },
};
