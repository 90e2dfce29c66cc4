import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import express from 'express';
import { describe, expect, test } from 'vitest';
import { noRedaction } from '../../src/case/redact/redactor.ts';
import { addToSet, removeFromSet, setNames } from '../../src/datasets/named-case-sets.ts';
import { keepDigestPage } from '../../src/digests/digest-page.ts';
import type { Actor, Membership, Person } from '../../src/labels/access/permissions.ts';
import type { VerdictRecord } from '../../src/labels/record/verdict-record.ts';
import { keepFailed } from '../../src/requests/failed-requests.ts';
import { beginReview, volunteer } from '../../src/reviews/manage-reviews.ts';
import { openTrialStore } from '../../src/stores/open-store.ts';
import { ruleOn, tryAgain } from '../../src/surfaces/desks/card-desk.ts';
import { type ManageForm, sendManageForm } from '../../src/surfaces/desks/manage-desk.ts';
import { emptyDraft, keepDraft } from '../../src/surfaces/forms/ask-desk.ts';
import { requireVisitor } from '../../src/surfaces/web/access.ts';
import { consoleRoles } from '../../src/surfaces/web/context.ts';
import { registerDigests } from '../../src/surfaces/web/digest-routes.tsx';
import { agentAt } from '../support/agent-at.ts';
import { keepMadeRun } from '../support/made-run.ts';
import { call, textOfHtml } from '../support/page-service.ts';
import { GOOD_PASTE } from '../support/pastes.ts';
import { closeAfterEach, closing, until } from '../support/resources.ts';
import { addRun, drawFor as drawHere, keptSample, keyHolder, labelsOf } from '../support/review-console.ts';
import { aWish } from '../support/reviews.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { TEAM } from '../support/slack-double.ts';
import { payloadsOf } from '../support/slack-requests.ts';
import { startJury, withSlack } from '../support/slack-service.ts';
import { aCheck, aRecord, aSchedule } from '../support/store-builders.ts';
import {
  aPerson,
  executes,
  GROUP,
  startTeamsJury,
  TENANT,
  type TeamsActivity,
  withTeams,
} from '../support/teams-service.ts';

closeAfterEach();

/** `other` can see the place at most; `admin` is in `JURY_ADMINS` and, where the platform allows it, not in the conversation. */
type Who = 'member' | 'other' | 'admin';
/** Whether it was done. */
type Try = (who: Who) => Promise<boolean>;
/** `set`: `JURY_ADMINS` is; `delegated`: and an admin has let the members. */
type Admins = 'none' | 'set' | 'delegated';

/** A conversation, with how each row of the table is tried there. */
interface Place {
  jury: RunningService;
  tries: Readonly<Record<string, Try>>;
}

const [header = [], , ...rows] = readFileSync(new URL('../../docs/permissions.md', import.meta.url), 'utf8')
  .split('\n\n')
  .filter((part) => part.startsWith('| | public channel'))
  .flatMap((table) =>
    table.split('\n').map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    ),
  );
const columns = header.slice(1);
const cellsOf = (column: string) =>
  rows.map((cells) => ({ row: cells[0] ?? '', cell: cells[columns.indexOf(column) + 1] ?? '' }));

/** Who may do what a cell says. */
function allowed(cell: string, admins: Admins): readonly Who[] {
  switch (cell) {
    case 'everyone':
      return ['member', 'other'];
    case 'members':
    case 'named':
      return ['member'];
    case 'its person':
      return admins === 'none' ? ['member'] : ['member', 'admin'];
    case 'admins':
      return admins === 'none' ? ['member'] : admins === 'set' ? ['admin'] : ['member', 'admin'];
    case 'listed':
      return admins === 'none' ? [] : ['admin'];
    default:
      throw new Error(`the table says "${cell}"`);
  }
}

const A_SET = 'wrong-places';
const ISSUES = 'https://tracker.example/new?title={title}';

let made = 0;
function newId(): string {
  made += 1;
  return `v${made}`;
}

