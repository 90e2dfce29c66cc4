import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, inject, test } from 'vitest';
import { PASTE } from '../../support/pastes.ts';
import { storeKinds, triedOn } from '../../support/repeated.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import { withModel } from '../../support/service-model.ts';
import { type TeamsDouble, textOfPost } from '../../support/teams-double.ts';
import { aPlace, shows, started } from '../../support/teams-processes.ts';
import { aPerson, executes } from '../../support/teams-service.ts';

closeAfterEach();
const { rounds } = inject('counts');

/** When the process is killed that streams in a personal chat. */
const streamMoments: Record<string, (teams: TeamsDouble) => Promise<unknown>> = {
  'before the first status': async () => {},
  'between the take of the first status and keeping its id': (teams) => teams.muteStreams('begin'),
  'as soon as the stream stands': (teams) => until(() => teams.streams.length > 0),
  'in the middle': (teams) => until(() => (teams.streams[0]?.statuses.length ?? 0) > 1),
  'between the take of the last message and hearing so': (teams) => teams.muteStreams('end'),
};

describe.each(storeKinds)('Teams on %s: a process that is killed while it streams', (kind) => {
  test.each(triedOn(kind, Object.entries(streamMoments)))(
    '%s leaves one verdict and one card',
    { repeats: rounds - 1 },
    async (when, moment) => {
      const { teams, env, open } = await aPlace(kind);
      const ann = aPerson(teams);
      const isLast = when.includes('last message');
      const model = await withModel(isLast ? {} : { until: new Promise(() => {}) });
      const first = await started({ ...env, ...model });
      const asked = ann.message(ann.personal, PASTE);
      const reached = moment(teams);
      void ann.deliver(first.port, asked).catch(() => {});
      await reached;
      await first.kill();
      teams.unmuteStreams();

      const second = await started({ ...env, ...(await withModel({})) });
      await ann.deliver(second.port, asked);
      await until(async () => shows(teams, /^PASS/));
      const store = await open();
      await until(async () => (await store.pendingSpotChecks()) === 0);
      const [record, ...others] = await store.recentVerdicts({ channel: null, limit: 9 });
      expect(others).toEqual([]);
      expect(teams.posts).toHaveLength(1);
      const [card] = teams.posts;
      // Whatever stays of a stream is a status, which has no buttons and is no message.
      expect(teams.streams.length).toBeLessThanOrEqual(2);
      if (/in the middle|last message/.test(when))
        expect(teams.streams.every(({ state }) => state === 'ended')).toBe(true);
      expect(card?.id).toBe(record?.source.message);
      const press = executes(record?.id ?? '', 'agree');
      await ann.deliver(second.port, ann.invoke(ann.personal, null, 'adaptiveCard/action', press));
      await until(() => card !== undefined && textOfPost(card).includes('👍 1'));
      expect(teams.posts).toHaveLength(1);
      // The next process cannot know when the one before wrote last.
      expect(teams.violations.filter((what) => !/ms ago$/.test(what))).toEqual([]);
    },
  );

  test.each(triedOn(kind, [0, 500]))(
    '%i ms after Teams’ Stop: one verdict, and one message in place of the stream',
    {
      repeats: rounds - 1,
    },
    async (ms) => {
      const { teams, env, open } = await aPlace(kind);
      const ann = aPerson(teams);
      const first = await started({ ...env, ...(await withModel({ until: new Promise(() => {}) })) });
      await ann.deliver(first.port, ann.message(ann.personal, PASTE));
      await until(() => (teams.streams[0]?.statuses.length ?? 0) > 1);
      teams.stopStream(ann.personal);
      // A status says so after three seconds at the latest.
      const written = teams.calls.length;
      await until(() => teams.calls.length > written);
      await wait(ms);
      await first.kill();
      await started({ ...env, ...(await withModel({})) });
      const store = await open();
      await until(async () => (await store.pendingSpotChecks()) === 0);
      expect((await store.recentVerdicts({ channel: null, limit: 9 })).length).toBeLessThanOrEqual(1);
      const cards = teams.posts.filter((post) => !/^Reading the case/.test(textOfPost(post)));
      expect(cards).toHaveLength(1);
      expect(cards[0]?.id).not.toBe(teams.streams[0]?.id);
      for (const left of teams.posts.filter((post) => !cards.includes(post)))
        expect(JSON.stringify(left.activity)).not.toContain('Action.');
      expect(teams.posts.length).toBeLessThanOrEqual(2);
    },
  );
});
