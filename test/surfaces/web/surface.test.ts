import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { CONVERSATION, LOCAL_USER, personOf } from '../../../src/surfaces/web/ids.ts';
import { rulingsContract } from '../../contracts/rulings.ts';
import { type Seen, type SurfaceRig, surfaceContract } from '../../contracts/surface.ts';
import { call, heldPage, textOfHtml } from '../../support/page-service.ts';
import { closeAfterEach } from '../../support/resources.ts';

closeAfterEach();

const BUTTONS = {
  ...{ stop: 'data-do="stop"', agree: 'data-do="agree"', right: 'data-do="answer"' },
  ...{ 'judge these': '', 'what is right': 'data-do="right"', 'take back': 'data-do="retract"' },
  ...{ 'judge without': 'data-choice="remark"', belongs: 'data-choice="answer"' },
  'judge reading': 'data-choice="trust"',
  ...{ edit: 'href="/?draft=', 'judge with': 'data-do="with-it"', details: 'href="/verdicts/' },
  // A failed request is asked again by its form.
  ...{ 'try again': '' },
  // The console sends no messages.
  ...{ start: '', 'response right': '', 'response wrong': '', 'not sure': '', 'whole case': '' },
  ...{ 'not this week': '', never: '' },
} as const;
const TOKEN = 'a-token-0123456789abcdef';
const Asked = z.object({ view: z.string() });
const Opened = z.object({ dialog: z.string() });
const Voted = z.object({ html: z.string() });
const Sent = z.object({ goTo: z.string() });

/** The views on the page of a request, as people see them, and their HTML. */
const viewsIn = (html: string): (Seen & { html: string })[] =>
  [
    ...html.matchAll(
      /<div class="view" data-view="(\w+)" data-n="\d+"[^>]*>([\s\S]*?)<\/div>(?=<div class="view"|<\/div><form)/g,
    ),
  ].map(([, id = '', inner = '']) => {
    const text = textOfHtml(inner);
    // A mark stands before the words.
    return { id, html: inner, text: text.replace(/^[^\w“]+ /u, '') };
  });

async function aRig(): Promise<SurfaceRig> {
  const { surface, hold, fail, start } = heldPage();
  let port = 0;
  let opened = '';
  let form = '';
  const htmlOf = new Map<string, string>();
  /** Pages that a press leads to, which the browser opens. */
  const others = new Set<string>();
  const seenIn = async (view: string): Promise<Seen[]> => {
    const { status, text } = await call(port, `/requests/${view}`);
    if (status !== 200) return [];
    const views = viewsIn(text);
    for (const { id, html } of views) htmlOf.set(id, html);
    // Before anything was read, there is only a place for the answer.
    return views;
  };
  const ask = async (body: object): Promise<string> =>
    Asked.parse(JSON.parse((await call(port, '/ui/requests', { method: 'POST', body })).text)).view;
  /** Presses what says which reading is meant, and what leads elsewhere. @returns whether the button is one of these */
  const pressAboutReading = async (html: string, button: string): Promise<boolean> => {
    const aboutOf = (does: string) => new RegExp(`data-do="${does}" data-id="([^"]+)"`).exec(html)?.[1] ?? '';
    const post = (path: string, body: object) => call(port, path, { method: 'POST', body });
    switch (button) {
      case 'judge without':
      case 'judge reading':
      case 'belongs': {
        const choice = button === 'belongs' ? 'answer' : button === 'judge reading' ? 'trust' : 'remark';
        await post('/ui/choose', { draft: aboutOf('choose'), choice });
        return true;
      }
      case 'judge with': {
        const { text } = await post(`/ui/verdicts/${aboutOf('with-it')}/with-it`, {});
        others.add(Sent.parse(JSON.parse(text)).goTo.replace('/requests/', ''));
        return true;
      }
      case 'edit':
      case 'details': {
        const [, path = ''] = /href="((?:\/\?draft=|\/verdicts\/)[^"]+)"/.exec(html) ?? [];
        opened = textOfHtml((await call(port, path)).text);
        return true;
      }
      default:
        return false;
    }
  };
  return {
    surface,
    env: { JURY_API_TOKENS: `other:${TOKEN}` },
    off: { JURY_CONSOLE: 'off', JURY_API_TOKENS: new Map() },
    conversation: { team: '', channel: CONVERSATION },
    person: personOf(LOCAL_USER),
    start: async (env, now) => {
      const jury = await start({ JURY_API_TOKENS: `other:${TOKEN}`, ...env }, now);
      port = jury.service.port;
      return jury;
    },
    ask: async (_jury, text) => {
      const body = { key: randomUUID(), text };
      const view = await ask(body);
      return {
        again: async () => void (await ask(body)),
        reply: async (_to, said) => void (await ask({ key: randomUUID(), text: said, below: view })),
        seen: async () => (await Promise.all([view, ...others].map(seenIn))).flat(),
      };
    },
    can: ({ id }, button) => htmlOf.get(id)?.includes(BUTTONS[button]) === true,
    press: async (_jury, { id }, button) => {
      const html = htmlOf.get(id) ?? '';
      if (await pressAboutReading(html, button)) return;
      const [, about = ''] = new RegExp(`${BUTTONS[button]} data-id="([^"]+)"`).exec(html) ?? [];
      if (button === 'stop')
        return void (await call(port, '/ui/stop', { method: 'POST', body: { request: about } }));
      if (button === 'what is right') {
        form = `/ui/verdicts/${about}/correct`;
        opened = textOfHtml(Opened.parse(JSON.parse((await call(port, form)).text)).dialog);
        return;
      }
      const body =
        button === 'take back'
          ? { value: null }
          : button === 'agree'
            ? { value: 'agree' }
            : { answer: { kind: 'decision', decision: 'pass' } };
      const { text } = await call(port, `/ui/verdicts/${about}/vote`, { method: 'POST', body });
      opened = textOfHtml(Voted.parse(JSON.parse(text)).html);
    },
    send: async (_jury, right) => {
      const send = async () => void (await call(port, form, { method: 'POST', body: { right: [right] } }));
      await send();
      return send;
    },
    seenByOthers: async () => {
      const headers = { authorization: `Bearer ${TOKEN}` };
      const { text } = await call(port, '/api/v1/verdicts', { headers });
      return [{ id: 'all', text: textOfHtml(text) }];
    },
    opened: () => opened,
    holdChanges: hold,
    // What fails here is the store, which is not tried again at once.
    tries: 1,
    failCards: fail,
    posts: async () => [],
    received: async () => [],
  };
}

surfaceContract('the console', aRig);
rulingsContract('the console', aRig);
