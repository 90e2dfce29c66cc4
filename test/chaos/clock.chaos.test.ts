import { describe, expect, test } from 'vitest';
import { PASTE } from '../support/pastes.ts';
import { redisOfRun } from '../support/redis.ts';
import { closeAfterEach, newFolder, until } from '../support/resources.ts';
import type { SlackDouble } from '../support/slack-double.ts';
import { payloadsOf } from '../support/slack-requests.ts';
import { ownRedis, startJury, withSlack } from '../support/slack-service.ts';

closeAfterEach();

const HOUR_MS = 3_600_000;

const shown = async (slack: SlackDouble, ts: string) =>
  JSON.stringify((await slack.written(slack.channel, ts)).map(({ text, ...rest }) => [text, rest]));

describe.each(['SQLite', 'Redis'])('a clock that is set back an hour, on %s', (kind) => {
  test.skipIf(kind === 'Redis' && redisOfRun().binary === null)(
    'loses nothing and doubles nothing',
    async () => {
      const env = kind === 'Redis' ? { REDIS_URL: (await ownRedis()).url } : { JURY_DATA_DIR: newFolder() };
      const slack = await withSlack();
      const [ann, bob] = [payloadsOf(slack), payloadsOf(slack, slack.users.ben)];
      let shift = HOUR_MS;
      const first = await startJury(slack, 'http', env, undefined, () => Date.now() + shift);
      const store = await first.parts.store();
      const records = () => store.recentVerdicts({ channel: null, limit: 99 });

      // Judged and voted on before.
      const before = await slack.say(PASTE);
      await first.deliver.event(ann.mention(PASTE, before));
      const [card] = await until(async () => {
        const written = await slack.written(slack.channel, before);
        return written[0]?.text.startsWith('FAIL') && written;
      });
      const id = (await records())[0]?.id;
      const click = (who: typeof ann, how: string) =>
        first.deliver.interaction(who.click('vote_feedback', `${how} ${id}`, card?.ts ?? ''));
      await click(ann, 'agree');
      // Left behind by a process that died under the clock of then.
      const left = await slack.say(PASTE);
      const release = slack.hold('chat.postMessage');
      await first.deliver.event(ann.mention(PASTE, left));
      await until(async () => (await store.pendingSpotChecks()) === 1);

      shift = 0;
      release();
      // A vote changes, another one comes, both count once; the same event comes again.
      await click(ann, 'disagree');
      await click(bob, 'agree');
      await first.deliver.event(ann.mention(PASTE, before));
      const after = await slack.say(PASTE);
      await first.deliver.event(ann.mention(PASTE, after));
      for (const ts of [left, after]) await until(async () => (await shown(slack, ts)).includes('FAIL'));
      expect(await store.tally(id ?? '')).toEqual({ agree: 1, disagree: 1, unsure: 0 });
      expect(await records()).toHaveLength(3);
      for (const ts of [before, left, after]) expect(await slack.written(slack.channel, ts)).toHaveLength(1);
      await until(async () => (await store.pendingSpotChecks()) === 0);
    },
  );
});
