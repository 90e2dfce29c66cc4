import * as z from 'zod';
import { parseJson } from '../case/paste/index.ts';

/**
 * Public data sets of conversations with a recommender, each conversation as one row: the turns, what was recommended in each turn of the
 * system, and what the user wanted, where the data says so. What the recommender itself named is never what the user wanted: recall of it
 * would be right by construction.
 */
type DialogRow = Readonly<Record<string, unknown>>;

/** A conversation, and what the data set can and cannot measure. */
export interface Dialog {
  row: DialogRow;
  note: string;
}

const RE_DIAL =
  'ReDial: the recommender is a person. Judges can rate the conversations; recall cannot be counted, because the movies that the seeker liked (tags.liked) are among those that the recommender named.';
const OPEN_DIAL_KG =
  'OpenDialKG: both sides are people. Judges can rate the conversations, beside the rating of the user (tags.userRating); recall cannot be counted, because the data does not say what the user wanted.';
const I_EVA_LM =
  'iEvaLM, simulated: the ground truth is the target that the simulated user was given. Recall can be counted in the last list of the recommender; the items of earlier lists are not named.';
const I_EVA_LM_SOURCE =
  'iEvaLM, not simulated: the answer is the one of the source data, and its items (tags.target) are what the recommender named. Judges can rate the conversations; recall cannot be counted.';

interface Said {
  role: 'user' | 'system';
  text: string;
  /** Items that the system recommends in this turn. */
  items: readonly string[];
}

/** Consecutive turns of one side as one. */
function merged(said: readonly Said[]): Said[] {
  const turns: Said[] = [];
  for (const one of said) {
    if (one.text === '') continue;
    const last = turns.at(-1);
    if (last?.role !== one.role) turns.push(one);
    else
      turns[turns.length - 1] = {
        ...last,
        text: `${last.text}\n${one.text}`,
        items: [...last.items, ...one.items],
      };
  }
  return turns;
}

/**
 * The row of a conversation: the last turn of the system is judged, and what the user says after it is the closing.
 * @returns null if the system says nothing, or the user says nothing before
 */
function rowOf(said: readonly Said[], about: DialogRow): DialogRow | null {
  const turns = merged(said);
  const last = turns.findLastIndex(({ role }) => role === 'system');
  const before = turns.slice(0, last);
  const judged = turns[last];
  if (judged === undefined || !before.some(({ role }) => role === 'user')) return null;
  const closing = turns[last + 1]?.text;
  const recommendations = turns
    .filter(({ role }) => role === 'system')
    .map(({ items }) => [...new Set(items.filter((item) => item !== ''))]);
  return {
    ...about,
    conversation: before.map(({ role, text }) => ({ role, text })),
    response: judged.text,
    ...(closing === undefined ? {} : { closing }),
    ...(recommendations.some((items) => items.length > 0) ? { recommendations } : {}),
  };
}

/** Items in one field; no field for none. */
const itemsAs = (field: 'groundTruth' | 'tags.liked' | 'tags.target', items: readonly string[]): DialogRow =>
  items.length === 0 ? {} : { [field]: items.join(field === 'groundTruth' ? '\n' : '; ') };

const dialogOf = (row: DialogRow | null, note: string): Dialog | null =>
  row === null ? null : { row, note };

const Flag = z.union([z.number(), z.boolean()]);
const About = z.looseObject({ suggested: Flag.optional(), liked: Flag.optional() });
const Movie = z.looseObject({ movieId: z.string() });

/** A dictionary by movie, or the same as a list. */
const byMovie = <T extends z.ZodType>(value: T) => z.union([z.record(z.string(), value), z.array(Movie)]);

const ReDial = z.looseObject({
  conversationId: z.union([z.string(), z.number()]),
  initiatorWorkerId: z.number(),
  messages: z.array(z.looseObject({ senderWorkerId: z.number(), text: z.string() })),
  movieMentions: byMovie(z.string().nullable()),
  initiatorQuestions: byMovie(About).optional(),
});

/** What is known of each movie, by its id. */
const entriesOf = (value: z.infer<typeof ReDial>['movieMentions' | 'initiatorQuestions']) =>
  Array.isArray(value)
    ? value.map((one) => [one.movieId, one] as const)
    : Object.entries(value ?? {}).map(([id, one]) => [id, one] as const);

/** ReDial (Li et al., 2018): movies stand in the text as `@ID`; the seeker says which suggestions they liked, which the recommender named. */
function reDial(value: unknown): Dialog | null {
  const { data } = ReDial.safeParse(value);
  if (data === undefined) return null;
  const names = new Map(
    entriesOf(data.movieMentions).flatMap(([id, one]) => {
      const name =
        typeof one === 'string'
          ? one
          : z.looseObject({ movieName: z.string() }).safeParse(one).data?.movieName;
      return name === undefined ? [] : [[id, name.trim()] as const];
    }),
  );
  const said = data.messages.map(({ senderWorkerId, text }): Said => {
    const role = senderWorkerId === data.initiatorWorkerId ? 'user' : 'system';
    const items: string[] = [];
    const read = text.replaceAll(/@(\d+)/g, (mark, id: string) => {
      const name = names.get(id);
      if (name === undefined) return mark;
      items.push(name);
      return name;
    });
    return { role, text: read.trim(), items };
  });
  const liked = entriesOf(data.initiatorQuestions).flatMap(([id, one]) => {
    const { suggested, liked: likes } = About.safeParse(one).data ?? {};
    // 2: the seeker did not say.
    return Number(suggested) === 1 && Number(likes) === 1 ? (names.get(id) ?? []) : [];
  });
  const about = { id: `redial-${data.conversationId}`, 'tags.dataset': 'ReDial' };
  return dialogOf(rowOf(said, { ...about, ...itemsAs('tags.liked', liked) }), RE_DIAL);
}

