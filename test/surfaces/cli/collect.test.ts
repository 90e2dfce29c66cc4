import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { EvalCase } from '../../../src/case/case.ts';
import { type AssistantReply, type SeenRequest, startAssistant } from '../../support/assistant-double.ts';
import { startModelDouble } from '../../support/model-double.ts';
import { closeAfterEach, closing, until } from '../../support/resources.ts';
import { jury, scratch, spawnJury } from '../../support/run-jury.ts';

closeAfterEach();

const user = (text: string) => ({ role: 'user', text });
const system = (text: string) => ({ role: 'system', text });

/** A dataset of requests, by default with no more than that. */
const requests = (count: number, more: (at: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, at) => ({
    id: `case-${at}`,
    conversation: [user(`request number ${at}`)],
    ...more(at),
  }));

interface Files {
  cases: readonly object[];
  /** The system file, as JSON, which is YAML too. */
  file: unknown;
}

/** A folder with a dataset and a system file. */
function folderOf({ cases, file }: Files): string {
  const cwd = scratch();
  writeFileSync(join(cwd, 'set.jsonl'), cases.map((one) => JSON.stringify(one)).join('\n'));
  writeFileSync(join(cwd, 'car.yaml'), typeof file === 'string' ? file : JSON.stringify(file));
  return cwd;
}

const command = ['collect', 'set.jsonl', '--system', 'car.yaml', '--out', 'out.jsonl'];
const collect = (cwd: string, more: string[] = [], env: Record<string, string> = {}) =>
  jury([...command, ...more], { cwd, env });