/** What is the same on every surface: what stands in the store before, and what a ruling comes to. */
async function storeOf(jury: RunningService, source: Partial<VerdictRecord['source']>, admins: Admins) {
  const store = await jury.parts.store();
  const { surface = '', channel = '' } = source;
  if (admins === 'delegated') await store.saveChannelSettings(channel, { wish: {}, membersMayChange: true });
  const settings = await store.channelSettings(channel);
  const rolesOf = (who: Who, isPublic: boolean) => {
    const standing: Membership = who === 'member' ? 'member' : isPublic ? 'reader' : 'outsider';
    const listed = jury.parts.env.settings.JURY_ADMINS ?? null;
    return { admins: listed, membership: async () => standing, store };
  };
  const verdict = async (decision: 'pass' | 'fail' = 'pass'): Promise<string> => {
    const id = newId();
    const record = aRecord({ id, verdict: { decision } });
    await store.saveVerdict({ ...record, source: { ...record.source, ...source } });
    return id;
  };
  return {
    store,
    verdict,
    votes: async (id: string) => (await store.votes(id)).length > 0,
    /** A verdict that fails, where the conversation has an address for issues. */
    failing: async (): Promise<string> => {
      await store.saveChannelSettings(channel, { ...settings, issueUrl: ISSUES });
      return verdict('fail');
    },
    /** Whether a set got a case, which is removed. */
    tookCase: async (): Promise<boolean> => {
      const isThere = (await setNames(store, Date.now())).includes(A_SET);
      if (isThere) await removeFromSet(store, A_SET, null, Date.now());
      return isThere;
    },
    /** A form about this conversation, which is open. */
    draft: () => keepDraft(store, { ...emptyDraft, team: '', channel }, Date.now()),
    /** A request that another process judges. */
    pending: async (id: string): Promise<string> => {
      await store.addSpotCheck(aCheck({ id, at: Date.now(), ...source, thread: null }));
      await store.claimSpotCheck(id, 'elsewhere', Date.now(), 60_000);
      return id;
    },
    isStopped: async (id: string) => (await store.get(`stop:${id}`, Date.now())) !== null,
    /** A digest of another person. */
    digest: async (): Promise<string> => {
      const schedule = aSchedule({ id: 'd9', owner: 'U0ELSE', target: { surface, team: '', channel } });
      await store.saveSchedule(schedule);
      return schedule.id;
    },
    isPaused: async () => (await store.schedules()).some(({ id, paused }) => id === 'd9' && paused),
    /** Whether there is a digest beside that one, which is removed. */
    tookSchedule: async () => {
      const own = (await store.schedules()).filter(({ id }) => id !== 'd9');
      for (const { id } of own) await store.removeSchedule(id);
      return own.length > 0;
    },
    /** What came of settings, which are put back. */
    took: async (key: 'blind' | 'membersMayChange') => {
      const now = await store.channelSettings(channel);
      await store.saveChannelSettings(channel, settings);
      return now[key] !== settings[key];
    },
    /** The page of a digest that was posted there, for who is signed in to the console. */
    page:
      (actors: Readonly<Record<Who, Actor>>, isPublic: boolean): Try =>
      async (who) => {
        const { surfaces, now } = jury.parts;
        await keepDigestPage(store, 'd9', 900, { surface, channel, at: 0, headline: '', known: [] }, now());
        const standing: Membership = who === 'member' ? 'member' : isPublic ? 'reader' : 'outsider';
        const membership = async () => standing;
        const roles = consoleRoles({ roles: { admins: null, membership, store }, surfaces });
        const [person = null] = actors[who].people;
        const visitor = { user: `oidc:https://id.example:${who}`, name: null, email: null, person };
        const people = {
          ...{ origin: null, advice: { people: '', programs: '' } },
          ...{ find: async () => visitor, byToken: async () => null },
        };
        const app = express();
        app.use(requireVisitor({ tokens: new Map(), people }, false, () => {}));
        registerDigests(app, { store, now, roles });
        const server = app.listen(0, '127.0.0.1');
        closing(async () => server.close());
        await once(server, 'listening');
        const address = server.address();
        if (address === null || typeof address === 'string') throw new Error('the page has no port');
        return (await call(address.port, '/digests/d9/900')).status === 200;
      },
    tryingAgain:
      (actors: Readonly<Record<Who, Actor>>, isPublic: boolean): Try =>
      async (who) => {
        const id = `${surface}:${TEAM}:${newId()}`;
        const check = aCheck({ id, at: Date.now(), ...source, thread: null });
        await keepFailed(store, check, noRedaction, Date.now());
        const roles = rolesOf(who, isPublic);
        const checks = { take: async () => {}, stop: async () => {}, tryAgain: async () => true };
        return (
          await tryAgain({ store, roles, texts: { language: 'en' }, now: Date.now, checks }, actors[who], id)
        ).begun;
      },
    managing:
      (actors: Readonly<Record<Who, Actor>>, isPublic: boolean, item: ManageForm): Try =>
      async (who) => {
        const { library, now } = jury.parts;
        const pseudonym = await jury.parts.pseudonym();
        const desk = { store, library, roles: rolesOf(who, isPublic), now, announce: async () => true };
        const seeing = { voter: who, maySee: async () => true };
        await addToSet(store, 'regressions', aRecord().evalCase, now());
        const filledIn = {
          ...{ right: 'fail', study_set: 'regressions', study_people: ['U0ANN'], study_count: '1' },
        };
        const about = { id: await verdict(), item, team: '', form: newId() };
        const texts = { language: 'en' } as const;
        const all = { ...desk, texts, pseudonym, consoleUrl: null, refreshElsewhere: () => {} };
        return 'text' in (await sendManageForm(all, seeing, actors[who], about, filledIn));
      },
    ruling:
      (actors: Readonly<Record<Who, Actor>>, isPublic: boolean): Try =>
      async (who) => {
        const { library, now } = jury.parts;
        const roles = rolesOf(who, isPublic);
        const texts = { language: 'en' } as const;
        const desk = {
          store,
          library,
          roles,
          texts,
          now,
          announce: async () => true,
          refreshElsewhere: () => {},
        };
        const seeing = { voter: who, maySee: async () => true };
        return (
          'ruled' in
          (await ruleOn(desk, seeing, actors[who], await verdict(), { right: 'fail', role: 'lead' }))
        );
      },
  };
}

