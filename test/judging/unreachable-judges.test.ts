import { describe, expect, test } from 'vitest';
import { createFirstContact } from '../../src/judging/unreachable-judges.ts';
import { freeUsage, type Judgement } from '../../src/judging/verdict/judgement.ts';
import { aPanel, judgementOf, mute, pass } from '../support/builders.ts';
import { favors, NEW, verdictBy } from '../support/pairs.ts';

const { verdict: anyVerdict } = await verdictBy({ ann: favors(NEW) });
const verdictOf = (...judgements: Judgement[]) => ({ ...anyVerdict, judgements });

const asked = aPanel(1).seats.map(({ judge }) => ({ judge, round: 0 }));
const said = (what: Parameters<typeof judgementOf>[1]) => asked.map((one) => judgementOf(one, what));
const down = asked.map(
  (one): Judgement => ({
    ...one,
    status: 'unscored',
    reason: 'error',
    message: 'connection refused',
    unavailable: true,
    criteria: [],
    usage: { ...freeUsage, attempts: 1 },
    promptHash: null,
  }),
);
const silent = verdictOf(...down, ...down);
const answered = verdictOf(...down, ...said(pass));

describe('the first contact with models', () => {
  test('is lost after three cases on which no judge could be reached', () => {
    const contact = createFirstContact();
    expect(contact.silence(silent)).toBe('connection refused');
    contact.silence(silent);
    expect(contact.isLost()).toBe(false);
    contact.silence(silent);
    expect(contact.isLost()).toBe(true);
  });

  test('is lost after the only case there is', () => {
    const contact = createFirstContact(1);
    expect(contact.isLost()).toBe(false);
    contact.silence(silent);
    expect(contact.isLost()).toBe(true);
  });

  test('is made by a single answer, and later outages do not matter', () => {
    const contact = createFirstContact(1);
    expect(contact.silence(answered)).toBeNull();
    expect(contact.silence(silent)).toBeNull();
    expect(contact.isLost()).toBe(false);
  });

  test('is made by a reply that is no use', () => {
    const contact = createFirstContact(1);
    expect(contact.silence(verdictOf(...said(mute)))).toBeNull();
    expect(contact.silence(silent)).toBeNull();
  });

  test('is neither made nor lost where no judge was asked, or judging was stopped', () => {
    const contact = createFirstContact(1);
    expect(contact.silence(verdictOf())).toBeNull();
    expect(contact.silence(verdictOf(...down, ...said({ unscored: 'cancelled' })))).toBeNull();
    expect(contact.isLost()).toBe(false);
    expect(contact.silence(silent)).toBe('connection refused');
  });
});