const KgMessages = z.array(
  z.looseObject({
    type: z.string(),
    sender: z.enum(['user', 'assistant']),
    message: z.string().optional(),
    metadata: z.looseObject({ path: z.array(z.unknown()).optional() }).optional(),
  }),
);
const Triples = z.array(z.tuple([z.string(), z.string(), z.string()]));

/** The item that a path through the knowledge graph leads to. */
const targetOf = (path: readonly unknown[] | undefined): string[] => {
  const target = Triples.safeParse(path?.[1]).data?.at(-1)?.[2];
  return target === undefined ? [] : [target];
};

/**
 * OpenDialKG (Moon et al., 2019): a row of a CSV file with all messages as JSON. Before a turn the speaker may choose a path through the
 * knowledge graph: where the assistant's leads to is what it recommends. The data does not say what the user wanted.
 */
export function openDialKg(cells: ReadonlyMap<string, unknown>): Dialog | null {
  const [messages, userRating] = ['Messages', 'User Rating'].map((name) => cells.get(name));
  if (typeof messages !== 'string' || userRating === undefined || !cells.has('Assistant Rating')) return null;
  const parsed = parseJson(messages);
  const { data } = KgMessages.safeParse('value' in parsed ? parsed.value : null);
  if (data === undefined) return null;
  const said: Said[] = [];
  let items: string[] = [];
  for (const { type, sender, message = '', metadata } of data) {
    const role = sender === 'user' ? 'user' : 'system';
    if (type !== 'chat') items = role === 'system' ? targetOf(metadata?.path) : [];
    else {
      said.push({ role, text: message.trim(), items });
      items = [];
    }
  }
  const rating = String(userRating).trim();
  const row = rowOf(said, {
    'tags.dataset': 'OpenDialKG',
    ...(rating === '' ? {} : { 'tags.userRating': rating }),
  });
  return dialogOf(row, OPEN_DIAL_KG);
}

const SimulatedTurn = z.looseObject({ role: z.enum(['user', 'assistant']), content: z.string() });
const IEvaLm = z.looseObject({
  dialog_id: z.union([z.string(), z.number()]),
  turn_id: z.union([z.string(), z.number()]),
  context: z.array(z.string()),
  rec: z.array(z.string()),
  resp: z.string().optional(),
  simulator_dialog: z.looseObject({ context: z.array(SimulatedTurn) }).optional(),
  persuasiveness_score: z.union([z.string(), z.number()]).optional(),
});

/** The items of a list in a text: `1: Name`, one a line. */
const listed = (text: string): string[] =>
  [...text.matchAll(/^(?:.*: ?)?\d+: (.+)$/gm)].map(([, name = '']) => name.trim());

/**
 * iEvaLM (Wang et al., 2023): a dialog of a simulated user with a recommender, or the data that it begins with. Items are named in the last
 * turn of the system, which lists them; elsewhere they are numbers of a file that is not part of the dialog. The target is what the
 * recommender of the source data names next: a ground truth for the simulated dialog, but not for the source's own answer.
 */
function iEvaLm(value: unknown): Dialog | null {
  const { data } = IEvaLm.safeParse(value);
  if (data === undefined) return null;
  const given = data.context.map(
    (text, at): Said => ({ role: at % 2 === 0 ? 'user' : 'system', text, items: [] }),
  );
  const simulated = data.simulator_dialog?.context.map(
    ({ role, content }): Said => ({
      role: role === 'user' ? 'user' : 'system',
      text: content.trim(),
      items: role === 'user' ? [] : listed(content),
    }),
  );
  const answer: Said[] =
    data.resp === undefined ? [] : [{ role: 'system', text: data.resp.trim(), items: [] }];
  const persuades = String(data.persuasiveness_score ?? '').trim();
  const row = rowOf(simulated ?? [...given, ...answer], {
    id: `${data.dialog_id}_${data.turn_id}`,
    ...itemsAs(simulated === undefined ? 'tags.target' : 'groundTruth', data.rec),
    ...(persuades === '' ? {} : { 'tags.persuasiveness': persuades }),
  });
  return dialogOf(row, simulated === undefined ? I_EVA_LM_SOURCE : I_EVA_LM);
}

/** An object that is a conversation of a known data set; null if it is none, or nothing in it can be judged. */
export const readDialog = (value: unknown): Dialog | null => reDial(value) ?? iEvaLm(value);