/** Draws answers of a run for a person to check, who has volunteered; once is enough. */
async function drawFor({ parts }: RunningService, person: Person): Promise<void> {
  const store = await parts.store();
  const voter = (await parts.pseudonym())(person);
  const runs = await openTrialStore(parts.env.settings, () => {});
  const habit = { method: 'io', models: ['rules'], skill: 0.8, costUsd: 0, latencyMs: 1, judges: 1 };
  const made = { name: 'nightly-1', cases: 12, repeats: 1, habits: [habit] };
  if ((await runs.readRun(made.name)) === null) await keepMadeRun(runs, made);
  await beginReview({ store, runs, now: Date.now }, made.name, aWish({ size: 8, people: [voter] }));
  await volunteer({ store, now: Date.now }, voter);
  await runs.close();
}

async function slackPlace(column: string, admins: Admins): Promise<Place> {
  const slack = await withSlack();
  const users: Record<Who, string> = { member: slack.users.ann, other: slack.users.ben, admin: 'U0ADMIN01' };
  const jury = await startJury(slack, 'http', admins === 'none' ? {} : { JURY_ADMINS: users.admin });
  const isDirect = column === 'direct message';
  const isPublic = column === 'public channel';
  const channel = isDirect ? slack.im : slack.channel;
  if (!isDirect) slack.room(channel, [users.member, slack.users.jury], !isPublic);
  const about = await storeOf(jury, { surface: 'slack', team: TEAM, channel }, admins);
  const ELSEWHERE = 'C0OTHER';
  /** Answers that reached a person who acts somewhere; where Slack takes none for them alone, they come in private. */
  const said = (who: Who, at: string): number => {
    const isShownThere = at === slack.channel && who !== 'admin';
    const answers = isShownThere
      ? slack.called('chat.postEphemeral').filter(({ args }) => args.user === users[who])
      : slack
          .called('chat.postMessage')
          .filter(({ args }) => args.channel === (at === slack.im ? at : users[who]));
    return answers.length;
  };
  /** A click, of other people on the same id in a place that is theirs. @param done whether it had an effect */
  async function click(
    who: Who,
    action: string,
    value: string,
    done = async (opened: number) => slack.called('views.open').length > opened,
  ): Promise<boolean> {
    const at = who === 'member' || isPublic ? channel : ELSEWHERE;
    const [opened, answered] = [slack.called('views.open').length, said(who, at)];
    const more = { channel: { id: at } };
    await jury.deliver.interaction(payloadsOf(slack, users[who]).click(action, value, '1.1', more));
    await until(async () => (await done(opened)) || said(who, at) > answered);
    return done(opened);
  }
  const command = async (who: Who, text: string): Promise<void> => {
    const at = isDirect && who !== 'member' ? ELSEWHERE : channel;
    // To the person alone, or an announcement in the channel. What Slack refuses there is posted elsewhere after it.
    const posted = () =>
      slack.calls.filter(({ method, taken }) => taken && /^chat\.post/.test(method)).length;
    const before = posted();
    await jury.deliver.command(text, { channel: at, user: users[who] });
    await until(() => posted() > before);
  };
  const settings = async (who: Who, block: string, value: string): Promise<void> => {
    const chosen = { [block]: { [block]: { selected_option: { value } } } };
    const form = payloadsOf(slack, users[who]).submit('settings_form', JSON.stringify({ channel }), chosen);
    await jury.deliver.interaction(form);
  };
  const actorOf = (who: Who): Actor => ({
    people: [{ surface: 'slack', team: '', user: users[who] }],
    at: null,
  });
  const actors = { member: actorOf('member'), other: actorOf('other'), admin: actorOf('admin') };
  return {
    jury,
    tries: {
      'have a case judged': async (who) => {
        const draft = JSON.stringify({ draft: await about.draft() });
        const values = { paste: { paste: { value: GOOD_PASTE } } };
        const form = payloadsOf(slack, users[who]).submit('judge_form', draft, values);
        const { body } = await jury.deliver.interaction(form);
        // Its messages would be taken for answers to what is tried next.
        await until(async () => (await about.store.pendingSpotChecks()) === 0);
        return body === '';
      },
      'read a verdict': async (who) => click(who, 'verdict_details', await about.verdict()),
      'read the page of a digest, in the console': about.page(actors, isPublic),
      vote: async (who) => {
        const id = await about.verdict();
        return click(who, 'vote_agree', `agree ${id}`, () => about.votes(id));
      },
      'judge again': async (who) => click(who, 'verdict_again', await about.verdict()),
      stop: async (who) => {
        const id = await about.pending(`slack:${TEAM}:${newId()}`);
        return click(who, 'check_stop', id, () => about.isStopped(id));
      },
      'schedule a digest, set an alert': async (who) => {
        await command(who, 'digest every monday 9am');
        return about.tookSchedule();
      },
      'change a digest of another person': async (who) => {
        await command(who, `digest pause ${await about.digest()}`);
        return about.isPaused();
      },
      'change settings': async (who) => {
        await settings(who, 'settings_shown', 'blind');
        return about.took('blind');
      },
      'let members do what is for admins': async (who) => {
        await settings(who, 'settings_members', admins === 'delegated' ? '*' : 'members');
        return about.took('membersMayChange');
      },
      'try again what failed': about.tryingAgain(actors, isPublic),
      'rule on a verdict': about.ruling(actors, isPublic),
      'make a case one with a known answer': about.managing(actors, isPublic, 'known-answer'),
      'start a study from a set': about.managing(actors, isPublic, 'start-study'),
      'add a case to a set': async (who) => {
        const form = JSON.stringify({ verdict: await about.verdict() });
        const values = { set: { set: { value: A_SET } } };
        await jury.deliver.interaction(payloadsOf(slack, users[who]).submit('set_form', form, values));
        return about.tookCase();
      },
      'create an issue': async (who) =>
        click(who, 'verdict_details', await about.failing(), async (opened) =>
          JSON.stringify(slack.called('views.open').slice(opened)).includes('https://tracker.example/new'),
        ),
      'check answers drawn by chance': async (who) => {
        await drawFor(jury, { surface: 'slack', team: '', user: users.member });
        await command(who, 'review');
        const posts = slack.calls.filter(({ method }) => /^chat\.post/.test(method));
        return String(posts.at(-1)?.args.text).startsWith('Answer ');
      },
    },
  };
}

