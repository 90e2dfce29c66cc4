import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { parseInput } from '../../../src/case/paste/index.ts';
import { loadCaseFormat } from '../../../src/prompting/case-fields.ts';
import { builtIn } from '../../support/built-in.ts';

const folder = join(import.meta.dirname, '../../fixtures/traces');
const format = loadCaseFormat([builtIn]);

const Turn = z.object({ role: z.string(), text: z.string() });
const Said = z.object({ conversation: z.array(Turn), response: z.string() });
type Said = z.infer<typeof Said>;
const Expected = z.object({ cases: z.array(Said) });

/** What a person reads: mentions of the assistant are not part of it, nor how lines are broken. */
const plain = (text: string): string =>
  text
    .replaceAll(/<@[A-Z0-9]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** What was said, without the calls of tools: one line for each turn. */
const saidIn = ({ conversation, response }: Said): string =>
  [...conversation.map(({ role, text }) => `${role}: ${plain(text)}`), `response: ${plain(response)}`].join(
    '\n',
  );

const files = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) =>
    readdirSync(join(folder, name))
      .filter((file) => !file.endsWith('.expected.json'))
      .map((file) => `${name}/${file}`),
  );

/** `left out`: some of it is refused, but nothing is read that the file does not say. */
function outcomeOf(file: string): 'read' | 'left out' | 'wrong' {
  const text = readFileSync(join(folder, file), 'utf8');
  const wanted = Expected.parse(
    JSON.parse(readFileSync(join(folder, file.replace(/\.[^./]+$/, '.expected.json')), 'utf8')),
  );
  const items = parseInput(text, { maxCaseChars: 200_000, format });
  const said = items.flatMap((item) => ('case' in item ? [saidIn(Said.parse(item.case))] : [])).sort();
  const right = wanted.cases.map(saidIn).sort();
  if (said.join('\n\n') === right.join('\n\n')) return 'read';
  return said.every((one) => right.includes(one)) ? 'left out' : 'wrong';
}

// Written from the public documentation of each format by people who had not seen the readers. What is not read as a person would
// read it is listed, so that the list shrinks when a reader gets better and nothing joins it unnoticed.
test('conversations as exported are read as a person reads them, but for those listed', () => {
  const open = Object.fromEntries(
    (['left out', 'wrong'] as const).map((kind) => [kind, files.filter((file) => outcomeOf(file) === kind)]),
  );
  expect(open).toMatchInlineSnapshot(`
    {
      "left out": [
        "alexa/05-cloudwatch-events.json",
        "copilot-studio/06-directline-without-roles.json",
        "copilot-studio/12-sessions-download.csv",
        "dialogflow-cx/12-welcome-event.json",
        "dialogflow-cx/15-webhook-pair.json",
        "dialogflow-cx/19-python-snake-case.json",
        "dialogflow-cx/20-client-tool-call.json",
        "otlp-genai/14-two-choices-one-used.json",
        "rasa/06-dynamodb-scan.json",
        "slack-export/08-assistant-app-thread.json",
        "slack-export/11-several-people-in-thread.json",
        "srt/05-speaker-numbers-wake-word.srt",
        "srt/07-tags-and-sounds.srt",
        "srt/08-whisperx-diarized.json",
        "srt/10-whisper-cpp.json",
        "srt/11-whisper-tsv.tsv",
        "srt/12-tsv-quotes-umlauts.tsv",
        "srt/15-passenger-speaks-too.srt",
        "vercel-ai-sdk/18-jaeger-download.json",
      ],
      "wrong": [
        "copilot-studio/20-cut-off-file.json",
        "langfuse/13-anthropic-thinking.json",
        "rasa/08-pro-calm-flows.json",
        "slack-export/16-answer-in-two-messages.json",
      ],
    }
  `);
  expect(files.length).toBe(242);
});
