import { describe, expect, test } from 'vitest';
import { noSettings } from '../../src/labels/access/channel-settings.ts';
import {
  type Action,
  type Actor,
  type Membership,
  permissions,
  type Roles,
  refusal,
  refusalIn,
} from '../../src/labels/access/permissions.ts';
import type { Language } from '../../src/words/language.ts';

const conversation = { surface: 'slack', channel: 'C1' };
const ann: Actor = { people: [{ surface: 'slack', team: '', user: 'U0ANN' }], at: null };
const actions = Object.keys(permissions).filter((key): key is Action => key in permissions);

const rolesWith = (
  membership: Membership,
  admins: string[] | null = null,
  membersMayChange = false,
): Roles => ({
  admins: admins === null ? null : new Set(admins),
  membership: async () => membership,
  store: {
    channelSettings: async () => (membersMayChange ? { ...noSettings, membersMayChange } : noSettings),
  },
});
const allowed = async (roles: Roles, actor: Actor = ann): Promise<Action[]> => {
  const found = await Promise.all(
    actions.map(async (action) => ({ action, why: await refusal(roles, action, actor, conversation) })),
  );
  return found.flatMap(({ action, why }) => (why === null ? [action] : []));
};
const READ = ['read', 'vote', 'ask', 'rerun', 'stop'];

describe('without admins', () => {
  test('a member may do everything but delegate; there is nothing to delegate', async () => {
    expect(await allowed(rolesWith('member'))).toEqual([...READ, 'schedule', 'set', 'rule', 'study']);
  });
  test('who only reads a public channel changes nothing for its members', async () => {
    expect(await allowed(rolesWith('reader'))).toEqual(READ);
    expect(await allowed(rolesWith('guest'))).toEqual(READ);
  });
  test('one’s own chat is one’s own', async () => {
    expect(await allowed(rolesWith('owner'))).toEqual([...READ, 'schedule', 'set', 'rule', 'study']);
    // A ruling counts beyond it.
    expect(await allowed(rolesWith('owner', ['U0BEN']))).toEqual([...READ, 'schedule', 'set']);
  });
  test('who is not there may do nothing', async () => {
    expect(await allowed(rolesWith('outsider'))).toEqual([]);
  });
});

describe('where the platform does not say who is there', () => {
  test('what is signed counts as a vote or is judged, and nothing else is done from elsewhere', async () => {
    expect(await allowed(rolesWith('unknown'))).toEqual(['vote', 'ask']);
  });
  test('what is done in the conversation itself continues, but nothing is changed for others', async () => {
    expect(await allowed(rolesWith('unknown'), { ...ann, at: 'C1' })).toEqual(READ);
    expect(await allowed(rolesWith('unknown'), { ...ann, at: 'C2' })).toEqual(['vote', 'ask']);
  });
  test('admins still change settings', async () => {
    expect(await allowed(rolesWith('unknown', ['U0ANN']))).toEqual([
      'vote',
      'ask',
      'schedule',
      'set',
      'rule',
      'study',
      'delegate',
    ]);
  });
});

describe('with admins', () => {
  test('members read, vote and schedule; the rest is for admins', async () => {
    expect(await allowed(rolesWith('member', ['U0BEN']))).toEqual([...READ, 'schedule']);
    expect(await allowed(rolesWith('member', ['U0ANN']))).toEqual(actions);
  });
  test('an admin lets the members of a conversation change it, which lets none of them delegate', async () => {
    expect(await allowed(rolesWith('member', ['U0BEN'], true))).toEqual([
      ...READ,
      'schedule',
      'set',
      'rule',
      'study',
    ]);
    expect(await allowed(rolesWith('reader', ['U0BEN'], true))).toEqual(READ);
    expect(await allowed(rolesWith('guest', ['U0BEN'], true))).toEqual(READ);
  });
  test('being an admin shows no verdict of conversations that one is not in', async () => {
    expect(await allowed(rolesWith('outsider', ['U0ANN']))).toEqual([
      'schedule',
      'set',
      'rule',
      'study',
      'delegate',
    ]);
  });
  test('an admin is one under any of their identities', async () => {
    const both: Actor = { ...ann, people: [...ann.people, { surface: 'teams', team: 't1', user: 'u1' }] };
    expect(await allowed(rolesWith('member', ['U0ANN']), both)).toEqual(actions);
    expect(await allowed(rolesWith('member', ['teams:t1:u1']), both)).toEqual(actions);
  });
  test('an admin is known by the platform’s id with its tenant, or by a verified e-mail address', async () => {
    const teams: Actor = { people: [{ surface: 'teams', team: 't1', user: 'u1' }], at: null };
    expect(await allowed(rolesWith('member', ['teams:t1:u1']), teams)).toEqual(actions);
    expect(await allowed(rolesWith('member', ['teams:t2:u1']), teams)).not.toContain('set');
    const signedIn: Actor = { people: [{ surface: 'page', team: '', user: 'oidc:i:s' }], at: null };
    expect(await allowed(rolesWith('member', ['ann@example.com']), signedIn)).not.toContain('set');
    const proved = { ...signedIn, email: 'Ann@Example.com' };
    expect(await allowed(rolesWith('member', ['ann@example.com']), proved)).toEqual(actions);
  });
});

describe('who is refused learns why', () => {
  const why = (membership: Membership, action: Action, admins: string[] | null = null) =>
    refusal(rolesWith(membership, admins), action, ann, conversation);

  test('as a guest, as one who is not there, as one who may not, or because nothing is known', async () => {
    expect(await why('guest', 'set')).toBe('guest');
    expect(await why('outsider', 'read')).toBe('outsider');
    expect(await why('reader', 'schedule')).toBe('outsider');
    expect(await why('unknown', 'set')).toBe('unknown');
    expect(await why('member', 'set', ['U0BEN'])).toBe('admins');
  });

  test('in their own language', async () => {
    const told = (membership: Membership, language: Language) =>
      refusalIn(language, rolesWith(membership), 'set', ann, conversation);
    expect(await told('outsider', 'en')).toBe('You are not a member of this conversation.');
    expect(await told('outsider', 'de')).toBe('Du bist nicht Mitglied dieser Unterhaltung.');
    expect(await told('member', 'de')).toBeNull();
  });
});
