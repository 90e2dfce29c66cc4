import { counted, jsonLine } from '../../common/text/index.ts';
import type { Env } from '../../env.ts';
import {
  findModel,
  type KnownModel,
  keyVariable,
  knownModels,
  type Price,
  providers,
} from '../../judges/llm/index.ts';
import { RULES } from '../../judges/rules/index.ts';
import { currentOf, entry, type Method, type Rubric, withSettings } from '../../judging/standards/index.ts';
import { fileOf, type Library } from '../../prompting/index.ts';
import { type CommandContext, type JsonFlag, list } from '../terminal/index.ts';

/**
 * Lists the entries of a prompt folder, or prints the file of one entry verbatim, as a template to start from.
 *
 * @param entriesOf the entries in force
 * @param linesOf an entry's lines in the list
 */
const listing =
  <T extends { id: string; source: string }>(
    folder: string,
    ending: '.yaml' | '.md',
    entriesOf: (library: Library) => ReadonlyMap<string, T>,
    linesOf: (item: T) => string[],
  ) =>
  async (context: CommandContext, id: string | undefined, { json }: JsonFlag): Promise<void> => {
    const { promptFolders } = await context.env();
    const template = json || id === undefined ? undefined : fileOf(promptFolders, folder, ending, id);
    // Checking the other files would fail: if the template is redirected into the folder, the shell has already made an empty file there.
    if (template !== undefined && !id?.includes('@')) return context.out(template.text.trimEnd());
    const { library } = await context.parts();
    const entries = entriesOf(library);
    const chosen =
      id === undefined
        ? currentOf(entries).sort((a, b) => (a.id < b.id ? -1 : 1))
        : [entry(folder.slice(0, -1), entries, id)];
    if (json) for (const item of chosen) context.out(jsonLine(item));
    else if (template !== undefined) context.out(template.text.trimEnd());
    else
      list(
        context,
        chosen.map((item) => ({ id: item.id, lines: linesOf(item), source: item.source })),
      );
  };

const seatsText = ({ seats, playsPanel }: Method): string => {
  if (playsPanel) return 'one judge that plays the panel’s personas in turn';
  if (typeof seats === 'object')
    return 'samples' in seats ? `one judge, ${seats.samples} samples` : `${seats.agents} agents`;
  switch (seats) {
    case 'one':
      return 'one judge';
    case 'personas':
      return 'one judge per persona';
    case 'models':
      return 'one judge per model';
    case 'pairs':
      return 'one judge per persona, each with a model of its own';
    case 'personas-and-models':
      return 'one judge per persona and model';
  }
};

function methodText(method: Method): string {
  const stop = {
    never: '',
    decided: ', ends once the majority is decided',
    unanimous: ', ends when all agree',
  }[method.stop];
  const rounds = method.rounds === 1 ? '' : `, up to ${method.rounds} rounds`;
  const examples = method.examples === 0 ? '' : `, ${counted(method.examples, 'worked example')}`;
  const reduce = { majority: 'majority', weighted: 'confidence-weighted vote', mean: 'mean' }[method.reduce];
  const result = method.seats === 'one' ? 'its answer' : reduce;
  const apart = method.criteria === 'one-by-one' ? ', one question per criterion' : '';
  const silent = method.reasoning === 'none' ? ', without reasons' : '';
  return `${firstText(method)}${seatsText(method)}${apart}${examples}${silent}${rounds}${stop}; ${result}; temperature ${method.temperature}`;
}

/** What happens before the panel is asked. */
function firstText({ ratedFirst }: Method): string {
  if (ratedFirst === undefined) return '';
  const how = ratedFirst.criteria === 'one-by-one' ? 'one by one' : 'together';
  return `first a neutral judge per model rates the criteria ${how}, then on the overall question: `;
}

/** `jury methods`: ways of judging, with what each does. */
export const methods = listing(
  'methods',
  '.yaml',
  (library) => library.methods,
  (method) => [method.title, methodText(method)],
);

/** The criteria, by dimension if the rubric has any, with what a case must provide for each. */
function criteriaLines({ criteria }: Rubric): string[] {
  const dimensions = [...new Set(criteria.map(({ dimension }) => dimension))];
  return dimensions.map((dimension) => {
    const names = criteria
      .filter((criterion) => criterion.dimension === dimension)
      .map(({ id, needs }) => (needs.length > 0 ? `${id} (with ${needs.join(', ')})` : id));
    return `${dimension === undefined ? 'criteria' : dimension.toLowerCase()}: ${names.join(', ')}`;
  });
}