/** A group chat of Teams, in which who is no member acts all the same. */
async function teamsPlace(_column: string, admins: Admins): Promise<Place> {
  const teams = await withTeams();
  const people = {
    member: aPerson(teams, 'Ann'),
    other: aPerson(teams, 'Bob'),
    admin: aPerson(teams, 'Eve'),
  };
  const env = admins === 'none' ? {} : { JURY_ADMINS: `teams:${TENANT}:${people.admin.user}` };
  const jury = await startTeamsJury(teams, env);
  for (const who of ['other', 'admin'] as const) teams.leave(GROUP, people[who].user);
  const source = { surface: 'teams', team: TENANT, channel: GROUP };
  const about = await storeOf(jury, source, admins);
  const deliver = async (who: Who, activity: TeamsActivity): Promise<string> =>
    JSON.stringify((await people[who].deliver(jury.service.port, activity)).body);
  const press = (who: Who, id: string, does: string): Promise<string> =>
    deliver(who, people[who].invoke(GROUP, null, 'adaptiveCard/action', executes(id, does)));
  const submit = (who: Who, data: object): Promise<string> =>
    deliver(who, people[who].invoke(GROUP, null, 'task/submit', { data }));
  const opens = async (who: Who, does: string): Promise<boolean> => {
    const data = { do: does, id: await about.verdict() };
    return (await deliver(who, people[who].invoke(GROUP, null, 'task/fetch', { data }))).includes(
      '"continue"',
    );
  };
  const write = async (who: Who, text: string): Promise<void> => {
    const before = teams.posts.length;
    await deliver(who, people[who].message(GROUP, text));
    await until(() => teams.posts.length > before);
  };
  const settings = (who: Who, more: object): Promise<string> => submit(who, { do: 'settings', ...more });
  const actorOf = (who: Who): Actor => ({
    people: [{ surface: 'teams', team: TENANT, user: people[who].user }],
    at: null,
  });
  const actors = { member: actorOf('member'), other: actorOf('other'), admin: actorOf('admin') };
  return {
    jury,
    tries: {
      'have a case judged': async (who) => {
        const data = { do: 'ask', id: await about.draft(), paste: GOOD_PASTE };
        return !/"message"|"continue"/.test(await submit(who, data));
      },
      'read a verdict': (who) => opens(who, 'details'),
      'read the page of a digest, in the console': about.page(actors, false),
      vote: async (who) => {
        const id = await about.verdict();
        await press(who, id, 'agree');
        return about.votes(id);
      },
      'judge again': (who) => opens(who, 'again'),
      stop: async (who) => {
        const id = await about.pending(`teams:${TENANT}:${GROUP}:${newId()}`);
        await press(who, id, 'stop');
        return about.isStopped(id);
      },
      'schedule a digest, set an alert': async (who) => {
        await write(who, 'digest every monday 9am');
        return about.tookSchedule();
      },
      'change a digest of another person': async (who) => {
        await write(who, `digest pause ${await about.digest()}`);
        return about.isPaused();
      },
      'change settings': async (who) => {
        await settings(who, { settings_shown: 'blind' });
        return about.took('blind');
      },
      'let members do what is for admins': async (who) => {
        await settings(who, { settings_members: admins === 'delegated' ? '' : 'members' });
        return about.took('membersMayChange');
      },
      'try again what failed': about.tryingAgain(actors, false),
      'rule on a verdict': about.ruling(actors, false),
      'make a case one with a known answer': about.managing(actors, false, 'known-answer'),
      'start a study from a set': about.managing(actors, false, 'start-study'),
      'add a case to a set': async (who) => {
        await submit(who, { do: 'add-to-set', id: await about.verdict(), set: A_SET });
        return about.tookCase();
      },
      'create an issue': async (who) => {
        const data = { do: 'details', id: await about.failing() };
        const opened = await deliver(who, people[who].invoke(GROUP, null, 'task/fetch', { data }));
        return opened.includes('https://tracker.example/new');
      },
    },
  };
}

