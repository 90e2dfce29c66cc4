import { describe, expect, test, vi } from 'vitest';
import { accessTo } from '../../../src/surfaces/teams/activities.ts';
import { PASTE } from '../../support/pastes.ts';
import { closeAfterEach, closing, until } from '../../support/resources.ts';
import { aTeam, CHANNEL, GROUP, recent, saying } from '../../support/teams-service.ts';

closeAfterEach();

test('no file is fetched from a foreign host', async () => {
  const { teams, ann, jury } = await aTeam();
  const file = {
    contentType: 'application/vnd.microsoft.teams.file.download.info',
    name: 'case.txt',
    content: { downloadUrl: 'http://169.254.169.254/case.txt', uniqueId: 'f1' },
  };
  await ann.deliver(jury.service.port, ann.message(ann.personal, 'judge this', { attachments: [file] }));
  await saying(teams, /SharePoint, OneDrive or a Teams server/);
  expect(await recent(jury)).toEqual([]);
});

test.each([
  ['https://acme-my.sharepoint.com/personal/ann/case.txt', 'open'],
  ['https://api.onedrive.com/case.txt', 'open'],
  ['https://smba.trafficmanager.net/emea/v3/attachments/1/views/original', 'token'],
  ['https://smba.infra.gov.teams.microsoft.us/v3/attachments/1/views/original', 'token'],
  ['http://smba.trafficmanager.net/v3/attachments/1', null],
  ['https://smba.trafficmanager.net.evil.test/v3/attachments/1', null],
  ['https://evil.test/?smba.trafficmanager.net', null],
  ['https://sharepoint.com.evil.test/case.txt', null],
  ['file:///etc/passwd', null],
  ['no address', null],
])('%s is fetched with: %s', (address, access) => {
  expect(accessTo(address, undefined)).toBe(access);
});

/** A file as the connector gives it. */
const attached = (teams: { url: string }, name: string, contentType: string) => ({
  contentType,
  name,
  contentUrl: `${teams.url}/v3/attachments/${name}/views/original`,
});

test.each([
  ['case.txt', 'text/plain', PASTE],
  [
    'cases.jsonl',
    'application/json',
    JSON.stringify({
      conversation: [{ role: 'user', text: 'Find me a sushi place rated at least 4.5' }],
      response: 'Sakura is five minutes away.',
      recommendation: { name: 'Sakura', rating: 4.3 },
    }),
  ],
])(
  '%s that the connector gives is judged in a channel; its token goes there',
  async (name, type, content) => {
    const { teams, ann, jury } = await aTeam();
    teams.files.set(`/v3/attachments/${name}/views/original`, content);
    const said = ann.message(CHANNEL, 'judge this', { attachments: [attached(teams, name, type)] });
    await ann.deliver(jury.service.port, said);
    await saying(teams, /^FAIL/);
    const fetched = teams.calls.filter(({ path }) => path.includes('/attachments/'));
    expect(fetched.map(({ authorization }) => authorization?.startsWith('Bearer eyJ'))).toEqual([true]);
  },
);

test('a file that is too large is refused with what to do', async () => {
  const { teams, ann, jury } = await aTeam();
  teams.files.set('/v3/attachments/big.txt/views/original', 'x'.repeat(2_000_001));
  const said = ann.message(GROUP, 'judge this', { attachments: [attached(teams, 'big.txt', 'text/plain')] });
  await ann.deliver(jury.service.port, said);
  await saying(teams, /big\.txt was not read: it is larger than 2 MB: split it/);
});

test('a redirect is not followed', async () => {
  const { teams, ann, jury } = await aTeam();
  teams.files.set('/v3/attachments/moved.txt/views/original', {
    location: `${teams.url}/v3/attachments/case.txt/views/original`,
  });
  const said = ann.message(GROUP, 'judge', { attachments: [attached(teams, 'moved.txt', 'text/plain')] });
  await ann.deliver(jury.service.port, said);
  await saying(teams, /moved\.txt was not read/);
  expect(teams.calls.some(({ path }) => path.includes('case.txt'))).toBe(false);
});

