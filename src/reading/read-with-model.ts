import {
  cutParts,
  maskSheet,
  type Parsed,
  type PasteOptions,
  type Received,
  sheetOf,
} from '../case/paste/index.ts';
import type { CompletionClient } from '../judges/llm/index.ts';
import type { Payers } from '../judging/index.ts';
import type { EndpointTrouble, Reader, UnscoredReason } from '../judging/verdict/index.ts';
import { controlTokens, type Library, renderPasteQuestion } from '../prompting/index.ts';

/** A case that a model read. */
export type ModelReading = Omit<Extract<Parsed, { case: unknown }>, 'received'> & {
  received?: Received;
  reader: Reader;
};

/**
 * A model was asked to read a paste and gave no reading. `nothing`: it says that there is no conversation. `sentence`: it takes a part
 * of a sentence for a turn. `useless`: what it says does not hold. `silent`: it gave no answer. Else what is wrong with its endpoint.
 */
export interface NoReading {
  noReading: 'nothing' | 'sentence' | 'useless' | 'silent' | 'budget' | EndpointTrouble;
  model: string;
}

/** A paste for a model to read. */
interface PasteQuestion {
  text: string;
  payers?: Payers | undefined;
  signal: AbortSignal;
  /** On the clock of `performance.now()` (ms). */
  deadlineAt: number;
  /** Bypasses the cache of answers, which would keep what a chat erases. */
  fresh: boolean;
}

export interface ModelReader {
  model: string;
  /**
   * Reads a paste that plain reading refused. Gives no reading if no answer of the model stands up to every check, also at a second
   * try; null if it was not asked.
   */
  read: (question: PasteQuestion) => Promise<ModelReading | NoReading | null>;
}

/** Whether a model may be able to read a text that plain reading refused. */
export const mayBeRead = (text: string, options: PasteOptions): boolean => sheetOf(text, options) !== null;

/** The note of a case whose speakers a model told apart. */
const noteOf = (model: string): string => `who says what was read by ${model}, as no label says it`;

function whyUnread(
  { reason, trouble }: { reason: UnscoredReason; trouble?: EndpointTrouble },
  isOfSentence: boolean,
): NoReading['noReading'] {
  if (trouble !== undefined) return trouble;
  if (reason === 'malformed') return isOfSentence ? 'sentence' : 'useless';
  return reason === 'budget' ? 'budget' : reason === 'refused' ? 'useless' : 'silent';
}

interface ReaderParts {
  library: Pick<Library, 'template' | 'caseFormat' | 'redactor'>;
  client: Pick<CompletionClient, 'complete'>;
  model: string;
  maxCaseChars: number;
}

/** A reader of pastes by a language model. */
export function createModelReader({ library, client, model, maxCaseChars }: ReaderParts): ModelReader {
  const { redactor, caseFormat: format } = library;
  const options = { maxCaseChars, format };
  return {
    model,
    read: async ({ text, payers, signal, deadlineAt, fresh }) => {
      const whole = sheetOf(text, options);
      if (whole === null) return null;
      const masked = maskSheet(whole, redactor.find);
      const sheet = { ...masked, sent: masked.sent.replaceAt(controlTokens(masked.sent.text)) };
      let isOfSentence = false;
      const question = renderPasteQuestion(library, sheet.sent.text.split('\n'), (parts) => {
        // No part is an answer, too: there is no conversation in it.
        if (parts.length === 0) return { ok: true, value: null };
        const cut = cutParts(parts, sheet, options);
        isOfSentence = 'problem' in cut && cut.isOfSentence === true;
        return 'problem' in cut ? { ok: false, problem: cut.problem } : { ok: true, value: cut };
      });
      const { system, user, json, repairText, read, promptHash } = question;
      const outcome = await client.complete({
        modelId: model,
        system,
        user,
        schema: { name: 'reading', json },
        repairText,
        accept: read,
        temperature: 0,
        seed: null,
        variant: 'reading of a paste',
        fresh,
        signal,
        deadlineAt,
        payers,
      });
      if (outcome.status === 'unanswered')
        return outcome.reason === 'cancelled' ? null : { noReading: whyUnread(outcome, isOfSentence), model };
      const { value } = outcome;
      if (value === null) return { noReading: 'nothing', model };
      const usage = { ...outcome.usage, latencyMs: Math.round(outcome.usage.latencyMs) };
      // Spans fit the text that is kept only if nothing in it is redacted.
      const isWhole = redactor.text(text) === text && redactor.case(value.case) === value.case;
      return {
        ...value,
        assumed: [noteOf(model), ...value.assumed],
        spans: value.spans,
        ...(isWhole ? { received: { text, spans: value.spans } } : {}),
        reader: { model, usage, promptHash },
      };
    },
  };
}
