import { canonicalId, findModel, type ReplyFormat } from './models.ts';

/** What a model's endpoint supports. */
export interface EndpointCapabilities {
  format: ReplyFormat;
  temperature: boolean;
  seed: boolean;
}

/** A capability that can be dropped. */
export type Setting = keyof EndpointCapabilities;

/** The settings that a request contained. */
export type SentSettings = Readonly<Record<Setting, boolean>>;

/** The settings that an error message mentions. */
export function settingsNamedIn(refusal: string): Setting[] {
  const named: Setting[] = [];
  if (/response_?format|json_schema|json_object|json mode|structured|schema/i.test(refusal))
    named.push('format');
  if (/temperature/i.test(refusal)) named.push('temperature');
  if (/\bseed\b/i.test(refusal)) named.push('seed');
  return named;
}

/**
 * The capabilities to try after a refusal; null if there is nothing left to drop. First drops a setting that the message mentions, then
 * lowers the reply format step by step, then drops the other settings.
 */
function stepDown(
  capabilities: EndpointCapabilities,
  sent: SentSettings,
  named: readonly Setting[],
): EndpointCapabilities | null {
  const lower =
    capabilities.format === 'json-schema'
      ? 'json-object'
      : capabilities.format === 'json-object'
        ? 'text'
        : null;
  if (!(named.includes('format') && lower)) {
    if (sent.temperature && named.includes('temperature')) return { ...capabilities, temperature: false };
    if (sent.seed && named.includes('seed')) return { ...capabilities, seed: false };
  }
  if (lower !== null && sent.format) return { ...capabilities, format: lower };
  return sent.temperature || sent.seed ? { ...capabilities, temperature: false, seed: false } : null;
}

/** The capabilities that one call uses; refusals reduce them. */
export type CallCapabilities = ReturnType<ReturnType<typeof createCapabilityMemory>['begin']>;

const settings: readonly Setting[] = ['format', 'temperature', 'seed'];

/**
 * Remembers what each model's endpoint supports, for the life of the process. A setting counts as unsupported if the endpoint refused it
 * by name and then accepted a request without it. A refusal that names no setting may have had any cause: a setting dropped for it is
 * dropped for that call only, until a later call has the same result.
 */
export function createCapabilityMemory() {
  const byModel = new Map<string, EndpointCapabilities>();
  /** Reduced capabilities after refusals that named no setting, by setting. */
  const suspicions = new Map<string, ReadonlyMap<Setting, EndpointCapabilities>>();
  function of(id: string): EndpointCapabilities {
    const model = findModel(id);
    return (
      byModel.get(id) ?? {
        format: model?.output ?? 'json-schema',
        temperature: !model?.reasoning,
        seed: true,
      }
    );
  }

  function begin(id: string) {
    const start = of(id);
    const suspectedBefore = suspicions.get(id);
    const guessed = new Set<Setting>();
    let current = start;

    function learn(sent: SentSettings): void {
      const suspected = new Map(suspicions.get(id));
      let learned = of(id);
      for (const setting of settings) {
        if (current[setting] === start[setting]) {
          // The endpoint supports it after all; the refusal had another cause.
          if (sent[setting]) suspected.delete(setting);
        } else if (guessed.has(setting) && suspectedBefore?.get(setting)?.[setting] !== current[setting]) {
          suspected.set(setting, current);
        } else {
          suspected.delete(setting);
          learned = { ...learned, [setting]: current[setting] };
        }
      }
      suspicions.set(id, suspected);
      byModel.set(id, learned);
    }

    return {
      current: () => current,
      /** Reduces the capabilities after a refusal; false if there is nothing left to drop. */
      giveUp(sent: SentSettings, named: readonly Setting[]): boolean {
        const next = stepDown(current, sent, named);
        if (next === null) return false;
        for (const setting of settings)
          if (next[setting] !== current[setting] && !named.includes(setting)) guessed.add(setting);
        current = next;
        return true;
      },
      /** Records that the endpoint accepted a request with the current capabilities. */
      accepted(sent: SentSettings): void {
        if (current !== start || suspicions.has(id)) learn(sent);
      },
    };
  }

  return {
    /** What is known or assumed. */
    of: (modelId: string) => of(canonicalId(modelId)),
    begin: (modelId: string) => begin(canonicalId(modelId)),
  };
}
