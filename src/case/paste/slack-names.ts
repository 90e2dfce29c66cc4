import { excerpt } from './clean-text.ts';

/** `Anna  10:32 AM`, the line above each message that Slack copies; names of roles are labels and never come here. */
const NAMED =
  /^ {0,4}(\p{Lu}[\p{L}\p{M}\p{N}.'’_-]{0,30}(?: [\p{L}\p{M}\p{N}.'’_()-]{1,30}){0,3}?)(?: {1,3}APP)?(?: {2,8}\[?\d{1,2}:\d{2}(?: ?[AaPp][Mm])?\]?| \[?\d{1,2}:\d{2} ?[AaPp][Mm]\]?) {0,4}$/u;

/** Who a line names as speaking, in Slack's way of copying. */
export const speakerOf = (line: string): string | null =>
  line.length > 160 ? null : (NAMED.exec(line.replaceAll('\t', '  '))?.[1]?.trim() ?? null);

/** Most names told. */
const MAX_TOLD = 5;

/** Says who was seen as speaking and how to say who is who; empty where nobody was. */
export function seenSpeaking(speakers: ReadonlyMap<string, string>): string {
  const [first] = speakers;
  if (first === undefined) return '';
  const names = [...speakers.keys()];
  const more = names.length > MAX_TOLD ? ` and ${names.length - MAX_TOLD} more` : '';
  return `Seen as speaking: ${names.slice(0, MAX_TOLD).join(', ')}${more}, but not who is the user and who the system: in place of each line such as "${excerpt(first[1], 60)}" write "User:" or "System:".`;
}
