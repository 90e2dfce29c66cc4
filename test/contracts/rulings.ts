import { describe, expect, test } from 'vitest';
import { PASTE } from '../support/pastes.ts';
import { newFolder, until } from '../support/resources.ts';
import { jury as command } from '../support/run-jury.ts';
import type { MadeRequest, Running, SurfaceRig } from './surface.ts';

const RULED = 'Ruled: pass';
const WHY = ', by safety lead; the menu says 4.6';
const HOUR_MS = 3_600_000;

/** What becomes of a ruling on a verdict, on every surface. It is made in the terminal: another process than the one that shows the card. */
export function rulingsContract(name: string, open: () => Promise<SurfaceRig>): void {
  const card = (request: MadeRequest, start: string) =>
    until(async () => (await request.seen()).find(({ text }) => text.startsWith(start)));
  const newest = (jury: Running) =>
    until(async () => {
      const store = await jury.parts.store();
      const [record] = await store.recentVerdicts({ channel: null, limit: 1 });
      return (await store.pendingSpotChecks()) === 0 && record !== undefined && record;
    });
  const rule = async (folder: string, id: string, right = 'pass') => {
    const args = ['labels', 'adjudicate', id, right, '--by', 'safety lead', '--note', 'the menu says 4.6'];
    const ran = await command(args, { env: { JURY_DATA_DIR: folder } });
    expect(ran).toMatchObject({ code: 0 });
  };
  const texts = async (request: MadeRequest) => (await request.seen()).map(({ text }) => text).join();

  describe(`${name}: a ruling`, () => {
    test('stands on the card at once, once, and in its details, on two replicas and after a vote', async () => {
      const rig = await open();
      const folder = newFolder();
      const jury = await rig.start({ JURY_DATA_DIR: folder });
      const request = await rig.ask(jury, PASTE);
      await card(request, 'FAIL');
      const { id } = await newest(jury);
      const other = await rig.start({ JURY_DATA_DIR: folder });
      await rule(folder, id);
      await until(async () => (await texts(request)).includes(RULED));
      await rig.press(other, await card(request, 'FAIL'), 'agree');
      await until(async () => (await texts(request)).includes('👍 1'));
      const all = await texts(request);
      expect(all.split(RULED)).toHaveLength(2);
      expect(all).toContain(WHY);
      expect(await request.seen()).toHaveLength(1);
      await rig.press(other, await card(request, 'FAIL'), 'details');
      await until(() => rig.opened().includes('safety lead') && rig.opened().includes('the menu says 4.6'));
      await rule(folder, id, 'fail');
      await until(async () => (await texts(request)).includes(RULED.replace('pass', 'fail')));
      expect(await texts(request)).not.toContain(RULED);
    });

    test('that was made while no service ran stands on the card after the start', async () => {
      const rig = await open();
      const env = { JURY_DATA_DIR: newFolder() };
      const first = await rig.start(env);
      const request = await rig.ask(first, PASTE);
      await card(request, 'FAIL');
      const { id } = await newest(first);
      await first.die();
      await rule(env.JURY_DATA_DIR, id);
      if (rig.folds === true) expect(await texts(request)).not.toContain('Ruled');
      await rig.start(env, () => Date.now() + HOUR_MS);
      await until(async () => (await texts(request)).includes(RULED));
      expect(await request.seen()).toHaveLength(1);
    });

    test('is nowhere to be seen before an answer where people vote first', async () => {
      const rig = await open();
      const folder = newFolder();
      const jury = await rig.start({ JURY_DATA_DIR: folder });
      const store = await jury.parts.store();
      await store.saveChannelSettings(rig.conversation.channel, { wish: {}, blind: true });
      const request = await rig.ask(jury, PASTE);
      await until(async () => (await request.seen()).find((message) => rig.can(message, 'right')));
      const { id } = await newest(jury);
      const before = await request.seen();
      await rule(folder, id);
      // The service has looked.
      await until(async () => (await store.get('rulings-to-show', Date.now())) === '[]');
      expect(await request.seen()).toEqual(before);
      const [hidden = { id: '', text: '' }] = before;
      await rig.press(jury, hidden, 'right');
      await until(() => rig.opened().includes('Ruled: pass'));
      expect((await (rig.seenByOthers ?? request.seen)()).map(({ text }) => text).join()).not.toMatch(
        /Ruled/,
      );
    });
  });
}
