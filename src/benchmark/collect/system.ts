import * as z from 'zod';
import { isRecord } from '../../case/case.ts';
import { sleep } from '../../common/async.ts';
import { readJson } from '../../common/text.ts';
import type { CompletionClient } from '../../judges/llm/completion-client.ts';
import { createHttpSender } from '../../judges/llm/http-sender.ts';
import { findModel } from '../../judges/llm/models.ts';
import { createTurns } from '../../judges/llm/rate-limits.ts';
import { runCommand } from '../../judges/llm/run-command.ts';
import type { Unanswered } from '../../judges/llm/send-with-retry.ts';
import { filledTemplate, filledText, type Sendable, type SystemFile, valueAt } from './system-file.ts';

/** What a system answered, and what else of the case its reply gives, by path. */
export interface Answer {
  text: string;
  fields: ReadonlyMap<string, unknown>;
  /** Of the request that was answered. */
  latencyMs: number;
}

/** `costUsd`: 0 for a system without a price; null if the model's is not known. */
export type Asked = ({ answer: Answer } | Unanswered) & { costUsd: number | null };

/** A system under test. */
export type System = ReturnType<typeof openSystem>;

type Reply = ({ text: string; latencyMs: number } | Unanswered) & { costUsd: number | null };

interface Sending {
  limitMs: number;
  /** Takes secrets out of a text. */
  hide: (text: string) => string;
  /** Resolves when the next request may be sent. */
  turn: (stop: AbortSignal) => Promise<void>;
}

/** Asks with what may be sent; failures are outcomes. */
interface Driver {
  ask: (values: Sendable, signal: AbortSignal) => Promise<Reply>;
  close: () => Promise<void>;
}

function chatDriver(
  { model: modelId, instructions, temperature }: NonNullable<SystemFile['openai']>,
  client: Pick<CompletionClient, 'chat'>,
  { limitMs, turn }: Sending,
): Driver {
  return {
    ask: async (values, signal) => {
      await turn(signal);
      const said = instructions === undefined ? [] : [filledText(instructions, values)];
      const messages = [...said.map((content) => ({ role: 'system' as const, content })), ...values.messages];
      const deadlineAt = performance.now() + limitMs;
      const outcome = await client.chat({
        modelId,
        messages,
        temperature: temperature ?? null,
        signal,
        deadlineAt,
      });
      const { costUsd } = outcome.usage;
      return outcome.status === 'answered' ? { ...outcome.value, costUsd } : { ...outcome, costUsd };
    },
    close: async () => {},
  };
}

function httpDriver(
  { method, url, headers, body }: NonNullable<SystemFile['http']>,
  { address, concurrency, costUsd }: SystemFile,
  sending: Sending,
): Driver {
  const sender = createHttpSender({ address, concurrency, ...sending });
  return {
    ask: async (values, signal) => {
      const filled = Object.entries(headers).map(([name, value]) => [
        name.toLowerCase(),
        filledText(value, values, encodeURIComponent),
      ]);
      const isText = typeof body === 'string';
      const { requests, ...reply } = await sender.send(
        {
          method,
          url: filledText(url, values, encodeURIComponent),
          headers: { ...(isText ? { 'content-type': 'text/plain' } : {}), ...Object.fromEntries(filled) },
          body:
            body === undefined
              ? null
              : isText
                ? filledText(body, values)
                : JSON.stringify(filledTemplate(body, values)),
        },
        signal,
      );
      return { ...reply, costUsd: requests * (costUsd ?? 0) };
    },
    close: sender.close,
  };
}

const DEFAULT_INPUT = {
  request: '{{request}}',
  conversation: '{{conversation}}',
  context: '{{context}}',
  language: '{{language}}',
  session: '{{session}}',
};

function commandDriver(
  { run, input = DEFAULT_INPUT }: NonNullable<SystemFile['command']>,
  { costUsd }: SystemFile,
  { limitMs, turn }: Sending,
): Driver {
  return {
    ask: async (values, signal) => {
      await turn(signal);
      const filled = filledTemplate(input, values);
      const text = typeof filled === 'string' ? filled : JSON.stringify(filled);
      return { ...(await runCommand(run, `${text}\n`, { limitMs, signal })), costUsd: costUsd ?? 0 };
    },
    close: async () => {},
  };
}

const malformed = (message: string): Unanswered => ({ reason: 'malformed', message });

/** What a system file reads from a reply. */
function answerIn(
  { answer: place, fields }: SystemFile,
  { text, latencyMs }: { text: string; latencyMs: number },
): Answer | Unanswered {
  const places = Object.entries(fields);
  const isRead = place !== undefined || places.length > 0;
  const reply = isRead ? readJson(z.unknown(), text) : null;
  if (isRead && reply === null) return malformed('the reply is not JSON, so no place in it can be read');
  const answer = place === undefined ? text.trim() : valueAt(reply?.value, place);
  if (typeof answer !== 'string') {
    const keys = isRecord(reply?.value) ? `; its keys are ${Object.keys(reply.value).join(', ')}` : '';
    return malformed(`the reply has no text at "${place}"${keys}`);
  }
  if (answer.trim() === '') return malformed('the answer is empty');
  const given = places.map(([path, at]): [string, unknown] => [path, valueAt(reply?.value, at)]);
  return {
    text: answer,
    latencyMs,
    fields: new Map(given.filter(([, value]) => value !== undefined && value !== null)),
  };
}

/**
 * Opens a system under test; nothing is sent before the first question.
 *
 * @param client asks the models of files with `openai`
 */
export function openSystem(file: SystemFile, client: Pick<CompletionClient, 'chat'>) {
  const { name, build = null, concurrency, openai, http, command, perSecond, secrets } = file;
  const hide = (text: string): string =>
    [...secrets].reduce((shown, [secret, variable]) => shown.replaceAll(secret, variable), text);
  const nextTurn = createTurns(new Map(perSecond === undefined ? [] : [[name, perSecond]]), () =>
    performance.now(),
  );
  const turn = (stop: AbortSignal) => sleep(nextTurn(name), stop);
  const sending: Sending = { limitMs: file.timeoutSeconds * 1000, hide, turn };
  const driver =
    openai !== undefined
      ? chatDriver(openai, client, sending)
      : http !== undefined
        ? httpDriver(http, file, sending)
        : commandDriver(command ?? { run: '' }, file, sending);
  return {
    name,
    build,
    concurrency,
    /** Whether the cost of a request is known beforehand. */
    isPriced: file.costUsd !== undefined || findModel(openai?.model ?? '') !== undefined,
    /** The answer to a request. */
    async ask(values: Sendable, signal: AbortSignal): Promise<Asked> {
      const { costUsd, ...reply } = await driver.ask(values, signal);
      if ('reason' in reply) return { ...reply, message: hide(reply.message), costUsd };
      const answer = answerIn(file, { ...reply, text: hide(reply.text) });
      return 'reason' in answer ? { ...answer, costUsd } : { answer, costUsd };
    },
    close: driver.close,
  };
}
