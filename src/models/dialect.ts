import { findModel } from './model-registry.ts';

/** How a reply is asked for: by a strict schema, as some JSON object, or in the prompt alone. */
export type ReplyFormat = 'json-schema' | 'json-object' | 'text';

/** What a model's endpoint takes. */
export interface Dialect {
  format: ReplyFormat;
  temperature: boolean;
  seed: boolean;
}

/** What is known about each model's endpoint; what was found out is kept only once it was accepted. */
export interface DialectMemory {
  of(modelId: string): Dialect;
  accepted(modelId: string, dialect: Dialect): void;
}

export function createDialectMemory(): DialectMemory {
  const accepted = new Map<string, Dialect>();
  return {
    of: (modelId) => accepted.get(modelId) ?? assumed(modelId),
    accepted: (modelId, dialect) => void accepted.set(modelId, dialect),
  };
}

function assumed(modelId: string): Dialect {
  const model = findModel(modelId);
  return { format: model?.output ?? 'json-schema', temperature: model?.temperature ?? true, seed: true };
}

/** What a refused request carried beside its messages. */
export interface Sent {
  temperature: boolean;
  seed: boolean;
}

/**
 * The dialect to try after an endpoint refused a request, or null when there is nothing left to give up. What the
 * refusal names is given up first; else the format of the reply, one step at a time, and at last the settings.
 */
export function stepDown(dialect: Dialect, sent: Sent, refusal: string): Dialect | null {
  const namesFormat = /response_format|json_schema|json_object|json mode|structured|schema/i.test(refusal);
  const lower =
    dialect.format === 'json-schema' ? 'json-object' : dialect.format === 'json-object' ? 'text' : null;
  if (!(namesFormat && lower)) {
    if (sent.temperature && /temperature/i.test(refusal)) return { ...dialect, temperature: false };
    if (sent.seed && /\bseed\b/i.test(refusal)) return { ...dialect, seed: false };
  }
  if (lower !== null) return { ...dialect, format: lower };
  return sent.temperature || sent.seed ? { ...dialect, temperature: false, seed: false } : null;
}
