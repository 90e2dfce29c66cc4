import { isRecord } from '../core/is-record.ts';

/** What a reply's text holds. */
export type ReplyObject = { ok: true; value: unknown } | { ok: false; problem: string };

/**
 * The JSON object that a reply consists of. Only a reply that is the object and nothing else counts: a judge that
 * quotes what it was shown must not be taken at the first JSON in its text, which the judged text may have put there.
 * Around the whole of it, a code fence and a leading block of thoughts are let pass, which models add by themselves.
 */
export function replyObjectOf(text: string): ReplyObject {
  const inner = unfence(text.replace(/^\s*<think>[\s\S]*?<\/think>/, '').trim());
  if (inner === '') return { ok: false, problem: 'the reply was empty' };
  let value: unknown;
  try {
    value = JSON.parse(inner);
  } catch {
    return {
      ok: false,
      problem: inner.startsWith('{')
        ? 'the reply was not valid JSON'
        : 'the reply was not a JSON object alone',
    };
  }
  if (isRecord(value)) return { ok: true, value };
  return { ok: false, problem: 'the reply was JSON but not an object' };
}

function unfence(text: string): string {
  return /^```(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n?```$/i.exec(text)?.[1]?.trim() ?? text;
}
