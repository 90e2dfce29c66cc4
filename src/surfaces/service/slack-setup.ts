import type { Env } from '../../env.ts';

/** How Slack is set up: over a socket, over HTTP, or what is missing, and whether somebody began. */
export type SlackSetup =
  | { kind: 'socket'; botToken: string; appToken: string }
  | { kind: 'http'; botToken: string; signingSecret: string }
  | { kind: 'off'; needs: string; begun: boolean };

/** What the environment says of Slack. Nothing is tried. */
export function slackSetup({ settings }: Pick<Env, 'settings'>): SlackSetup {
  const {
    SLACK_BOT_TOKEN: botToken,
    SLACK_APP_TOKEN: appToken,
    SLACK_SIGNING_SECRET: signingSecret,
  } = settings;
  if (botToken === undefined) {
    const rest = Object.entries({ SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret });
    const set = rest.flatMap(([name, value]) => (value === undefined ? [] : [name]));
    return {
      kind: 'off',
      needs:
        set.length > 0
          ? `${set.join(' and ')} ${set.length > 1 ? 'are' : 'is'} set; set SLACK_BOT_TOKEN too`
          : 'set SLACK_BOT_TOKEN, and SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP)',
      begun: set.length > 0,
    };
  }
  if (appToken !== undefined) return { kind: 'socket', botToken, appToken };
  if (signingSecret !== undefined) return { kind: 'http', botToken, signingSecret };
  return {
    kind: 'off',
    needs: 'SLACK_BOT_TOKEN is set; set SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP) too',
    begun: true,
  };
}
