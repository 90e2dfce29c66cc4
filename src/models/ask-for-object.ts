import type { ChatBody } from './chat-endpoint.ts';
import type { Dialect } from './dialect.ts';
import type { Endpoint } from './providers.ts';

/** What is asked, apart from how a model's endpoint wants it said. */
export interface Asked {
  system: string;
  user: string;
  /** The form of the reply; `system` describes it too, for endpoints that take no schema. */
  schema: { name: string; json: Record<string, unknown> };
  /** What a model is told whose reply could not be used. */
  repairText: (problem: string) => string;
  temperature: number;
  seed: number | null;
}

/** A reply that did not do, and why, for the one further turn that a model gets. */
export interface Repair {
  text: string;
  problem: string;
}

/** The request for one JSON object, in the dialect of the model's endpoint. */
export function askForObject(
  asked: Asked,
  endpoint: Endpoint,
  dialect: Dialect,
  repair: Repair | null,
): ChatBody {
  const { name, json } = asked.schema;
  return {
    model: endpoint.model,
    messages: [
      { role: 'system', content: asked.system },
      { role: 'user', content: asked.user },
      ...(repair === null
        ? []
        : [
            { role: 'assistant' as const, content: beginningOf(repair.text) || '(empty)' },
            { role: 'user' as const, content: asked.repairText(repair.problem) },
          ]),
    ],
    ...(dialect.temperature ? { temperature: asked.temperature } : {}),
    ...(dialect.seed && asked.seed !== null ? { seed: asked.seed } : {}),
    ...(dialect.format === 'json-schema'
      ? { response_format: { type: 'json_schema', json_schema: { name, strict: true, schema: json } } }
      : dialect.format === 'json-object'
        ? { response_format: { type: 'json_object' } }
        : {}),
  };
}

/** The most characters of a reply that a model is shown again: enough to see what was wrong with it. */
const mostRepeated = 20_000;

const beginningOf = (text: string): string =>
  text.length <= mostRepeated
    ? text
    : `${text.slice(0, mostRepeated)}… (${text.length - mostRepeated} characters more)`;
