import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { JuryError } from '../../src/common/errors.ts';
import { readEnv } from '../../src/env.ts';
import { startModelDouble } from '../support/model-double.ts';
import { call, textOfHtml } from '../support/page-service.ts';
import { UNSURE, UNSURE_LINE } from '../support/pastes.ts';
import { closeAfterEach, closing, newFolder, until } from '../support/resources.ts';
import { jury } from '../support/run-jury.ts';
import { runService } from '../support/run-service.ts';
import { nextTs, payloadsOf } from '../support/slack-requests.ts';
import { startJury, withSlack } from '../support/slack-service.ts';

closeAfterEach();

const PHONE = '+49 171 1234567';
const PLATE = 'B-AB 1234';
const NUMBER = 'KD-123456';
const SECRETS = [PHONE, PLATE, NUMBER, '1234567', '52.520008', '13.404954'];

const paste = [
  `User: I am ${NUMBER}, call me at ${PHONE}, and find the owner of ${PLATE}`,
  `System: I called ${PHONE} about ${PLATE}.`,
].join('\n');

const venue = {
  conversation: [{ role: 'user', text: `Find me a restaurant for ${PHONE}` }],
  response: 'I recommend Chez Luc, one minute away.',
  context: { location: { latitude: 52.520008, longitude: 13.404954 } },
  recommendation: {
    name: 'Chez Luc',
    durationMin: 1,
    location: { latitude: 52.9200081, longitude: 13.404954 },
  },
};

async function setUp() {
  const double = await startModelDouble();
  closing(double.close);
  const folder = newFolder();
  const own = join(folder, 'own.json');
  writeFileSync(own, JSON.stringify({ 'customer number': 'KD-######' }));
  const env = {
    JURY_DATA_DIR: join(folder, 'data'),
    JURY_REDACT: `phone,plate,position,file:${own}`,
    JURY_MODEL: 'openai/gpt-4o-mini',
    OPENAI_API_KEY: 'sk-test-0123456789',
    OPENAI_BASE_URL: double.baseUrl,
  };
  const sent = () => double.requests.map(({ system, user }) => `${system}\n${user}`).join('\n');
  return { env, sent };
}

/** All bytes below a folder. */
const bytesIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

const WithId = z.looseObject({ id: z.string(), remarks: z.array(z.string()), case: z.unknown() });

const noneIn = (text: string): void => {
  for (const secret of SECRETS) expect(text).not.toContain(secret);
};

test('models, verdicts, pages, logs and the store hold no detail, and the card counts them', async () => {
  const { env, sent } = await setUp();
  const { service, logged, parts, close } = await runService(env);
  const answer = await call(service.port, '/api/v1/verdicts', { method: 'POST', body: { paste } });
  expect(answer.status).toBe(200);
  const { id, remarks } = WithId.parse(JSON.parse(answer.text));
  expect(remarks).toContain(
    '5 details were redacted before the judges saw this: 1 customer number, 2 phone numbers, 2 license plates',
  );
  expect(sent()).toContain('I am [customer number], call me at [phone number]');
  noneIn(sent());
  noneIn(answer.text);
  const page = await call(service.port, `/verdicts/${id}`);
  expect(textOfHtml(page.text)).toContain('5 details were redacted before the judges saw this');
  noneIn(page.text);
  noneIn(JSON.stringify(await (await parts.store()).verdict(id)));
  await close();
  noneIn(logged.join('\n'));
  noneIn(bytesIn(env.JURY_DATA_DIR));
});

test('exact checks read what others do not, and what is kept is redacted', async () => {
  const { env, sent } = await setUp();
  const { service, close } = await runService(env);
  const body = { ...venue, models: ['rules'] };
  const answer = await call(service.port, '/api/v1/verdicts', { method: 'POST', body });
  // The positions are 44 km apart.
  expect(answer.text).toContain('km in 1 min is not drivable');
  const { id, remarks, case: kept } = WithId.parse(JSON.parse(answer.text));
  expect(remarks).toContain('3 details were redacted here: 1 phone number, 2 exact positions');
  expect(kept).toMatchObject({
    context: { location: { description: '[exact position]' } },
    recommendation: { durationMin: 1, location: { description: '[exact position]' } },
  });
  const again = await call(service.port, `/api/v1/verdicts/${id}`);
  noneIn(again.text);
  expect(sent()).toBe('');
  await close();
  const exported = await jury(['labels', 'export', '--all'], { env });
  noneIn(exported.out);
});

test('nothing that is kept or shown depends on what a stand-in replaced, so that no one can try out what it was', async () => {
  const { env } = await setUp();
  const seen = async (phone: string) => {
    const input = `User: Call ${phone}\nSystem: Calling ${phone}.`;
    const { out } = await jury(['judge', '-', '--json', '--no-cache'], { env, input });
    expect(out).toContain('"decision"');
    return out.replaceAll(/"(?:startedAt|durationMs|latencyMs)":[^,}]+/g, '');
  };
  expect(await seen('+49 171 1234567')).toBe(await seen('+49 171 7654321'));
});

test('the console keeps none of what was typed, and shows stand-ins where it cannot be judged', async () => {
  const { env } = await setUp();
  const { service, close } = await runService(env);
  const ask = async (text: string): Promise<string> => {
    const body = { key: randomUUID(), text };
    const asked = await call(service.port, '/ui/requests', { method: 'POST', body });
    const { view } = z.object({ view: z.string() }).parse(JSON.parse(asked.text));
    return until(async () => {
      const { text: html } = await call(service.port, `/requests/${view}`);
      return /PASS|FAIL|NOT DECIDED|Understood so far|could not|couldn/.test(textOfHtml(html)) && html;
    });
  };
  noneIn(await ask(paste));
  noneIn(await ask(`User: My number is ${PHONE}`));
  await close();
  expect(bytesIn(env.JURY_DATA_DIR)).not.toContain(PLATE);
});

