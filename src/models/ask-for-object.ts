import type { ChatBody } from './chat-endpoint.ts';
import type { Dialect } from './dialect.ts';
import type { Endpoint } from './providers.ts';

/** What is asked, apart from how a model's endpoint wants it said. */
export interface Asked {
  system: string;
  user: string;
  schema: { name: string; json: Record<string, unknown> };
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
  const inPrompt = `Answer with one JSON object and nothing else: no text around it, no code fence. It must fit this JSON schema:\n${JSON.stringify(asked.schema.json)}`;
  const system = dialect.format === 'json-schema' ? asked.system : `${asked.system}\n\n${inPrompt}`;
  const { name, json } = asked.schema;
  return {
    model: endpoint.model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: asked.user },
      ...(repair === null
        ? []
        : [
            { role: 'assistant' as const, content: repair.text || '(empty)' },
            { role: 'user' as const, content: `Your reply does not count: ${repair.problem}. ${inPrompt}` },
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
