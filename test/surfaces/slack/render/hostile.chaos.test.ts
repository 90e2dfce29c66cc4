import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quietPost, quietUpdate } from '../../../../src/surfaces/slack/render/blocks.ts';
import { LINK } from '../../../support/everything-shown.ts';
import { repeated } from '../../../support/repeated.ts';
import { loudness, messageProblems, viewProblems } from '../../../support/slack-limits.ts';
import { everythingOf } from './everything.ts';
import { hostile } from './hostile.ts';

describe('whatever is pasted or said', () => {
  test('Slack reads nothing into it and takes every message and view', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const { messages, views } = everythingOf(text);
        for (const message of messages) {
          expect(loudness(message, [LINK])).toEqual([]);
          expect(messageProblems(message)).toEqual([]);
        }
        for (const view of views) {
          expect(loudness(view, [LINK])).toEqual([]);
          expect(viewProblems(view)).toEqual([]);
        }
      }),
      { numRuns: repeated(300) },
    );
  });

  test('goes with options that keep Slack from looking for names and links', () => {
    expect(quietPost).toMatchObject({ parse: 'none', link_names: false, unfurl_links: false, mrkdwn: false });
    expect(quietUpdate).toEqual({ parse: 'none', link_names: false });
  });
});