/** `jury rubrics`: standards, with what a case must provide for each. */
export const rubrics = listing(
  'rubrics',
  '.yaml',
  (library) => library.rubrics,
  (rubric) => [
    rubric.title,
    `needs: ${['conversation', 'response', ...rubric.needs].join(', ')}`,
    ...criteriaLines(rubric),
    ...(rubric.overall === undefined ? [] : [`overall: ${rubric.overall.title}`]),
    `panel: ${rubric.panel.join(', ')}; method: ${rubric.method}`,
  ],
);

/** A persona's character: the sentence after the one that says who it is. */
const characterOf = (voice: string): string => {
  const sentences = voice.replaceAll(/\s+/g, ' ').split(/(?<=[.?!]) /);
  return sentences[1] ?? voice;
};

/** `jury personas`: points of view. */
export const personas = listing(
  'personas',
  '.md',
  (library) => library.personas,
  (persona) => [
    persona.title,
    characterOf(withSettings(persona, {}).voice),
    ...Object.entries(persona.settings ?? {}).map(
      ([name, { title, default: usual }]) => `--set ${name}=…: ${title}; by default ${usual}`,
    ),
  ],
);

/** The source shown for the user's own prices. */
const PRICE_FILE = 'JURY_PRICES';

const dollars = (value: number): string => `$${value}`;

function priceText({ input, cachedInput, output }: Price): string {
  const cached = cachedInput === null ? '' : ` (cached ${dollars(cachedInput)})`;
  return `${dollars(input)}${cached} in, ${dollars(output)} out per million tokens`;
}

function textOf({ contextWindow, reasoning, output }: KnownModel, price: Price): string {
  const window = contextWindow === null ? '' : `; ${Math.round(contextWindow / 1000)}k tokens`;
  const traits = [reasoning ? 'reasoning' : '', `replies by ${output}`]
    .filter((trait) => trait !== '')
    .join(', ');
  return `${priceText(price)}${window}; ${traits}`;
}

/** Whether a provider can be called with the current settings, in a few words. */
function readiness(env: Env, provider: string): string {
  const { apiKey, baseUrl } = env.provider(provider);
  const listed = providers[provider];
  if (apiKey !== undefined || baseUrl !== undefined || listed?.needsKey === false) return 'ready';
  return `set ${keyVariable(provider)}`;
}

/** `jury models`: the built-in judge, then known models by provider, with prices and whether each can be called. */
export async function models(context: CommandContext, { json }: JsonFlag): Promise<void> {
  const { out, screen } = context;
  const env = await context.env();
  const { of: priceOf, own: ownPrices } = env.prices;
  if (json) {
    out(jsonLine({ id: RULES, ready: true }));
    for (const model of knownModels())
      out(
        jsonLine({
          ...model,
          price: priceOf(model.id),
          ready: readiness(env, model.id.slice(0, model.id.indexOf('/'))) === 'ready',
        }),
      );
    return;
  }
  list(context, [
    {
      id: RULES,
      lines: ['Exact checks without any model: no key, no network, no cost'],
      source: 'Jury itself',
    },
  ]);
  for (const provider of [...new Set(knownModels().map(({ id }) => id.slice(0, id.indexOf('/'))))]) {
    out(`\n${screen.colors.bold(provider)} (${readiness(env, provider)})`);
    const ofProvider = knownModels().filter(({ id }) => id.startsWith(`${provider}/`));
    list(
      context,
      ofProvider.map((model) => ({
        id: model.id,
        lines: [textOf(model, priceOf(model.id) ?? model.price)],
        source: priceOf(model.id) === model.price ? `list prices of ${model.pricedAt}` : PRICE_FILE,
      })),
    );
  }
  const others = [...ownPrices].filter(([id]) => findModel(id) === undefined);
  if (others.length > 0) out(`\n${screen.colors.bold('others with a price')}`);
  list(
    context,
    others.map(([id, price]) => ({ id, lines: [priceText(price)], source: PRICE_FILE })),
  );
  out(
    '\nAny other model works as provider/model; its cost is then unknown, unless the file in JURY_PRICES has it. Any other OpenAI-compatible endpoint works as NAME/model with NAME_BASE_URL and, where it needs one, NAME_API_KEY.',
  );
}
