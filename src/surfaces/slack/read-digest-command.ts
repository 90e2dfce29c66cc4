/** What `/jury digest …` asks for; `help` where it is not understood. */
export type DigestCommand =
  | { kind: 'schedule'; cron: string; channel: string | null; timezone: string; benchmarks: string[] }
  | { kind: 'list' | 'benchmarks' }
  | { kind: 'preview'; id: string | null }
  | { kind: 'pause' | 'resume' | 'remove'; id: string }
  | { kind: 'help' };

/** Words, with what stands in quotes as one; Slack makes quotes curly. */
const wordsOf = (text: string): string[] =>
  [...text.matchAll(/["“”„]([^"“”„]*)["“”„]|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

const isChannel = (word: string): boolean => /^(#\S+|<#[^>]+>|[CG][A-Z0-9]{5,})$/.test(word);

/** `<#C0123|quality>` is `C0123`; `#quality` stays a name. */
const channelOf = (word: string): string => /^<#([A-Z0-9]+)/.exec(word)?.[1] ?? word;

/** @returns null where the text is about something else, such as a paste */
export function readDigestCommand(text: string): DigestCommand | null {
  const [first = '', verb = '', ...rest] = wordsOf(text.trim());
  if (first.toLowerCase() !== 'digest' || text.includes('\n')) return null;
  const [id] = rest;
  const kind = verb.toLowerCase();
  switch (kind) {
    case 'schedule': {
      const [cron, ...more] = rest;
      if (cron === undefined) return { kind: 'help' };
      const [head] = more;
      const named = head !== undefined && isChannel(head);
      const [timezone = 'UTC', ...benchmarks] = named ? more.slice(1) : more;
      return { kind: 'schedule', cron, channel: named ? channelOf(head) : null, timezone, benchmarks };
    }
    case 'list':
    case 'benchmarks':
      return { kind };
    case 'preview':
      return { kind: 'preview', id: id ?? null };
    case 'pause':
    case 'resume':
    case 'remove':
      return id === undefined ? { kind: 'help' } : { kind, id };
    default:
      return { kind: 'help' };
  }
}