test.each([
  [
    'in the HTML',
    {
      contentType: 'text/html',
      content: '<p><attachment id="01234567-89ab-cdef-0123-456789abcdef"></attachment></p>',
    },
  ],
  [
    'by reference',
    { contentType: 'reference', name: 'case.txt', contentUrl: 'https://acme.sharepoint.com/case.txt' },
  ],
])(
  'of a file that Teams only names %s, a person reads in one sentence what to do',
  async (_how, attachment) => {
    const { teams, ann, jury } = await aTeam();
    await ann.deliver(jury.service.port, ann.message(CHANNEL, 'judge this', { attachments: [attachment] }));
    await saying(
      teams,
      /was not read: Teams gives apps no files from channels and group chats, so paste its text or send it to me in our own chat\./,
    );
    await until(async () => (await (await jury.parts.store()).pendingSpotChecks()) === 0);
  },
);

test('a quoted message, a picture and the HTML of a message are no files', async () => {
  const { teams, ann, jury } = await aTeam();
  const attachments = [
    { contentType: 'messageReference', content: '{"messageId":"1"}' },
    { contentType: 'image/png', contentUrl: `${teams.url}/v3/attachments/1/views/original` },
    { contentType: 'text/html', content: '<p><attachment id="1700000000000"></attachment></p>' },
  ];
  await ann.deliver(jury.service.port, ann.message(GROUP, PASTE, { attachments }));
  await saying(teams, /^FAIL/);
});

/** A case as a file holds it. */
const CASE = {
  conversation: [{ role: 'user', text: 'Find me a sushi place rated at least 4.5' }],
  response: 'Sakura is five minutes away.',
  recommendation: { name: 'Sakura', rating: 4.3 },
};

describe('a file of a personal chat', () => {
  const SHAREPOINT = 'https://acme-my.sharepoint.com/personal/ann/';

  /** Someone sends a file; SharePoint is the double, over the wire. */
  async function sent(name: string, content: string) {
    const team = await aTeam();
    const { teams, ann, jury } = team;
    const path = '/v3/attachments/1/views/original';
    teams.files.set(path, content);
    const real = globalThis.fetch;
    vi.stubGlobal('fetch', (address: string, init?: RequestInit) =>
      real(String(address).startsWith(SHAREPOINT) ? `${teams.url}${path}` : address, init),
    );
    closing(async () => void vi.unstubAllGlobals());
    const info = { downloadUrl: `${SHAREPOINT}${name}?tempauth=t`, uniqueId: 'f1', fileType: 'txt' };
    const file = {
      contentType: 'application/vnd.microsoft.teams.file.download.info',
      contentUrl: `${SHAREPOINT}${name}`,
      name,
      content: info,
    };
    await ann.deliver(jury.service.port, ann.message(ann.personal, '', { attachments: [file] }));
    return { ...team, fetched: () => teams.calls.filter((call) => call.path === path) };
  }

  test.each([
    ['case.txt', PASTE, /^FAIL/, 1],
    ['case.json', JSON.stringify(CASE, null, 2), /^FAIL/, 1],
    ['cases.jsonl', `${JSON.stringify(CASE)}\n${JSON.stringify(CASE)}\n`, /^2 cases/, 2],
  ])('%s is judged; no token goes to where it lies', async (name, content, shown, verdicts) => {
    const { teams, jury, fetched } = await sent(name, content);
    await saying(teams, shown);
    await until(async () => (await recent(jury)).length === verdicts);
    expect(fetched().map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  test('that is too large is refused with what to do', async () => {
    const { teams, jury } = await sent('big.txt', 'x'.repeat(2_000_001));
    await saying(teams, /big\.txt was not read: it is larger than 2 MB: split it/);
    expect(await recent(jury)).toEqual([]);
  });
});
