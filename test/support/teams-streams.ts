import * as z from 'zod';

/** What the library's `StreamInfoEntity` says, as strictly as Teams documents it. */
const Informative = z.strictObject({
  type: z.literal('streaminfo'),
  streamType: z.literal('informative'),
  streamId: z.string().optional(),
  streamSequence: z.int().min(1),
});
const Final = z.strictObject({
  type: z.literal('streaminfo'),
  streamType: z.literal('final'),
  streamId: z.string(),
});
const StreamInfo = z.discriminatedUnion('streamType', [Informative, Final]);

const Streamed = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('typing'), text: z.string().min(1), info: Informative }),
  z.looseObject({ type: z.literal('message'), info: Final }),
]);

/** A stream of statuses in a personal chat. */
export interface TeamsStream {
  id: string;
  conversation: string;
  statuses: string[];
  begunAt: number;
  state: 'open' | 'stopped' | 'ended';
}

const OPEN_MS = 120_000;
/** A timer may be a little early. */
const EARLY_MS = 10;

interface Sent {
  type: string;
  text?: string | undefined;
  entities?: { type: string }[] | undefined;
}

interface Taken {
  status: number;
  body: object;
  /** The id of the stream that became a message. */
  ended?: string;
}

/**
 * Teams' protocol of streams, as documented; what breaks it is noted.
 * @param betweenMs the least time between two writes; Teams takes one a second
 */
export function createStreamsDouble(newId: () => string, betweenMs = 1_000) {
  const all: TeamsStream[] = [];
  const violations: string[] = [];
  const writes = new Map<string, number>();
  let ahead = 0;
  const now = (): number => performance.now() + ahead;
  const isOver = ({ begunAt }: TeamsStream): boolean => now() - begunAt > OPEN_MS;

  const refused = (status: number, message: string): Taken => ({
    status,
    body: { error: { code: 'ContentStreamNotAllowed', message } },
  });
  function wrong(what: string): Taken {
    violations.push(what);
    return refused(400, what);
  }

  function begin(conversation: string, text: string, sequence: number): Taken {
    if (sequence !== 1) return wrong(`number ${sequence} begins a stream`);
    if (all.some((one) => one.conversation === conversation && one.state === 'open' && !isOver(one)))
      return wrong('a second stream in a chat');
    const id = newId();
    all.push({ id, conversation, statuses: [text], begunAt: now(), state: 'open' });
    return { status: 201, body: { id } };
  }

  function refusalOf(stream: TeamsStream | undefined): Taken | null {
    if (stream === undefined) return wrong('there is no such stream');
    if (stream.state === 'stopped') return refused(403, 'Content stream was canceled by user.');
    if (stream.state === 'ended')
      return refused(403, 'Content stream is not allowed on an already completed streamed message');
    return isOver(stream) ? refused(403, 'Content stream finished due to exceeded streaming time.') : null;
  }

  return {
    all,
    violations,
    /** So much more time has passed. */
    pass: (ms: number) => {
      ahead += ms;
    },
    /** Someone presses the Stop that Teams shows at a stream. */
    stop: (conversation: string) => {
      for (const stream of all)
        if (stream.conversation === conversation && stream.state === 'open') stream.state = 'stopped';
    },
    /** Whether what is changed is a stream that has become a message because its time is over. */
    becomesMessage: (id: string): boolean => {
      const stream = all.find((one) => one.id === id && one.state === 'open');
      if (stream === undefined) return false;
      if (!isOver(stream)) violations.push('an open stream is changed as a message');
      stream.state = 'ended';
      return true;
    },
    take: (conversation: string, activity: Sent): Taken => {
      const info = activity.entities?.find(({ type }) => type === 'streaminfo');
      const read = Streamed.safeParse({ ...activity, info: StreamInfo.safeParse(info).data });
      if (!read.success) return wrong(`${JSON.stringify(info)}: ${read.error.message}`);
      const sent = read.data;
      if (!conversation.startsWith('a:')) return wrong('only personal chats have streams');
      const since = now() - (writes.get(conversation) ?? Number.NEGATIVE_INFINITY);
      if (since < betweenMs - EARLY_MS) return wrong(`the write before was ${Math.round(since)} ms ago`);
      writes.set(conversation, now());
      if (sent.type === 'typing' && sent.info.streamId === undefined)
        return begin(conversation, sent.text, sent.info.streamSequence);
      const stream = all.find(({ id }) => id === sent.info.streamId);
      const refusal = refusalOf(stream);
      if (refusal !== null || stream === undefined) return refusal ?? wrong('there is no such stream');
      if (sent.type === 'message') {
        stream.state = 'ended';
        return { status: 202, body: {}, ended: stream.id };
      }
      if (sent.info.streamSequence !== stream.statuses.length + 1)
        return wrong(`number ${sent.info.streamSequence} after ${stream.statuses.length}`);
      stream.statuses.push(sent.text);
      return { status: 202, body: {} };
    },
  };
}
