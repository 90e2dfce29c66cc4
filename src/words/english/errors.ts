import { andList } from '../../common/text/index.ts';

/** What people meet when something does not work. */
export const errors = {
  /** Why a platform does not take a message, as the rest of a sentence. */
  delivery: {
    busy: ({ platform, detail }: { platform: string; detail: string }) =>
      `${platform} does not take it at the moment (${detail})`,
    archived: (_: { platform: string; detail: string }): string => 'the channel is archived',
    'no access': (_: { platform: string; detail: string }): string =>
      'I may not write there: invite me, or ask an admin',
    gone: (_: { platform: string; detail: string }): string => 'its message was deleted',
    scope: ({ platform, detail }: { platform: string; detail: string }) =>
      `my app lacks the scope ${detail} in ${platform}: an admin adds it and installs the app again`,
    token: ({ platform, detail }: { platform: string; detail: string }) =>
      `${platform} no longer accepts the credentials of my app (${detail}): an admin installs it again`,
    shape: ({ platform, detail }: { platform: string; detail: string }) =>
      `${platform} refuses it (${detail})`,
    noAnswer: 'no answer',
  },
  digestNotPosted: {
    invite: (code: string) => `the app may not post there (${code}): invite it to the channel`,
    busy: ({ platform, code }: { platform: string; code: string }) =>
      `${platform} does not take it at the moment (${code})`,
    refused: ({ platform, code }: { platform: string; code: string }) => `${platform} refuses it (${code})`,
    plainText: ({ platform, code }: { platform: string; code: string }) =>
      `${platform} refuses the digest even as plain text (${code})`,
    noPersonalChat: 'The owner of the digest has no personal chat with Jury.',
  },
  /** A person for whom the platform has no chat with the app. */
  noPersonalChat: (platform: string) =>
    `this person has no personal chat with Jury: they install the app in ${platform} and write “hello” to it.`,
  /** Why a person may not do something. */
  refused: {
    admins:
      'Only Jury’s admins can do this here. Ask one of them; in the settings, an admin can allow it to everyone in this conversation.',
    guest: 'Guests and people of other organizations cannot do this. Ask a member of this conversation.',
    outsider: 'You are not a member of this conversation.',
    unknown:
      'I cannot see who is in this conversation. Try again in a minute; if this is a private channel, add me to it first.',
  },
  notAllowedHere: ({ models, allowed }: { models: readonly string[]; allowed: readonly string[] }) =>
    `${andList(models)} may not judge in this channel. Its settings allow ${andList(allowed)}.`,
  requestDeleted: 'The request was deleted.',
};
