/**
 * The address of a message, put together as Slack does, without asking for it.
 *
 * @param workspaceUrl `https://acme.slack.com/`
 */
export function permalinkOf(
  workspaceUrl: string,
  channel: string,
  ts: string,
  thread: string | null,
): string {
  const link = new URL(`archives/${channel}/p${ts.replace('.', '')}`, workspaceUrl);
  if (thread !== null && thread !== ts) {
    link.searchParams.set('thread_ts', thread);
    link.searchParams.set('cid', channel);
  }
  return link.href;
}
