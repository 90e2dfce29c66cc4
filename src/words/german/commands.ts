import type { commands as english } from '../english/commands.ts';

export const commands: typeof english = {
  slash: {
    unknown: ({ command, word, nearest, all }) =>
      `${command} ${word} gibt es nicht. ${nearest === null ? '' : `Meintest du ${command} ${nearest}? `}Befehle: ${all.join(', ')}. ${command} allein öffnet das Formular.`,
    unreadAfter: ({ command, word, more }) =>
      `„${more}“ nach ${command} ${word} verstehe ich nicht. Gib ${command} ${word} allein ein, oder ${command} help.`,
  },
  written: {
    unknown: ({ word, nearest, all }) =>
      `Den Befehl „${word}“ gibt es nicht. Meintest du „${nearest}“? Befehle: ${all.join(', ')}.`,
    unreadAfter: ({ word, more }) =>
      `„${more}“ nach „${word}“ verstehe ich nicht. Schreib „${word}“ allein, oder „help“.`,
  },
};
