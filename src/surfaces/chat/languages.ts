import type { ChannelSettings, ChannelSettingsStore } from '../../labels/access/index.ts';
import type { SpotCheck } from '../../requests/index.ts';
import { type Language, languageOf, languageOfText } from '../../words/index.ts';

/** What a platform knows of languages, as locales such as `de-DE`. Null where it does not say; a failure counts as that. */
export interface Locales {
  ofConversation: (channel: string) => Promise<string | null>;
  /** @param channel where the person acts, if that is known */
  ofPerson: (user: string, channel: string | null) => Promise<string | null>;
}

export const noLocales: Locales = { ofConversation: async () => null, ofPerson: async () => null };

/** In which language to write to whom. Nothing here fails: without an answer, people are written to in English. */
export interface Languages {
  /** For messages that everyone in a conversation sees: its setting, otherwise what the platform says of it. */
  inConversation: (channel: string) => Promise<Language>;
  /** For what only one person sees: theirs, otherwise that of the conversation, if there is one. */
  ofPerson: (user: string, channel: string | null) => Promise<Language>;
  /** For the answer to a question: the question's own, otherwise that of its conversation. */
  ofQuestion: (check: Pick<SpotCheck, 'channel' | 'input'>) => Promise<Language>;
}

export function createLanguages(
  { store }: { store: Pick<ChannelSettingsStore, 'channelSettings'> },
  { ofConversation, ofPerson }: Locales,
): Languages {
  const known = (locale: Promise<string | null>) => locale.then(languageOf).catch(() => null);
  async function inConversation(channel: string): Promise<Language> {
    const { language }: Pick<ChannelSettings, 'language'> = await store
      .channelSettings(channel)
      .catch(() => ({}));
    return language ?? (await known(ofConversation(channel))) ?? 'en';
  }
  return {
    inConversation,
    ofPerson: async (user, channel) =>
      (await known(ofPerson(user, channel))) ?? (channel === null ? 'en' : inConversation(channel)),
    ofQuestion: async ({ channel, input }) =>
      (input.kind === 'message' ? languageOfText(input.text) : null) ?? inConversation(channel),
  };
}
