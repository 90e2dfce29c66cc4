import { describe, expect, test } from 'vitest';
import type { JuryError } from '../../src/common/errors.ts';
import { type DeliveryError, deliveryRules } from '../../src/surfaces/chat/delivery-errors.ts';
import {
  missingScope,
  notDelivered as notDeliveredBySlack,
  SLACK_ERRORS,
} from '../../src/surfaces/slack/slack-errors.ts';
import {
  notDelivered as notDeliveredByTeams,
  TEAMS_CODES,
  TEAMS_STATUSES,
} from '../../src/surfaces/teams/teams-errors.ts';
import { deliveryErrors } from '../contracts/delivery-errors.ts';

/** What an error of each kind is for the flow of a request: its code, and whether and why it is tried again. */
const FLOW = {
  busy: ['undelivered', true, false],
  archived: ['usage', false, false],
  'no access': ['usage', false, false],
  gone: ['usage', false, false],
  scope: ['undelivered', true, true],
  token: ['undelivered', true, true],
  shape: ['undelivered', false, false],
} as const satisfies Record<DeliveryError, readonly [string, boolean, boolean]>;

const flowOf = ({ code, retryable, needsChange }: JuryError) => [code, retryable, needsChange];

describe('what a chat platform does not take', () => {
  test('has an example of each class that both chats are tried with', () => {
    expect(deliveryErrors.map(({ kind }) => kind).sort()).toEqual(Object.keys(deliveryRules).sort());
  });

  test.each(Object.entries(SLACK_ERRORS))('Slack: %s is %s', (error, kind) => {
    expect(flowOf(notDeliveredBySlack({ data: { error } }))).toEqual(FLOW[kind]);
  });

  test.each(Object.entries(TEAMS_STATUSES))('Teams: %s is %s', (status, kind) => {
    expect(flowOf(notDeliveredByTeams({ response: { status: Number(status) } }))).toEqual(FLOW[kind]);
  });

  test.each(Object.entries(TEAMS_CODES))('Teams: the code %s is %s, whatever its status', (code, kind) => {
    const data = { error: { code, message: '' } };
    expect(flowOf(notDeliveredByTeams({ response: { status: 400, data } }))).toEqual(FLOW[kind]);
  });

  test.each([500, 502, 503, 504])('Teams: %s is busy', (status) => {
    expect(flowOf(notDeliveredByTeams({ response: { status } }))).toEqual(FLOW.busy);
  });

  test('is taken for passing without an answer, and for what was sent with an unknown one', () => {
    expect(flowOf(notDeliveredBySlack(new Error('no answer')))).toEqual(FLOW.busy);
    expect(flowOf(notDeliveredByTeams(new Error('no answer')))).toEqual(FLOW.busy);
    expect(flowOf(notDeliveredBySlack({ data: { error: 'never_heard_of' } }))).toEqual(FLOW.shape);
    expect(flowOf(notDeliveredByTeams({ response: { status: 418 } }))).toEqual(FLOW.shape);
  });

  test('names the scope that is missing', () => {
    const thrown = { data: { error: 'missing_scope', needed: 'reactions:write' } };
    expect(missingScope(thrown)).toBe('reactions:write');
    expect(notDeliveredBySlack(thrown).message).toContain('lacks the scope reactions:write in Slack');
    expect(missingScope({ data: { error: 'is_archived' } })).toBeNull();
  });
});
