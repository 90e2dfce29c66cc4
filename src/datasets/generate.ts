import * as z from 'zod';
import { clockTime, weekdayOf } from '../case/format/index.ts';
import { type EvalCase, GROUP_TAG, isRecord, type Turn, type Weekday } from '../case/index.ts';
import { DAY_MS, Id, JuryError, line, nested } from '../common/index.ts';
import { dayOf, noSuch } from '../common/text/index.ts';
import type { Rubric } from '../judging/standards/index.ts';
import { filesOf, type Problems, parseYaml, throwProblems } from '../prompting/index.ts';
import { createRandom, type Random } from '../statistics/index.ts';
import type { Router } from './driving-routes.ts';
import {
  Areas,
  type District,
  type Drawn,
  Drive,
  drawDrive,
  drawOpen,
  Grammar,
  minuteOf,
  Open,
  type Scene,
  type Side,
  type Slots,
  userDistricts,
} from './generator-scene.ts';
import {
  drawNumber,
  drawReach,
  drawTerm,
  NumberDimension,
  Reach,
  TermDimension,
} from './generator-wishes.ts';
import { ManualPlan } from './manual-cases.ts';

const HOLE = /\{([A-Za-z0-9.-]+)\}/g;

const holesOf = (text: string): string[] => [...text.matchAll(HOLE)].map(([, name = '']) => name);

/** Looks up the texts of a grammar that can be filled from these slots. */
function fillable(grammar: Grammar, slots: Slots): (name: string, from?: readonly string[]) => string[] {
  const fillableTexts = new Map<string, string[]>();
  return function textsOf(name, from = []): string[] {
    const remembered = fillableTexts.get(name);
    if (remembered !== undefined) return remembered;
    if (from.includes(name))
      throw new JuryError('bad-file', `The grammar is circular: ${[...from, name].join(' → ')}.`);
    const texts = (grammar[name] ?? []).filter((text) =>
      holesOf(text).every((hole) => Object.hasOwn(slots, hole) || textsOf(hole, [...from, name]).length > 0),
    );
    fillableTexts.set(name, texts);
    return texts;
  };
}

/** Resolves `a(n)`, removes extra spaces and capitalizes sentences. */
const tidied = (text: string): string =>
  text
    .replaceAll(/\b([Aa])\(n\) (?=(\S))/g, (_all, article: string, next: string) =>
      /[aeiou]/i.test(next) ? `${article}n ` : `${article} `,
    )
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[,.?!])/g, '')
    .trim()
    .replaceAll(
      /(^|[.?!] )(\p{Ll})/gu,
      (_all, before: string, letter: string) => before + letter.toUpperCase(),
    );

/**
 * Expands a grammar from `name`, choosing among the texts that the slots can fill. The same stream and slot names always give the same
 * sentence, whatever the slots' values.
 * @throws JuryError `bad-file` if no text can be filled
 */
export function expand(grammar: Grammar, name: string, slots: Slots, random: Random): string {
  const textsOf = fillable(grammar, slots);
  const fill = (text: string): string =>
    text.replaceAll(HOLE, (_all, hole: string) => slots[hole] ?? fill(one(hole)));
  const one = (hole: string): string => {
    const texts = textsOf(hole);
    if (texts.length === 0)
      throw new JuryError(
        'bad-file',
        `No text under "${hole}" of the grammar can be filled with ${Object.keys(slots).join(', ')}.`,
      );
    return random.pick(texts.map((text) => ({ text }))).text;
  };
  return tidied(fill(one(name)));
}

export interface Sources {
  domain: Domain;
  areas: Areas;
  rubric: Rubric;
  router: Router;
  /** Schema that cases must satisfy. */
  schema: z.ZodType<EvalCase>;
  /** How many turns the user takes to say all wishes. Default: 1. */
  turns?: number;
}

/**
 * What the user says in each turn, as names of the grammar.
 * @throws JuryError `usage` if the domain has no talk of so many turns
 */
function talkOf({ id, talks }: Domain, turns: number): readonly string[] {
  const all = [['utterance'], ...talks];
  const talk = all.find(({ length }) => length === turns);
  if (talk !== undefined) return talk;
  throw new JuryError(
    'usage',
    `datasets/${id}.yaml has no conversation of ${turns} turns: choose ${all.map(({ length }) => length).join(' or ')}.`,
  );
}

/** One user's cases: the correct one first, then one per error. */
export type UserCases = readonly EvalCase[];

async function draw(dimension: Dimension, scene: Scene): Promise<Drawn> {
  switch (dimension.kind) {
    case 'drive':
      return drawDrive(dimension, scene);
    case 'open':
      return drawOpen(dimension, scene);
    case 'term':
      return drawTerm(dimension, scene);
    case 'number':
      return drawNumber(dimension, scene);
    case 'reach':
      return drawReach(dimension, scene);
  }
}