test('what is asked about a line, and the paste with its parts, hold stand-ins', async () => {
  const { env } = await setUp();
  const { service, parts, close } = await runService({ ...env, JURY_MODEL: 'rules' });
  const told = UNSURE.replace(UNSURE_LINE, `I think the rating is 3.1, they said at ${PHONE}`);
  const api = (body: object) => call(service.port, '/api/v1/verdicts', { method: 'POST', body });
  const asked = await api({ paste: told });
  expect([asked.status, asked.text.includes('they said at [phone number]')]).toEqual([422, true]);
  noneIn(asked.text);
  const judged = await api({ paste: told, unsure: 'remark' });
  const { id } = WithId.parse(JSON.parse(judged.text));
  noneIn(judged.text);
  const record = await (await parts.store()).verdict(id);
  const { text = '', spans = [] } = record?.received ?? {};
  const unsure = spans.filter(({ is }) => is === 'unsure').map(({ from, to }) => text.slice(from, to));
  expect(unsure).toEqual(['I think the rating is 3.1, they said at [phone number]']);
  noneIn(JSON.stringify(record));
  await close();
  noneIn(bytesIn(env.JURY_DATA_DIR));
});

test('a text whose parts hold more than is found in it is not kept', async () => {
  const { env } = await setUp();
  const { service, parts } = await runService({ ...env, JURY_MODEL: 'rules' });
  const body = { paste: JSON.stringify(venue) };
  const answer = await call(service.port, '/api/v1/verdicts', { method: 'POST', body });
  const { id } = WithId.parse(JSON.parse(answer.text));
  const record = await (await parts.store()).verdict(id);
  expect(record?.received).toBeUndefined();
  noneIn(JSON.stringify(record));
});

test('a chat shows stand-ins alone', async () => {
  const { env, sent } = await setUp();
  const slack = await withSlack();
  const { deliver } = await startJury(slack, 'http', env);
  const ann = payloadsOf(slack);
  const said = slack.calls.length;
  const several = `${paste}\n---\nUser: Hi\nSystem: My number is ${PHONE}`;
  for (const text of [paste, several, `User: My plate is ${PLATE}`])
    await deliver.event(ann.mention(text, nextTs()));
  await until(() => {
    const written = JSON.stringify(slack.calls.slice(said).map(({ args }) => args));
    return ['5 details were redacted', '2 cases', 'I cannot judge this yet'].every((one) =>
      written.includes(one),
    );
  });
  noneIn(JSON.stringify(slack.calls.slice(said).map(({ args }) => args)));
  noneIn(sent());
});

test('the command line shows, prints and keeps the same', async () => {
  const { env, sent } = await setUp();
  const ran = await jury(['judge', '--save'], { env, input: paste });
  expect(ran.out).toContain('5 details were redacted before the judges saw this');
  noneIn(ran.out + ran.err + sent());
  noneIn(bytesIn(env.JURY_DATA_DIR));
  const json = await jury(['judge', '--json'], { env, input: JSON.stringify(venue) });
  noneIn(json.out + sent());
});

test('reports on runs quote redacted cases, and the judges of a run are shown no others', async () => {
  const { env, sent } = await setUp();
  const file = join(newFolder(), 'set.jsonl');
  writeFileSync(file, `${JSON.stringify({ ...venue, label: { decision: 'fail' } })}\n`);
  const out = newFolder();
  await jury(['bench', 'run', file, '--name', 'r1', '--methods', 'io', '--models', env.JURY_MODEL], { env });
  expect(sent()).toContain('[phone number]');
  noneIn(sent());
  const report = await jury(['bench', 'report', 'r1', '--out', out], { env });
  expect(report.code).toBe(0);
  noneIn(report.out + bytesIn(out));
  const { service } = await runService(env);
  const page = await call(service.port, '/runs/r1');
  const details = await call(service.port, '/ui/runs/r1/cases/0');
  expect([page.status, details.status]).toEqual([200, 200]);
  expect(details.text).toContain('[phone number]');
  noneIn(page.text + details.text);
});

test('doctor says what is redacted', async () => {
  const { env } = await setUp();
  const ran = await jury(['doctor'], { env });
  expect(ran.out).toContain(
    'redaction: replaced before models see a case and before it is kept: customer number, exact position, license plate, phone number',
  );
  expect((await jury(['doctor'])).out).toContain('redaction: nothing is redacted');
});

test('a setting that cannot be understood stops the start, with the reason', () => {
  const problemsOf = (value: string): string => {
    try {
      readEnv({ JURY_REDACT: value }, '');
      return '';
    } catch (thrown) {
      return thrown instanceof JuryError ? thrown.message : '';
    }
  };
  expect(problemsOf('phone, email')).toBe('');
  expect(problemsOf('phones')).toContain(
    '"phones" is none of phone, email, plate, vin, position or file:PATH',
  );
  expect(problemsOf('file:/nowhere.json')).toContain('/nowhere.json cannot be read');
  const file = join(newFolder(), 'own.json');
  writeFileSync(file, '{"id": "(a+)+$"}');
  expect(problemsOf(`file:${file}`)).toBe('');
  writeFileSync(file, '{"id": "**"}');
  expect(problemsOf(`file:${file}`)).toContain('at least three');
});