const TOKENS = { member: 'a-token-for-ci-0123456789', other: 'another-token-0123456789', admin: '' };

/** The console on this machine, and the API and `/mcp` with two programs. */
async function webPlace(column: string, admins: Admins): Promise<Place> {
  const jury = await runService({
    JURY_API_TOKENS: `ci:${TOKENS.member},nightly:${TOKENS.other}`,
    ...(admins === 'none' ? {} : { JURY_ADMINS: 'ann@example.com' }),
  });
  const { port } = jury.service;
  const about = await storeOf(jury, { surface: 'page', team: '', channel: 'page' }, admins);
  const by = (who: Who) => ({ headers: { authorization: `Bearer ${TOKENS[who]}` } });
  if (column === 'API')
    return {
      jury,
      tries: {
        'have a case judged': async (who) => {
          const asked = { method: 'POST', body: { paste: GOOD_PASTE }, ...by(who) };
          return (await call(port, '/api/v1/verdicts', asked)).status === 200;
        },
        'read a verdict': async (who) =>
          (await call(port, `/api/v1/verdicts/${await about.verdict()}`, by(who))).status === 200,
        vote: async (who) => {
          const id = await about.verdict();
          const body = { value: 'agree' };
          await call(port, `/api/v1/verdicts/${id}/vote`, { method: 'PUT', body, ...by(who) });
          return about.votes(id);
        },
      },
    };
  if (column === 'agents') {
    const asAgent = async (who: Who, tool: string, args: Record<string, unknown>) =>
      (await (await agentAt(port, TOKENS[who])).call(tool, args)).isError !== true;
    return {
      jury,
      tries: {
        'have a case judged': (who) => asAgent(who, 'judge', { paste: GOOD_PASTE }),
        'read a verdict': async (who) => asAgent(who, 'get_verdict', { id: await about.verdict() }),
      },
    };
  }
  const post = (path: string, body: unknown) => call(port, path, { method: 'POST', body });
  return {
    jury,
    tries: {
      'have a case judged': async () =>
        (await post('/ui/requests', { key: 'a-key-of-a-page', text: GOOD_PASTE })).status === 202,
      'read a verdict': async () => (await call(port, `/verdicts/${await about.verdict()}`)).status === 200,
      vote: async () => {
        const id = await about.verdict();
        await post(`/ui/verdicts/${id}/vote`, { value: 'agree' });
        return about.votes(id);
      },
      'judge again': async () => {
        const id = await about.verdict();
        const { text } = await call(port, `/?again=${id}`);
        return textOfHtml(text).includes((await about.store.verdict(id))?.evalCase.response ?? '–');
      },
      stop: async () => {
        const id = await about.pending(`page::${newId()}`);
        await post('/ui/stop', { request: id });
        return about.isStopped(id);
      },
      'rule on a verdict': async () => {
        const id = await about.verdict();
        await post(`/ui/verdicts/${id}/rule`, { right: ['fail'], role: ['lead'] });
        return (await about.store.adjudications()).some(({ verdictId }) => verdictId === id);
      },
      'add a case to a set': async () => {
        await post(`/ui/verdicts/${await about.verdict()}/set`, { set: [A_SET] });
        return about.tookCase();
      },
      'check answers drawn by chance': async (who) => {
        const run = who === 'member' ? 'named' : 'other';
        await addRun(jury, run);
        const named = who === 'member' ? keyHolder : { surface: 'slack', team: '', user: 'U0ELSE' };
        await drawHere(jury, [named], { run });
        await post('/ui/reviews', { does: 'start', again: false });
        for (const { place } of (await keptSample(jury, run)).entries)
          await post('/ui/reviews', { does: 'answer', run, place, right: 'pass' });
        return (await labelsOf(jury, run)).length > 0;
      },
    },
  };
}