interface Moment {
  date: string;
  weekday: Weekday;
  minute: number;
}

/** @param below returns a random integer from 0 up to, but not including, its argument */
function momentOf({ moment }: Domain, below: (count: number) => number): Moment {
  const first = Date.UTC(moment.year, 0, 1);
  const date = dayOf(first + below((Date.UTC(moment.year + 1, 0, 1) - first) / DAY_MS) * DAY_MS);
  const [from, to] = [minuteOf(moment.from), minuteOf(moment.to)];
  return {
    date,
    weekday: weekdayOf(date) ?? 'monday',
    minute: from + below(to - from + 1),
  };
}

const merged = (slots: readonly Slots[]): Slots => Object.assign({}, ...slots);

async function drawAll(
  { domain, areas, rubric, router }: Sources,
  place: District,
  moment: Moment,
  stream: (use: string) => Scene['random'],
): Promise<Drawn[]> {
  const drawn = new Map<string, Drawn>();
  for (const dimension of domain.dimensions) {
    const { id } = dimension;
    const criterion = rubric.criteria.find((one) => one.id === id);
    if (criterion === undefined)
      throw new JuryError(
        'bad-file',
        `Dimension "${id}" of datasets/${domain.id}.yaml is not a criterion of the rubric "${rubric.id}" (${rubric.criteria.map((one) => one.id).join(', ')}).`,
      );
    const scene = { place, ...moment, areas, router, criterion, before: drawn, random: stream(id) };
    drawn.set(id, await draw(dimension, scene));
  }
  return [...drawn.values()];
}

/**
 * Generates a user's situation, wishes and cases: one recommendation that meets all wishes, then one per dimension that fails in that
 * dimension alone (Habicht et al., section 5, algorithms 1 to 3). A user depends only on the seed and the user number, so adding users does
 * not change earlier ones.
 * @param user starts at 1
 * @throws JuryError `bad-file` if the domain's grammar or areas are insufficient
 */
async function generateUser(sources: Sources, seed: number, user: number): Promise<UserCases> {
  const { domain, areas, schema, turns = 1 } = sources;
  const stream = (use: string) => createRandom(domain.id, seed, user, use);
  const place = stream('place').pick(userDistricts(areas));
  const moment = momentOf(domain, stream('moment').below);
  const drawn = await drawAll(sources, place, moment, stream);
  const fixed = Object.fromEntries(
    Object.entries(domain.fields).map(([path, name]) => [
      path,
      expand(domain.grammar, name, {}, stream(`field ${path}`)),
    ]),
  );
  const names = Object.fromEntries(
    Object.entries(fixed).map(([path, text]) => [path.split('.').at(-1), text]),
  );
  const wishes = merged(drawn.map(({ wish }) => wish));
  // What the system says in between fits the wishes, whatever is wrong in the end.
  const answers = merged(drawn.map(({ right }) => right.said));
  const conversation = talkOf(domain, turns).flatMap((name, index, all): Turn[] => [
    {
      role: 'user',
      text: expand(domain.grammar, name, wishes, stream(all.length === 1 ? 'utterance' : `turn ${index}`)),
    },
    ...(index + 1 < all.length
      ? [
          {
            role: 'system' as const,
            text: expand(domain.grammar, 'between', answers, stream(`between ${index}`)),
          },
        ]
      : []),
  ]);

  const situation = !domain.situated
    ? {}
    : {
        'context.date': moment.date,
        'context.time': clockTime(moment.minute),
        'context.location': {
          latitude: place.latitude,
          longitude: place.longitude,
          description: place.description,
        },
      };

  const name = `u${String(user).padStart(3, '0')}`;
  const caseWith = (error: string | null): EvalCase => {
    const sides: Side[] = drawn.map(({ id, right, wrong }) => (id === error ? wrong : right));
    const slots = merged([names, ...sides.map((side) => side.said)]);
    const { tags, ...fields } = nested(
      Object.assign({}, situation, fixed, ...sides.map((side) => side.fields)),
    );
    return schema.parse({
      id: `${name}-${error ?? 'right'}`,
      rubric: domain.rubric,
      conversation,
      // All cases use the same stream, so that the wording does not reveal the error.
      response: expand(domain.grammar, 'response', slots, stream('response')),
      ...fields,
      language: domain.language,
      tags: { ...(isRecord(tags) ? tags : {}), [GROUP_TAG]: name },
      label: error === null ? { decision: 'pass' } : { decision: 'fail', errorType: error },
    });
  };
  return [null, ...domain.dimensions.map(({ id }) => id)].map(caseWith);
}

/** Number of users generated concurrently, since drives may require network requests. */
const CONCURRENCY = 8;

/**
 * Generates the cases of users 1 to `users`, in order.
 * @throws JuryError like `generateUser`, or the router's error
 */
