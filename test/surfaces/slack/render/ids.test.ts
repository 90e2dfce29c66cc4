import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { actions, callbacks } from '../../../../src/surfaces/slack/ids.ts';
import { handled } from '../handled.ts';
import { everythingOf } from './everything.ts';

const Block = z.looseObject({
  type: z.string(),
  dispatch_action: z.boolean().optional(),
  element: z.looseObject({ type: z.string(), action_id: z.string() }).optional(),
  accessory: z.looseObject({ action_id: z.string() }).optional(),
  elements: z.array(z.looseObject({ action_id: z.string().optional() })).optional(),
});
const Shown = z.looseObject({ callback_id: z.string().optional(), blocks: z.array(Block) });

// Long enough for details of several pages, which have buttons to turn them.
const { messages, views } = everythingOf('word '.repeat(1000));
const shown = z.array(Shown).parse([...messages, ...views]);

/** Ids that Slack calls back with when a person clicks or chooses; inputs of a form are read when it is submitted. */
const called = shown
  .flatMap(({ blocks }) => blocks)
  .flatMap(({ type, dispatch_action, element, accessory, elements = [] }) => {
    // A list that is looked up calls for its choices.
    const isCalled = dispatch_action === true || element?.type === 'external_select';
    if (type === 'input') return isCalled && element !== undefined ? [element.action_id] : [];
    if (type === 'section') return accessory === undefined ? [] : [accessory.action_id];
    return type === 'actions' ? elements.map(({ action_id }) => action_id) : [];
  });
/** Of cards that version 0.1 posted. */
const earlier = [actions.feedback];

describe('what is shown', () => {
  test('calls exactly the actions that are handled', () => {
    expect([...new Set([...called, ...earlier])].sort()).toEqual([...handled.actions].sort());
    expect(handled.actions).toEqual(Object.values(actions));
  });

  test('submits exactly the forms that are handled; the details and the menu of what to manage have nothing to submit', () => {
    const submitted = shown
      .flatMap(({ callback_id }) => callback_id ?? [])
      .filter((id) => id !== callbacks.detailsView && id !== callbacks.manageView);
    expect([...new Set(submitted)].sort()).toEqual([...handled.views].sort());
  });
});
