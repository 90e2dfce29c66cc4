import type { Env } from '../../env.ts';
import { models } from '../../judges/llm/models.ts';
import { RULES } from '../../judges/rules/rules-judge.ts';

/** The models that forms offer: the default, the built-in one, and known ones whose provider has a key. */
export function offeredModels({ settings, provider }: Env): string[] {
  const ready = models.filter(({ id }) => provider(id.slice(0, id.indexOf('/'))).apiKey !== undefined);
  return [...new Set([settings.JURY_MODEL, RULES, ...ready.map(({ id }) => id)])];
}