export async function generate(sources: Sources, seed: number, users: number): Promise<UserCases[]> {
  const all: UserCases[] = [];
  for (let from = 1; from <= users; from += CONCURRENCY) {
    const batch = Array.from(
      { length: Math.min(CONCURRENCY, users - from + 1) },
      (_none, index) => from + index,
    );
    all.push(...(await Promise.all(batch.map((user) => generateUser(sources, seed, user)))));
  }
  return all;
}

const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time like 20:35');

const Dimension = z.discriminatedUnion('kind', [Drive, Open, TermDimension, NumberDimension, Reach]);
export type Dimension = z.infer<typeof Dimension>;

/**
 * Describes data to generate, from `prompts/datasets/<id>.yaml`: what users ask for, how they phrase it, and what places are like. Each
 * dimension is one possible error and has the ID of the criterion that judges it.
 */
export const Domain = z
  .strictObject({
    id: Id,
    title: line,
    source: line,
    /** The rubric that judges the cases. */
    rubric: Id,
    /** Language of the utterances. */
    language: line.default('en'),
    /** Locations of users and places: a file in `prompts/datasets/areas/`. */
    areas: Id,
    /** When users ask: any day of the year, any minute from `from` to `to`. */
    moment: z.strictObject({ year: z.int().min(1900).max(2200), from: Clock, to: Clock }),
    /** Whether cases say when and where the user asks. */
    situated: z.boolean().default(true),
    /** Grammar text for fields that are the same in all cases of a user, such as the venue's name. */
    fields: z.record(line, line).default({}),
    /** How users and the system phrase things, starting from `utterance` and `response`. */
    grammar: Grammar,
    /** What the user says turn by turn, as names of the grammar, for each number of turns above one; with `between` for the system. */
    talks: z.array(z.array(z.string()).min(2)).default([]),
    /** In the order of the errors. A dimension must come after those it depends on. */
    dimensions: z.array(Dimension).min(1),
  })
  .superRefine(({ dimensions, grammar, moment, talks }, context) => {
    const reject = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    const ids = dimensions.map(({ id }) => id);
    for (const [index, id] of ids.entries())
      if (ids.indexOf(id) !== index) reject(['dimensions', index, 'id'], `"${id}" is there twice`);
    for (const name of ['utterance', 'response', ...talks.flat(), ...(talks.length > 0 ? ['between'] : [])])
      if (!Object.hasOwn(grammar, name)) reject(['grammar', name], 'is missing');
    if (moment.from > moment.to) reject(['moment'], 'must run from the earlier time to the later');
  });
export type Domain = z.infer<typeof Domain>;

/** Reads and checks a file of `prompts/datasets/`. */
export function readDataFile<T extends z.ZodType>(
  folders: readonly string[],
  folder: string,
  kind: string,
  id: string,
  schema: T,
): z.infer<T> {
  const problems: Problems = [];
  const files = filesOf(folders, folder, '.yaml', problems);
  const file = files.get(id);
  if (file === undefined) throw noSuch(kind, id, [...files.keys()]);
  const data = parseYaml(schema, file, problems);
  throwProblems(problems);
  if (data === undefined) throw new JuryError('internal', `${file.path} was not read.`);
  return data;
}

/**
 * The ID of a domain in a language: `navigation-de` is `navigation` in German.
 * @throws JuryError `usage` if there is no such file
 */
export function domainIn(folders: readonly string[], id: string, language: string | undefined): string {
  if (language === undefined || loadDomain(folders, id).domain.language === language) return id;
  return loadDomain(folders, `${id}-${language}`).domain.id;
}

/**
 * Reads and checks a domain and its areas. A file in a later folder replaces one with the same ID.
 * @throws JuryError `usage` for an unknown ID, `bad-file` for an invalid file
 */
export function loadDomain(folders: readonly string[], id: string): { domain: Domain; areas: Areas } {
  const domain = readDataFile(folders, 'datasets', 'domain', id, Domain);
  return { domain, areas: readDataFile(folders, 'datasets/areas', 'file of areas', domain.areas, Areas) };
}

/**
 * Reads and checks how cases are made of a manual.
 * @throws JuryError `usage` for an unknown ID, `bad-file` for an invalid file
 */
export const loadManualPlan = (folders: readonly string[], id: string): ManualPlan =>
  readDataFile(folders, 'datasets/manuals', 'plan', id, ManualPlan);

/**
 * Reads the instructions for the model that paraphrases requests.
 * @throws JuryError `bad-file` if they are missing
 */
export function loadInstructions(folders: readonly string[]): string {
  const file = filesOf(folders, 'datasets', '.md', []).get('paraphrase');
  if (file === undefined) throw new JuryError('bad-file', 'datasets/paraphrase.md: is missing');
  return file.text.trim();
}
