import { actions, callbacks, command } from './ids.ts';

/**
 * What the app answers to. Listeners are registered from these lists and the manifests are compared with them, so that
 * neither can know more than the other.
 */
export const handled = {
  events: [
    'app_home_opened',
    'app_mention',
    'app_uninstalled',
    'message.im',
    'reaction_added',
    'reaction_removed',
    'tokens_revoked',
  ],
  commands: [command],
  shortcuts: [
    { type: 'message', callbackId: callbacks.messageShortcut },
    { type: 'global', callbackId: callbacks.globalShortcut },
  ],
  views: [callbacks.judgeForm, callbacks.correctionForm, callbacks.settingsForm],
  actions: Object.values(actions),
} as const;

/** The Web API methods that are called, each with the scopes of which one is enough (none: any token will do). */
export const webApiScopes: Readonly<Record<string, readonly string[]>> = {
  'auth.test': [],
  'chat.postMessage': ['chat:write'],
  'chat.postEphemeral': ['chat:write'],
  'chat.update': ['chat:write'],
  'chat.getPermalink': [],
  'chat.startStream': ['chat:write'],
  'chat.appendStream': ['chat:write'],
  'chat.stopStream': ['chat:write'],
  'conversations.replies': ['channels:history', 'groups:history', 'im:history'],
  'conversations.history': ['channels:history', 'groups:history', 'im:history'],
  'files.info': ['files:read'],
  'views.open': [],
  'views.update': [],
  'views.publish': [],
};
