import { actions, callbacks, command } from '../../../src/surfaces/slack/ids.ts';

/** What the app answers to: listeners and manifests are compared with these lists, so that neither can know more than the other. */
export const handled = {
  /** Events by name, with the scope that Slack asks for them (null: none). */
  events: {
    app_home_opened: null,
    app_mention: 'app_mentions:read',
    app_uninstalled: null,
    'message.im': 'im:history',
    reaction_added: 'reactions:read',
    reaction_removed: 'reactions:read',
    tokens_revoked: null,
  },
  commands: [command],
  shortcuts: [
    { type: 'message', callbackId: callbacks.messageShortcut },
    { type: 'global', callbackId: callbacks.globalShortcut },
  ],
  /** Forms that are submitted. */
  views: [
    callbacks.judgeForm,
    callbacks.correctionForm,
    callbacks.settingsForm,
    callbacks.setForm,
    callbacks.ruleForm,
    callbacks.knownAnswerForm,
    callbacks.startStudyForm,
    callbacks.scheduleForm,
    callbacks.studyForm,
  ],
  actions: Object.values(actions),
} as const;

/** Features of the manifest that ask for a scope by being there. */
export const featureScopes: Readonly<Record<string, string>> = {
  agent_view: 'assistant:write',
  shortcuts: 'commands',
  slash_commands: 'commands',
};

/**
 * The Web API methods that are called, each with all scopes that it needs for the conversations that the app is in. A direct
 * message is the viewer's own, so its members are not looked up.
 */
export const webApiScopes: Readonly<Record<string, readonly string[]>> = {
  'assistant.threads.setStatus': ['assistant:write'],
  'assistant.threads.setSuggestedPrompts': ['assistant:write'],
  'auth.test': [],
  'chat.delete': ['chat:write'],
  'chat.postEphemeral': ['chat:write'],
  'chat.postMessage': ['chat:write'],
  'chat.stopStream': ['chat:write'],
  'chat.update': ['chat:write'],
  'conversations.history': ['channels:history', 'groups:history', 'im:history'],
  'conversations.info': ['channels:read', 'groups:read', 'mpim:read'],
  'conversations.members': ['channels:read', 'groups:read', 'mpim:read'],
  'conversations.open': ['im:write'],
  'conversations.replies': ['channels:history', 'groups:history', 'im:history'],
  'files.completeUploadExternal': ['files:write'],
  'files.getUploadURLExternal': ['files:write'],
  'files.info': ['files:read'],
  'reactions.add': ['reactions:write'],
  'reactions.remove': ['reactions:write'],
  'users.info': ['users:read'],
  'views.open': [],
  'views.publish': [],
  'views.push': [],
  'views.update': [],
};
