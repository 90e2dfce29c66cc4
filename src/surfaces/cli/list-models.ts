import type { Env } from '../../env.ts';
import { type KnownModel, models } from '../../judges/llm/models.ts';
import { keyVariable, providers } from '../../judges/llm/providers.ts';
import { RULES } from '../../judges/rules/rules-judge.ts';
import type { Terminal } from './console.ts';
import { list } from './list.ts';

const dollars = (value: number): string => `$${value}`;

function textOf({ price, contextWindow, reasoning, output }: KnownModel): string {
  const cached = price.cachedInput === null ? '' : ` (cached ${dollars(price.cachedInput)})`;
  const window = contextWindow === null ? '' : `; ${Math.round(contextWindow / 1000)}k tokens`;
  const traits = [reasoning ? 'reasoning' : '', `replies by ${output}`]
    .filter((trait) => trait !== '')
    .join(', ');
  return `${dollars(price.input)}${cached} in, ${dollars(price.output)} out per million tokens${window}; ${traits}`;
}

/** Whether a provider can be asked as things are set, in a few words. */
function readiness(env: Env, provider: string): string {
  const { apiKey, baseUrl } = env.provider(provider);
  const known = providers[provider];
  if (apiKey !== undefined || baseUrl !== undefined || known?.needsKey === false) return 'ready';
  return `set ${keyVariable(provider)}`;
}

/** `jury models`: the built-in judge, then known models by provider with prices, and whether each can be asked. */
export function listModels(env: Env, terminal: Terminal): void {
  const { out, screen } = terminal;
  list(terminal, [
    { id: RULES, lines: ['Exact checks without any model: no key, no network, no cost'], source: 'built in' },
  ]);
  for (const provider of [...new Set(models.map(({ id }) => id.slice(0, id.indexOf('/'))))]) {
    out(`\n${screen.colors.bold(provider)} (${readiness(env, provider)})`);
    const own = models.filter(({ id }) => id.startsWith(`${provider}/`));
    list(
      terminal,
      own.map((model) => ({
        id: model.id,
        lines: [textOf(model)],
        source: `list prices of ${model.pricedAt}`,
      })),
    );
  }
  out(
    '\nAny other model works as provider/model; its cost is then not known. Any other OpenAI-compatible endpoint works as NAME/model with NAME_BASE_URL and, where it needs one, NAME_API_KEY.',
  );
}
