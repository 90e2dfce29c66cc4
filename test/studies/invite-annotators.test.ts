import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { JuryError } from '../../src/common/errors.ts';
import { openSqliteStore } from '../../src/stores/sqlite/sqlite-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { type Inviter, inviteAnnotators } from '../../src/studies/manage-studies.ts';
import type { Study, StudyEntry } from '../../src/studies/study.ts';
import { createSlackClients } from '../../src/surfaces/slack/clients.ts';
import { createSlackStudyPoster } from '../../src/surfaces/slack/studies.ts';
import { closeAfterEach, closing } from '../support/resources.ts';
import { scratch } from '../support/run-jury.ts';
import { type SlackDouble, tokens } from '../support/slack-double.ts';
import { withSlack } from '../support/slack-service.ts';
import { aStudy } from '../support/study-builders.ts';

closeAfterEach();
let slack: SlackDouble;
let store: Store;
let now: number;

beforeEach(async () => {
  slack = await withSlack();
  store = await openSqliteStore(join(scratch(), 'jury.db'));
  closing(() => store.close());
  now = Date.now();
});

/** A process that invites. */
const anInviter = (parts: Partial<Inviter> = {}): Inviter => ({
  store,
  poster: createSlackStudyPoster(createSlackClients(tokens.bot, slack.apiUrl)),
  holder: randomUUID(),
  now: () => now,
  ...parts,
});

const inSlack = (...users: string[]): Study['annotators'] =>
  users.map((user, place) => ({
    id: `p${place}`,
    place,
    person: { surface: 'slack', team: '', user },
  }));

const entry = (parts: Partial<Study> = {}): StudyEntry => {
  const study = aStudy({ at: now, annotators: inSlack(slack.users.ann), ...parts });
  return { ...study, cases: study.cases.length };
};

const outcomes = async (study: StudyEntry, inviter = anInviter()) =>
  (await inviteAnnotators(inviter, study)).map(({ outcome }) => outcome);

const invitations = async () =>
  (await slack.written(slack.im)).filter(({ text }) => text.startsWith('Study'));

describe('annotators of Slack', () => {
  test('are invited in private, each once; those with a name are not', async () => {
    const named = { id: 'p2', place: 2, person: { surface: 'name', team: '', user: 'cem' } };
    const study = entry({ annotators: [...inSlack(slack.users.ann, slack.users.ben), named] });
    expect(await outcomes(study)).toEqual(['sent', 'sent']);
    expect(await outcomes(study)).toEqual(['known', 'known']);
    expect(await invitations()).toHaveLength(1);
    expect(slack.called('chat.postMessage')).toHaveLength(2);
    expect(slack.problems).toEqual([]);
  });

  test('are invited once by ten processes that all want to', async () => {
    const found = await Promise.all(Array.from({ length: 10 }, () => outcomes(entry())));
    expect(found.flat().filter((outcome) => outcome === 'sent')).toHaveLength(1);
    expect(await invitations()).toHaveLength(1);
  });

  test('are not invited twice when the answer to the message is lost', async () => {
    slack.cut('chat.postMessage', 1);
    expect(await outcomes(entry())).toEqual(['sent']);
    expect(await invitations()).toHaveLength(1);
  });

  test('are not invited twice when Slack cannot say whether an invitation arrived', async () => {
    const inviter = anInviter();
    expect(await outcomes(entry(), inviter)).toEqual(['sent']);
    const forgetful = { ...store, setIfAbsent: async () => ({ set: true }) as const };
    slack.refuse('conversations.history', 'internal_error', 6);
    const unsure = await outcomes(entry(), anInviter({ store: forgetful }));
    expect(unsure).toEqual(['failed']);
    slack.allow();
    expect(await outcomes(entry(), anInviter({ store: forgetful }))).toEqual(['sent']);
    expect(await invitations()).toHaveLength(1);
  });

  test('are not invited twice when the process dies before it notes that it did', async () => {
    const dying = anInviter({
      store: {
        setIfAbsent: store.setIfAbsent,
        compareAndSet: () => Promise.reject(new JuryError('store-unavailable', 'dead')),
      },
    });
    await expect(inviteAnnotators(dying, entry())).rejects.toThrow('dead');
    const study = { ...entry(), at: now };
    expect(await outcomes(study)).toEqual(['waiting']);
    now += 300_001;
    expect(await outcomes(study)).toEqual(['sent']);
    expect(await invitations()).toHaveLength(1);
  });

  test('who are not there are named, left alone for an hour, and keep no one else waiting', async () => {
    slack.refuse('conversations.open', 'user_not_found', 1);
    const study = entry({ annotators: inSlack('U0NOBODY', slack.users.ann) });
    const [first, second] = await inviteAnnotators(anInviter(), study);
    expect(first).toMatchObject({ person: 'U0NOBODY', outcome: 'failed' });
    expect(first?.outcome === 'failed' && first.reason).toContain('no one in the workspace has this id');
    expect(second?.outcome).toBe('sent');
    expect(await outcomes(study)).toEqual(['waiting', 'known']);
    now += 3_600_001;
    expect((await outcomes(study))[1]).toBe('known');
  });

  test('are invited although Slack is away for a moment, and at once when it was away for longer', async () => {
    slack.refuse('conversations.open', 'internal_error', 1);
    expect(await outcomes(entry())).toEqual(['sent']);
    const [inviter, later] = [anInviter(), entry({ at: now + 1 })];
    slack.refuse('conversations.open', 'internal_error', 5);
    expect(await outcomes(later, inviter)).toEqual(['failed']);
    expect(await outcomes(later, inviter)).toEqual(['sent']);
  });

  test('of a closed study are not invited, and those of a new one under an old id are', async () => {
    expect(await outcomes(entry({ closed: true }))).toEqual([]);
    expect(await outcomes(entry())).toEqual(['sent']);
    expect(await outcomes(entry({ at: now + 1 }))).toEqual(['sent']);
  });
});