const collected = (cwd: string): EvalCase[] =>
  readFileSync(join(cwd, 'out.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => EvalCase.parse(JSON.parse(line)));

/** How a system file names a variable of the environment. */
const variable = (name: string) => `\${${name}}`;

const ask = z.object({ text: z.string() });
const said = ({ body }: SeenRequest) => ask.parse(JSON.parse(body)).text;

async function assistant(answer: (request: SeenRequest) => AssistantReply) {
  const double = await startAssistant(answer);
  closing(double.close);
  return double;
}

const httpFile = (url: string, more: object = {}) => ({
  http: { url: `${url}/ask`, body: { text: '{{request}}' } },
  answer: 'reply.text',
  ...more,
});

const echo = (request: SeenRequest): AssistantReply => ({
  json: { reply: { text: `re: ${said(request)}` } },
});

describe('an HTTP system', () => {
  test('is asked once for each request; answers, latency, build and fields become cases in the order of the dataset', async () => {
    const double = await assistant((request) => ({
      delayMs: said(request).endsWith('0') ? 200 : 0,
      json: { v: '7.1', reply: { text: `re: ${said(request)}`, poi: { stars: 4.5, name: null } } },
    }));
    const fields = {
      'recommendation.rating': 'reply.poi.stars',
      'recommendation.name': 'reply.poi.name',
      'tags.build': 'v',
    };
    const cwd = folderOf({
      cases: requests(12, () => ({ tags: { intent: 'food' } })),
      file: httpFile(double.url, { fields }),
    });
    const { code, out, err } = await collect(cwd);
    expect(code).toBe(0);
    expect(out).toBe('');
    expect(err).toContain('12 of 12 cases in out.jsonl: 12 answered');
    const cases = collected(cwd);
    expect(cases.map(({ id }) => id)).toEqual(requests(12).map(({ id }) => id));
    expect(cases[3]).toMatchObject({
      conversation: [user('request number 3')],
      response: 're: request number 3',
      recommendation: { rating: 4.5 },
      tags: { intent: 'food', system: 'car', build: '7.1' },
    });
    expect(cases.every(({ latencyMs = -1 }) => latencyMs >= 0)).toBe(true);
    expect(double.requests).toHaveLength(12);
    expect(double.most()).toBeLessThanOrEqual(4);
  });

  test('never sees what is right, the tags, the id or an earlier answer, whatever its file names', async () => {
    const double = await assistant(echo);
    const secret = (at: number) => ({
      id: `secret-id-${at}`,
      response: 'secret-answer',
      recommendation: { name: 'secret-place' },
      recommendations: [['secret-item']],
      groundTruth: 'secret-truth',
      latencyMs: 1,
      tags: { note: 'secret-tag' },
      label: { decision: 'fail', errorType: 'secret-error' },
      toolCalls: [{ name: 'secret-call' }],
      history: [user('hello'), { ...system('hi'), toolCalls: [{ name: 'secret-call' }] }],
      expectedCalls: { anyOf: [[{ name: 'secret-call' }]] },
      initialState: { 'secret-variable': 1 },
      expectedState: { 'secret-variable': 2 },
      trace: 'secret-trace',
    });
    const all = [
      'request',
      'conversation',
      'messages',
      'context',
      'history',
      'documents',
      'language',
      'session',
    ];
    const body = Object.fromEntries(all.map((name) => [name, `{{${name}}}`]));
    const file = httpFile(double.url, {
      http: { url: `${double.url}/{{request}}`, body: { ...body, text: '{{request}}' } },
    });
    const cwd = folderOf({ cases: requests(3, secret), file });
    expect((await collect(cwd)).code).toBe(0);
    expect(double.requests).toHaveLength(3);
    expect(JSON.stringify(double.requests)).not.toContain('secret');
    expect(double.requests[0]?.url).toBe('/request%20number%200');
  });

  test('what is said about another answer goes, and stays about the same one or none', async () => {
    const double = await assistant(echo);
    const label = { decision: 'fail' };
    const about = { label, recommendation: { rating: 3 }, groundTruth: 'stays' };
    const cwd = folderOf({
      cases: [
        { id: 'other', conversation: [user('a b')], response: 'something else', ...about },
        { id: 'same', conversation: [user('a b')], response: 'RE: a b', ...about },
        { id: 'none', conversation: [user('a b')], label },
        {
          id: 'pair',
          conversation: [user('a b')],
          response: 'one',
          alternative: { response: 'two', recommendation: { rating: 2 } },
          answerNames: ['Old', 'New'],
          action: { operation: ['play'] },
        },
      ],
      file: httpFile(double.url),
    });
    const { err } = await collect(cwd);
    expect(err).toContain('1 label left out: they say what is right about other answers.');
    const [other, same, none, pair] = collected(cwd);
    expect(Object.keys(pair ?? {}).sort()).toEqual(['conversation', 'id', 'latencyMs', 'response', 'tags']);
    expect(other).toMatchObject({ groundTruth: 'stays' });
    expect(other).not.toHaveProperty('label');
    expect(other).not.toHaveProperty('recommendation');
    expect(same).toMatchObject({ label, recommendation: { rating: 3 } });
    expect(none).toMatchObject({ label });
  });

  test('is asked turn by turn in one session, with its own answers in the conversation', async () => {
    const double = await assistant((request) => ({ json: { reply: { text: `re: ${said(request)}` } } }));
    const body = {
      text: '{{request}}',
      turns: '{{conversation}}',
      chat: '{{messages}}',
      session: '{{session}}',
    };
    const cwd = folderOf({
      cases: [
        {
          id: 'two',
          conversation: [system('Hello.'), user('food'), system('an old answer'), user('sushi')],
          response: 'an old end',
        },
      ],
      file: httpFile(double.url, { http: { url: double.url, body } }),
    });
    expect((await collect(cwd)).code).toBe(0);
    const seen = double.requests.map(({ body: sent }) =>
      z.looseObject({ session: z.string() }).parse(JSON.parse(sent)),
    );
    expect(seen).toMatchObject([
      { text: 'food', turns: [system('Hello.'), user('food')] },
      {
        text: 'sushi',
        turns: [system('Hello.'), user('food'), system('re: food'), user('sushi')],
        chat: [
          { role: 'assistant', content: 'Hello.' },
          { role: 'user', content: 'food' },
          { role: 'assistant', content: 're: food' },
          { role: 'user', content: 'sushi' },
        ],
      },
    ]);
    expect(seen[0]?.session).toBe(seen[1]?.session);
    expect(collected(cwd)[0]).toMatchObject({
      conversation: [system('Hello.'), user('food'), system('re: food'), user('sushi')],
      response: 're: sushi',
    });
  });

  test('has the calls of its tools kept with each turn, and may not say what is right', async () => {
    const calls = (request: SeenRequest) => (said(request) === 'beep' ? [{ name: 'beep' }] : null);
    const double = await assistant((request) => ({
      json: { reply: { text: `re: ${said(request)}` }, calls: calls(request) },
    }));
    const file = (fields: Record<string, string>) => httpFile(double.url, { fields });
    const label = { decision: 'fail' };
    const cases = [
      { id: 'two', conversation: [user('beep'), system('old'), user('thanks')] },
      {
        id: 'same',
        conversation: [user('beep')],
        response: 're: beep',
        toolCalls: [{ name: 'beep' }],
        label,
      },
      { id: 'other', conversation: [user('beep')], response: 're: beep', toolCalls: [], label, trace: 't' },
    ];
    const cwd = folderOf({ cases, file: file({ toolCalls: 'calls' }) });
    expect((await collect(cwd)).code).toBe(0);
    const [two, same, other] = collected(cwd);
    expect(two?.conversation[1]).toEqual({ ...system('re: beep'), toolCalls: [{ name: 'beep' }] });
    expect(two?.toolCalls).toEqual([]);
    expect(same).toMatchObject({ toolCalls: [{ name: 'beep' }], label });
    // What was said is the same; what was done is not.
    expect(other).toMatchObject({ toolCalls: [{ name: 'beep' }] });
    expect(other).not.toHaveProperty('label');
    expect(other).not.toHaveProperty('trace');
    const wrong = folderOf({ cases, file: file({ expectedCalls: 'calls', toolCalls: 'reply' }) });
    expect((await collect(wrong)).err).toContain('fields.expectedCalls: cannot be read from a reply');
    const noCalls = folderOf({ cases: cases.slice(0, 1), file: file({ toolCalls: 'reply' }) });
    expect((await collect(noCalls)).err).toContain('the reply is not a valid case: toolCalls');
  });

  test('that fails at a later turn is known again by what the user says', async () => {
    let isBroken = true;
    const double = await assistant((request) =>
      isBroken && said(request) === 'sushi' ? { status: 422, text: 'no' } : echo(request),
    );
    const turns = [user('food'), user('sushi'), user('thanks')];
    const cases = [...requests(3), { id: 'three', conversation: turns }];
    const cwd = folderOf({ cases, file: httpFile(double.url, { concurrency: 1 }) });
    expect((await collect(cwd)).code).toBe(1);
    expect(collected(cwd)[3]).toMatchObject({
      conversation: [user('food'), system('re: food'), user('sushi'), user('thanks')],
      tags: { unanswered: 'error' },
    });
    expect((await collect(cwd)).code).toBe(1);
    expect(double.requests).toHaveLength(5);
    isBroken = false;
    expect((await collect(cwd, ['--retry-failed'])).code).toBe(0);
    expect(double.requests).toHaveLength(8);
  });

  test('that fails for good makes a case that says so, and --retry-failed asks it again', async () => {
    let isBroken = true;
    const double = await assistant((request) =>
      isBroken && said(request).endsWith(' 2') ? { status: 422, text: 'cannot read that' } : echo(request),
    );
    const cwd = folderOf({ cases: requests(5), file: httpFile(double.url) });
    const first = await collect(cwd);
    expect(first.code).toBe(1);
    expect(first.err).toContain('1 request got no answer, such as "case-2"');
    expect(collected(cwd)[2]).toMatchObject({
      response: `(no answer: ${double.url}/ask answered 422: cannot read that)`,
      tags: { unanswered: 'error', system: 'car' },
    });
    expect((await collect(cwd)).code).toBe(1);
    expect(double.requests).toHaveLength(5);
    isBroken = false;
    const again = await collect(cwd, ['--retry-failed']);
    expect(again.code).toBe(0);
    expect(double.requests).toHaveLength(6);
    expect(collected(cwd)[2]).toMatchObject({ response: 're: request number 2', tags: { system: 'car' } });
    expect(collected(cwd)[2]?.tags).not.toHaveProperty('unanswered');
  });

  test('is asked again after 429, 500 and a lost connection, and only then', async () => {
    const tries = new Map<string, number>();
    const double = await assistant((request) => {
      const text = said(request);
      const count = (tries.get(text) ?? 0) + 1;
      tries.set(text, count);
      if (count > 1) return echo(request);
      if (text.endsWith(' 1')) return { status: 429, headers: { 'retry-after-ms': '1' } };
      return text.endsWith(' 3') ? { status: 503 } : echo(request);
    });
    const cwd = folderOf({ cases: requests(6), file: httpFile(double.url) });
    expect((await collect(cwd)).code).toBe(0);
    expect(double.requests).toHaveLength(8);
  });

  test('that answers nothing at all stops the work after three, and nothing is kept', async () => {
    const double = await assistant(() => ({ status: 401, text: 'who are you?' }));
    const cwd = folderOf({ cases: requests(50), file: httpFile(double.url, { concurrency: 1 }) });
    const { code, err } = await collect(cwd);
    expect(code).toBe(69);
    expect(err).toContain(`3 cases in a row got no answer: ${double.url}/ask answered 401: who are you?`);
    expect(double.requests).toHaveLength(3);
    expect(existsSync(join(cwd, 'out.jsonl'))).toBe(false);
  });

  test('that stops answering stops the work after ten, and what failed is kept as such', async () => {
    const double = await assistant((request) => (request.n > 5 ? { status: 400 } : echo(request)));
    const cwd = folderOf({ cases: requests(50), file: httpFile(double.url, { concurrency: 1 }) });
    expect((await collect(cwd)).code).toBe(69);
    expect(collected(cwd).filter(({ tags }) => tags?.unanswered === 'error')).toHaveLength(10);
    expect(double.requests).toHaveLength(15);
  });

  test('whose replies do not match its file is named with the place and the keys that are there', async () => {
    const double = await assistant(() => ({
      json: { answer: 'x', reply: { text: 7, poi: { stars: 'many' } } },
    }));
    const problem = async (more: object) => {
      const cwd = folderOf({ cases: requests(1), file: httpFile(double.url, more) });
      return (await collect(cwd)).err;
    };
    expect(await problem({})).toContain('the reply has no text at "reply.text"; its keys are answer, reply');
    const fields = { 'recommendation.rating': 'reply.poi.stars' };
    expect(await problem({ answer: 'answer', fields })).toContain('recommendation.rating must be a number');
  });

  test('shows its secrets in no message and no case', async () => {
    const token = 'very-secret-token';
    const double = await assistant((request) =>
      said(request).endsWith(' 1')
        ? { status: 422, text: `no: ${request.headers.authorization}` }
        : { json: { reply: { text: `you sent ${request.headers.authorization}` } } },
    );
    const http = {
      url: `${double.url}/ask?key=${variable('TOKEN')}`,
      headers: { Authorization: `Token ${variable('TOKEN')}` },
      body: { text: '{{request}}' },
    };
    const cwd = folderOf({ cases: requests(3), file: httpFile(double.url, { http }) });
    const { err } = await collect(cwd, [], { TOKEN: token });
    expect(double.requests[0]).toMatchObject({
      url: `/ask?key=${token}`,
      headers: { authorization: `Token ${token}` },
    });
    expect(err).not.toContain(token);
    expect(readFileSync(join(cwd, 'out.jsonl'), 'utf8')).not.toContain(token);
    expect(collected(cwd)[0]?.response).toBe('you sent Token [TOKEN]');
  });

  test('shows no secrets of a command', async () => {
    const input = `{{request}} ${variable('TOKEN')}`;
    const command = { run: 'cat; echo "$KEY"', env: { KEY: variable('KEY') }, input };
    const cwd = folderOf({ cases: requests(1), file: { command } });
    await collect(cwd, [], { TOKEN: 'very-secret-token', KEY: 'very-secret-key' });
    expect(collected(cwd)[0]?.response).toBe('request number 0 [TOKEN]\n[KEY]');
  });

  test.each([
    ['a line for the shell', 'cat; echo $KEY_OF_ALL'],
    ['a word of a list', ['echo', '--key=$KEY_OF_ALL']],
  ])('puts no value of the environment into %s', async (_, line) => {
    const run = [line].flat().map((word) => word.replace('$KEY_OF_ALL', variable('KEY')));
    const command = { run: typeof line === 'string' ? run[0] : run };
    const cwd = folderOf({ cases: requests(1), file: { command } });
    const { code, err } = await collect(cwd, [], { KEY: 'very-secret-key; reboot' });
    expect(code).toBe(64);
    expect(err).toContain(`write "env: {KEY: ${variable('KEY')}}" below "command"`);
    expect(err).not.toContain('reboot');
  });
});

describe('limits', () => {
  test('a budget stops the work with 75, and the same command resumes', async () => {
    const double = await assistant(echo);
    const cwd = folderOf({
      cases: requests(10),
      file: httpFile(double.url, { costUsd: 0.5, concurrency: 1 }),
    });
    const first = await collect(cwd, ['--budget', '2']);
    expect(first.code).toBe(75);
    expect(first.err).toContain('4 of 10 cases in out.jsonl: 4 answered');
    expect(first.err).toContain('Spent: $2.00');
    expect((await collect(cwd)).code).toBe(0);
    expect(double.requests).toHaveLength(10);
  });

  test('a budget holds for requests that are sent at the same time', async () => {
    const double = await assistant(echo);
    const cwd = folderOf({
      cases: requests(30),
      file: httpFile(double.url, { costUsd: 0.1, concurrency: 20 }),
    });
    const { code, err } = await collect(cwd, ['--budget', '0.35']);
    expect(code).toBe(75);
    expect(err).toContain('Spent: $0.30');
    expect(err).toContain('Stopped: the budget of $0.35 pays for no further case.');
    expect(double.requests).toHaveLength(3);
  });

  test('a budget without a price is refused before anything is asked', async () => {
    const double = await assistant(echo);
    const cwd = folderOf({ cases: requests(2), file: httpFile(double.url) });
    const { code, err } = await collect(cwd, ['--budget', '2']);
    expect(code).toBe(64);
    expect(err).toContain('"costUsd: 0.002"');
    expect(double.requests).toHaveLength(0);
  });

  test('a reply that never comes ends at the time limit', async () => {
    const double = await assistant((request) =>
      said(request).endsWith(' 1') ? { hang: true } : echo(request),
    );
    const cwd = folderOf({ cases: requests(3), file: httpFile(double.url, { timeoutSeconds: 0.3 }) });
    expect((await collect(cwd)).code).toBe(1);
    expect(collected(cwd)[1]).toMatchObject({ tags: { unanswered: 'timeout' } });
  });

  test('Ctrl-C waits for what was asked, asks nothing more, and the same command resumes', async () => {
    const double = await assistant((request) => ({ ...echo(request), delayMs: 300 }));
    const cwd = folderOf({ cases: requests(12), file: httpFile(double.url, { concurrency: 3 }) });
    const child = spawnJury(command, { cwd });
    const said = text(child.stderr);
    await until(() => double.requests.length === 3);
    child.kill('SIGINT');
    expect(await new Promise((done) => child.once('exit', done))).toBe(130);
    expect(await said).toContain('Press Ctrl-C again to stop at once.');
    expect(collected(cwd)).toHaveLength(3);
    expect((await collect(cwd)).code).toBe(0);
    expect(double.requests).toHaveLength(12);
  });
});

describe('what a file says', () => {
  test('of the system counts before what its replies say, and short values of the environment garble no answer', async () => {
    const double = await assistant((request) => ({
      json: { reply: { text: `take lane 1 to ${said(request)}` }, v: 'x' },
    }));
    const file = httpFile(double.url, {
      build: variable('BUILD'),
      http: { url: double.url, headers: { 'x-lane': variable('LANE') }, body: { text: '{{request}}' } },
      fields: { 'tags.build': 'v', 'tags.version': 'v' },
    });
    const cwd = folderOf({ cases: requests(1), file });
    expect((await collect(cwd, [], { BUILD: 'b7', LANE: '1' })).code).toBe(0);
    expect(collected(cwd)[0]).toMatchObject({
      response: 'take lane 1 to request number 0',
      tags: { system: 'car', build: 'b7', version: 'x' },
    });
    expect((await collect(cwd, [], { BUILD: 'b7', LANE: '1' })).code).toBe(0);
  });

  test('a rate is kept to, and a slow one does not keep Ctrl-C waiting', async () => {
    const double = await assistant(echo);
    const cwd = folderOf({ cases: requests(5), file: httpFile(double.url, { perSecond: 0.01 }) });
    const child = spawnJury(command, { cwd });
    await until(() => double.requests.length === 1);
    child.kill('SIGINT');
    expect(await new Promise((done) => child.once('exit', done))).toBe(130);
    expect(collected(cwd)).toHaveLength(1);
  });

  test('the budget of the day holds for models', async () => {
    const double = await startModelDouble({ answer: () => ({ content: 'fine' }) });
    closing(double.close);
    const cwd = folderOf({ cases: requests(3), file: { openai: { model: 'openai/gpt-4o-mini' } } });
    const env = { OPENAI_BASE_URL: double.baseUrl, OPENAI_API_KEY: 'none', JURY_DAILY_BUDGET_USD: '0' };
    const { code, err } = await collect(cwd, [], env);
    expect(code).toBe(75);
    expect(err).toContain('JURY_DAILY_BUDGET_USD');
    expect(existsSync(join(cwd, 'out.jsonl'))).toBe(false);
  });
});

describe('what is there already', () => {
  test('belongs to the same requests, system and build, or nothing is asked', async () => {
    const double = await assistant(echo);
    const cwd = folderOf({ cases: requests(2), file: httpFile(double.url) });
    expect((await collect(cwd, ['--build', 'a'])).code).toBe(0);
    const refused = async (name: string, text: string | null, more: string[] = []) => {
      if (text !== null) writeFileSync(join(cwd, name), text);
      const { code, err } = await collect(cwd, more);
      expect(code).toBe(64);
      expect(double.requests).toHaveLength(2);
      return err;
    };
    expect(await refused('set.jsonl', null, ['--build', 'b'])).toContain(
      'the case "case-0" was answered by build "a", not by "b"',
    );
    const before = readFileSync(join(cwd, 'out.jsonl'), 'utf8').replaceAll('"build"', '"unanswered"');
    writeFileSync(join(cwd, 'out.jsonl'), before);
    expect(await refused('set.jsonl', null, ['--build', 'b', '--retry-failed'])).toContain('not by "b"');
    expect(readFileSync(join(cwd, 'out.jsonl'), 'utf8')).toBe(before);
    const other = requests(2).map((one) =>
      JSON.stringify({ ...one, conversation: [user('something else')] }),
    );
    expect(await refused('set.jsonl', other.join('\n'))).toContain('the case "case-0" asks something else');
    expect(await refused('set.jsonl', JSON.stringify(requests(1)[0]))).toContain(
      'the case "case-1" is not in the dataset',
    );
    expect(await refused('car.yaml', JSON.stringify(httpFile(double.url, { name: 'bus' })))).toContain(
      'not by "bus"',
    );
  });

  test('is never touched if it is not a file of answers', async () => {
    const double = await assistant(echo);
    const cwd = folderOf({ cases: requests(2), file: httpFile(double.url) });
    for (const text of ['notes', '{"foo":1', '{\n "id": "x"\n}\n', `${JSON.stringify(requests(1)[0])}`]) {
      writeFileSync(join(cwd, 'out.jsonl'), text);
      expect((await collect(cwd)).code).toBe(64);
      expect(readFileSync(join(cwd, 'out.jsonl'), 'utf8')).toBe(text);
    }
    expect(double.requests).toHaveLength(0);
  });

  test('keeps a last line that no line break ends', async () => {
    const double = await assistant(echo);
    const cwd = folderOf({ cases: requests(2), file: httpFile(double.url) });
    // A dataset, given as the file of answers by mistake.
    const dataset = [0, 1].map((at) =>
      JSON.stringify({ conversation: [user(`request number ${at}`)], response: 'own', id: `case-${at}` }),
    );
    writeFileSync(join(cwd, 'set.jsonl'), dataset.join('\n'));
    expect((await collect(cwd, ['--out', 'set.jsonl'])).code).toBe(64);
    expect(readFileSync(join(cwd, 'set.jsonl'), 'utf8')).toBe(dataset.join('\n'));
    writeFileSync(join(cwd, 'set.jsonl'), dataset[0] ?? '');
    await collect(cwd);
    writeFileSync(join(cwd, 'out.jsonl'), readFileSync(join(cwd, 'out.jsonl'), 'utf8').trim());
    writeFileSync(join(cwd, 'set.jsonl'), dataset.join('\n'));
    expect((await collect(cwd)).code).toBe(0);
    expect(collected(cwd)).toHaveLength(2);
    expect(double.requests).toHaveLength(2);
  });

  test.each([40, 10_000])('a line that was cut off is asked again', async (cut) => {
    const double = await assistant(echo);
    const cwd = folderOf({ cases: requests(3), file: httpFile(double.url) });
    await collect(cwd);
    const whole = readFileSync(join(cwd, 'out.jsonl'), 'utf8');
    const last = whole.lastIndexOf('\n', whole.length - 2) + 1;
    writeFileSync(join(cwd, 'out.jsonl'), whole.slice(0, Math.max(last + 3, whole.length - cut)));
    expect((await collect(cwd)).code).toBe(0);
    expect(double.requests).toHaveLength(4);
    expect(collected(cwd)).toHaveLength(3);
  });

  test('a dataset with an unknown key is refused with what is allowed', async () => {
    const cwd = folderOf({
      cases: requests(1, () => ({ action: { name: 'play' } })),
      file: httpFile('http://127.0.0.1:1'),
    });
    expect((await collect(cwd)).err).toContain(
      'unknown key "action.name" (allowed in action: device, operation',
    );
  });

  test('two cases with one id are refused', async () => {
    const [one] = requests(1);
    const cwd = folderOf({
      cases: [one, one].flatMap((each) => each ?? []),
      file: httpFile('http://127.0.0.1:1'),
    });
    expect((await collect(cwd)).err).toContain('Two cases have the id "case-0"');
  });
});

const node = (script: string) => [process.execPath, '-e', script];

describe('other systems', () => {
  test('a model is asked with its instructions and the conversation, in free text', async () => {
    const double = await startModelDouble({ answer: ({ n }) => ({ content: `answer ${n}` }) });
    closing(double.close);
    const openai = { model: 'openai/gpt-4o-mini', instructions: 'It is {{context.time}}.', temperature: 0 };
    const cwd = folderOf({
      cases: requests(2, () => ({ context: { time: '20:35' } })),
      file: { openai, concurrency: 1 },
    });
    const env = { OPENAI_BASE_URL: double.baseUrl, OPENAI_API_KEY: 'none' };
    expect((await collect(cwd, [], env)).code).toBe(0);
    expect(double.requests.map(({ body }) => body)).toMatchObject(
      [0, 1].map((at) => ({
        model: 'gpt-4o-mini',
        temperature: 0,
        messages: [
          { role: 'system', content: 'It is 20:35.' },
          { role: 'user', content: `request number ${at}` },
        ],
      })),
    );
    expect(double.requests[0]?.body).not.toHaveProperty('response_format');
    expect(collected(cwd).map(({ response }) => response)).toEqual(['answer 1', 'answer 2']);
  });

  test('a paste is asked for its answer; the command says what it left out', async () => {
    const double = await assistant(echo);
    const cwd = folderOf({ cases: [], file: httpFile(double.url) });
    writeFileSync(join(cwd, 'set.jsonl'), 'User: food please\nSystem: What kind?\nUser: sushi');
    const { code, err } = await collect(cwd);
    expect(code).toBe(0);
    expect(err).toContain('Assumed: left out: 1 turn after the one to judge (1 case)');
    expect(collected(cwd)).toMatchObject([{ id: 'set', response: 're: food please' }]);
  });

  test('a model that refuses the temperature is asked without it', async () => {
    const double = await startModelDouble({
      refuse: { temperature: true },
      answer: () => ({ content: 'fine' }),
    });
    closing(double.close);
    const cwd = folderOf({
      cases: requests(1),
      file: { openai: { model: 'openai/gpt-4o-mini', temperature: 1 } },
    });
    const env = { OPENAI_BASE_URL: double.baseUrl, OPENAI_API_KEY: 'none' };
    expect((await collect(cwd, [], env)).code).toBe(0);
    expect(double.requests).toHaveLength(2);
  });

  test('a command reads JSON, or what its file says, and its output is the answer', async () => {
    const run = node('process.stdin.on("data", (d) => console.log("re: " + JSON.parse(d).request))');
    const cwd = folderOf({ cases: requests(3), file: { command: { run }, build: 'b1' } });
    expect((await collect(cwd)).code).toBe(0);
    expect(collected(cwd)[2]).toMatchObject({
      response: 're: request number 2',
      tags: { system: 'car', build: 'b1' },
    });
    const shell = folderOf({
      cases: requests(1),
      file: { command: { run: 'tr a-z A-Z', input: '{{request}}' } },
    });
    await collect(shell);
    expect(collected(shell)[0]?.response).toBe('REQUEST NUMBER 0');
  });

  test('a command that fails says so with its exit code and what it printed; one that hangs is killed with its children', async () => {
    const cwd = folderOf({
      cases: requests(1),
      file: { command: { run: 'cat > /dev/null; echo "no disk" >&2; exit 3' } },
    });
    expect((await collect(cwd)).err).toContain('the command ended with exit code 3: no disk');
    const hangs = folderOf({
      cases: requests(1),
      file: { command: { run: 'sleep 900 | cat' }, timeoutSeconds: 0.3 },
    });
    expect((await collect(hangs)).err).toContain('from the command (limit 0.3 s)');
  });

  test('a command that leaves a process behind which holds its output is not waited for', async () => {
    const leavesBehind =
      'const left = require("child_process").spawn("sleep", ["900"], { detached: true, stdio: "inherit" }); ' +
      'require("fs").writeFileSync("left", String(left.pid)); left.unref()';
    const cwd = folderOf({
      cases: requests(1),
      file: { command: { run: node(leavesBehind) }, timeoutSeconds: 3 },
    });
    expect((await collect(cwd)).err).toContain('from the command (limit 3.0 s)');
    if (existsSync(join(cwd, 'left'))) process.kill(Number(readFileSync(join(cwd, 'left'), 'utf8')));
  });
});

describe('mistakes in the system file', () => {
  const cases = requests(1);
  const problems = async (file: unknown): Promise<string> => {
    const { code, err } = await collect(folderOf({ cases, file }));
    expect(code).toBe(64);
    return err;
  };
  const http = { url: 'http://127.0.0.1:1' };

  test.each<[string, unknown, string]>([
    ['no system', {}, 'car.yaml: (the whole): must have exactly one of: openai, http, command'],
    ['two systems', { http, command: { run: 'cat' } }, 'must have exactly one of: openai, http, command'],
    ['an unknown key', { http, ratee: 1 }, 'ratee: is not a known key; choose from: name, build, openai'],
    [
      'an unknown key below',
      { http: { ...http, metod: 'GET' } },
      'http.metod: is not a known key; choose from: method, url',
    ],
    [
      'a method',
      { http: { ...http, method: 'DELETE' } },
      'http.method: must be "GET", "POST", "PUT" or "PATCH"',
    ],
    [
      'an address that what is asked decides',
      { http: { url: 'https://api.{{request}}/ask' } },
      'http.url: must name its host itself',
    ],
    ['an address', { http: { url: 'ftp://x' } }, 'http.url: must be an http or https address'],
    [
      'a body of GET',
      { http: { ...http, method: 'GET', body: {} } },
      'http.body: goes with POST, PUT or PATCH only',
    ],
    [
      'a header',
      { http: { ...http, headers: { 'a b': 'x' } } },
      'http.headers.a b: cannot be sent as a header',
    ],
    [
      'a variable',
      { http: { ...http, headers: { a: variable('NOT_THERE') } } },
      `http.headers.a: ${variable('NOT_THERE')} is not set`,
    ],
    [
      'a placeholder',
      { http: { ...http, body: { x: ['{{label}}'] } } },
      'http.body.x.0: {{label}} cannot be sent; choose from: request',
    ],
    [
      'a field',
      { http, fields: { label: 'x' } },
      'fields.label: cannot be read from a reply; choose from: recommendation',
    ],
    [
      'what a model lacks',
      { openai: { model: 'openai/x' }, answer: 'x' },
      'answer: goes with http or command only',
    ],
    ['a number', { http, timeoutSeconds: 0 }, 'timeoutSeconds: must be above 0'],
    [
      'a placeholder in a command',
      { command: { run: 'say {{request}}' } },
      'command.run: {{request}} is not filled in here, only in what is sent',
    ],
    ['no YAML', 'http: [', 'car.yaml: is not valid YAML'],
  ])('%s', async (_what, file, message) => {
    expect(await problems(file)).toContain(message);
  });

  test('are all listed at once, without values of the environment', async () => {
    const file = { http: { url: variable('URL_THERE'), metod: 1 }, concurrency: 0 };
    const { err } = await collect(folderOf({ cases, file }), [], { URL_THERE: 'secret-address' });
    expect(err).toContain('There are 2 problems in the system file');
    expect(err).not.toContain('secret-address');
  });

  test('a model that is not set up is reported before anything is asked', async () => {
    expect(await problems({ openai: { model: 'openai/gpt-4o-mini' } })).toContain('OPENAI_API_KEY');
  });
});
