import { canonicalId, findModel, type ReplyFormat } from './models.ts';

/** What a model's endpoint supports. */
export interface EndpointCapabilities {
  format: ReplyFormat;
  temperature: boolean;
  seed: boolean;
}

/** A capability that can be given up. */
export type Setting = keyof EndpointCapabilities;

/** The settings that a request contained. */
export type SentSettings = Readonly<Record<Setting, boolean>>;

/** The settings that a refusal names. */
export function settingsNamedIn(refusal: string): Setting[] {
  const named: Setting[] = [];
  if (/response_?format|json_schema|json_object|json mode|structured|schema/i.test(refusal))
    named.push('format');
  if (/temperature/i.test(refusal)) named.push('temperature');
  if (/\bseed\b/i.test(refusal)) named.push('seed');
  return named;
}

/**
 * What to try after a refusal; null if nothing is left to give up. First the setting that the refusal names, then the reply format,
 * step by step, and finally the other settings.
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
 * What each model's endpoint supports, for the life of the process. A setting counts as unsupported if the endpoint refused it by
 * name and then accepted a request without it. A refusal that names no setting may have had any cause: what is then given up is
 * given up for that call alone, until a later call has the same result.
 */
export function createCapabilityMemory() {
  const known = new Map<string, EndpointCapabilities>();
  /** Reduced capabilities after refusals without a stated reason, by setting. */
  const suspicions = new Map<string, ReadonlyMap<Setting, EndpointCapabilities>>();
  function of(id: string): EndpointCapabilities {
    const capabilities = known.get(id) ?? assumed(id);
    known.set(id, capabilities);
    return capabilities;
  }

  function begin(id: string) {
    const start = of(id);
    const suspectedBefore = suspicions.get(id);
    const guessed = new Set<Setting>();
    let current = start;

    function learn(sent: SentSettings): void {
      const suspected = new Map(suspicions.get(id));
      const learned = new Set<Setting>();
      for (const setting of settings) {
        if (current[setting] === start[setting]) {
          // The endpoint supports it after all: the refusal had another cause.
          if (sent[setting]) suspected.delete(setting);
        } else if (guessed.has(setting) && suspectedBefore?.get(setting)?.[setting] !== current[setting]) {
          suspected.set(setting, current);
        } else {
          suspected.delete(setting);
          learned.add(setting);
        }
      }
      suspicions.set(id, suspected);
      if (learned.size > 0) known.set(id, merge(of(id), current, learned));
    }

    return {
      current: () => current,
      /** Reduces the capabilities after a refusal; false if nothing is left to give up. */
      giveUp(sent: SentSettings, named: readonly Setting[]): boolean {
        const next = stepDown(current, sent, named);
        if (next === null) return false;
        for (const setting of settings)
          if (next[setting] !== current[setting] && !named.includes(setting)) guessed.add(setting);
        current = next;
        return true;
      },
      /** The endpoint accepted a request with the current capabilities. */
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

const merge = (
  onto: EndpointCapabilities,
  from: EndpointCapabilities,
  learned: ReadonlySet<Setting>,
): EndpointCapabilities => ({
  format: learned.has('format') ? from.format : onto.format,
  temperature: learned.has('temperature') ? from.temperature : onto.temperature,
  seed: learned.has('seed') ? from.seed : onto.seed,
});

function assumed(modelId: string): EndpointCapabilities {
  const model = findModel(modelId);
  return { format: model?.output ?? 'json-schema', temperature: model?.temperature ?? true, seed: true };
}
