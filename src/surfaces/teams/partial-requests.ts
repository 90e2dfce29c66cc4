import * as z from 'zod';
import { changeText, type KeyValue } from '../../common/index.ts';
import { type SpotCheck, shownFor, type Thread, type ThreadMessage } from '../../requests/index.ts';
import { emptyDraft, findDraft, keepDraft } from '../forms/index.ts';
import { TEAMS } from './ids.ts';

/** As long as a form's draft. */
const KEPT_MS = 3 * 86_400_000;
/** The most halves kept per thread. */
const MOST = 50;

export const KeptHalves = z.array(z.strictObject({ message: z.string(), check: z.string() }));
const draftOf = (check: string): string => `half:${check}`;

/** The halves of a thread or, without threads, of a single message. */
const keyOf = ({ team, channel }: Pick<SpotCheck, 'team' | 'channel'>, thread: string): string =>
  `teams-halves:${team}:${channel}:${thread}`;

/**
 * Halves of conversations that people sent to the app in one thread, such as a request and then its answer. Teams does not let an
 * app read a thread, so only what was sent to it can be put together.
 */
export interface Halves {
  /** @throws JuryError `store-unavailable` */
  keep: (check: SpotCheck) => Promise<void>;
  /**
   * The halves in a thread above a message, including later edits.
   * @throws JuryError `store-unavailable`
   */
  above: (place: Pick<SpotCheck, 'team' | 'channel'>, thread: string, below: string) => Promise<Thread>;
}

export function createHalves(store: KeyValue, now: () => number): Halves {
  async function find(message: string, check: string): Promise<ThreadMessage | null> {
    const draft = await findDraft(store, draftOf(check), now());
    const { withdrawn = false, edit = null } = (await shownFor(store, check, now())) ?? {};
    if (draft === null || withdrawn) return null;
    const text = edit?.input.kind === 'message' ? edit.input.text : (draft.paste ?? '');
    const input = { kind: 'message' as const, message, text, files: [] };
    return { input, author: draft.by?.user ?? '', isByApp: false, isToUs: true };
  }

  return {
    keep: async ({ id: check, team, channel, thread, input, requestedBy: user }) => {
      if (input.kind !== 'message') return;
      const { message, text: paste } = input;
      const by = { surface: TEAMS, user };
      await keepDraft(store, { ...emptyDraft, paste, team, channel, thread, by }, now(), draftOf(check));
      // An edited message that is judged again replaces its earlier entry.
      const withThis = (text: string | null) => {
        const others = KeptHalves.parse(JSON.parse(text ?? '[]')).filter((one) => one.message !== message);
        return JSON.stringify([...others, { message, check }].slice(-MOST));
      };
      await changeText(store, keyOf({ team, channel }, thread ?? message), withThis, now(), KEPT_MS);
    },
    above: async (place, thread, below) => {
      const kept = KeptHalves.parse(JSON.parse((await store.get(keyOf(place, thread), now())) ?? '[]'));
      const messages: ThreadMessage[] = [];
      for (const { message, check } of kept) {
        const half = message === below ? null : await find(message, check);
        if (half !== null) messages.push(half);
      }
      const at = ({ input }: ThreadMessage) => Number(input.message);
      return {
        messages: messages.filter((half) => !(at(half) > Number(below))).sort((a, b) => at(a) - at(b)),
        unread: null,
      };
    },
  };
}