const PLACES: Readonly<Record<string, (column: string, admins: Admins) => Promise<Place>>> = {
  'public channel': slackPlace,
  'private channel': slackPlace,
  group: teamsPlace,
  'direct message': slackPlace,
  console: webPlace,
  API: webPlace,
  agents: webPlace,
};

test('the table has the columns and rows that are tried', () => {
  expect(columns).toEqual(Object.keys(PLACES));
  expect(rows.map((cells) => cells.length)).toEqual(rows.map(() => columns.length + 1));
});

/** Who can try at all. */
function triers(column: string, row: string, cell: string): readonly Who[] {
  // Only who is at this machine reaches the console; the API and /mcp know two programs.
  if (column === 'console') return cell === 'named' ? ['member', 'other'] : ['member'];
  if (column === 'API' || column === 'agents') return ['member', 'other'];
  // An admin comes to the settings of a personal chat by its id, but not into the chat.
  if (column === 'direct message' && /digest/.test(row)) return ['member', 'other'];
  return ['admins', 'listed', 'its person', 'named'].includes(cell)
    ? ['member', 'other', 'admin']
    : ['member', 'other'];
}

describe.each(columns)('in the table, %s', (column) => {
  test.each<Admins>(['none', 'set', 'delegated'])('is as it says, admins: %s', async (admins) => {
    const place = await PLACES[column]?.(column, admins);
    const cells = cellsOf(column).filter(({ cell }) => cell !== '–');
    expect(Object.keys(place?.tries ?? {})).toEqual(cells.map(({ row }) => row));
    // One at a time: what is changed in one is put back before the next.
    for (const { row, cell } of cells)
      for (const who of triers(column, row, cell))
        expect(await place?.tries[row]?.(who), `${who}: ${row}`).toBe(allowed(cell, admins).includes(who));
  });
});
