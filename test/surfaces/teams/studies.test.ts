import { describe, expect, test } from 'vitest';
import { forgetPeople } from '../../../src/requests/requesters.ts';
import { closeAfterEach } from '../../support/resources.ts';
import { aStudy, labeled } from '../../support/study-builders.ts';
import { aTeam, type Someone, saying, TENANT } from '../../support/teams-service.ts';

closeAfterEach();

describe('Teams: studies', () => {
  test('an annotator starts from a private message and answers case by case; others have no place', async () => {
    const { teams, ann, bob, jury } = await aTeam();
    const { port } = jury.service;
    const store = await jury.parts.store();
    await ann.deliver(port, ann.installed());
    const person = { surface: 'teams', team: TENANT, user: ann.user };
    const own = (await jury.parts.pseudonym())(person);
    const study = { ...aStudy({ at: Date.now() }), annotators: [{ id: own, person, place: 0 }] };
    await store.addStudy(study);
    const said = ann.message(ann.personal, 'study');
    await ann.deliver(port, said);
    const list = await saying(teams, /^You are an annotator in 1 study/);
    const [, id] = /"do":"study","id":"([^"]+)"/.exec(JSON.stringify(list.activity)) ?? [];
    const open = (who: Someone) =>
      who.deliver(port, who.invoke(who.personal, null, 'task/fetch', { data: { do: 'study', id } }));
    expect(JSON.stringify((await open(bob)).body)).toContain('You have no place in this study');
    let { body } = await open(ann);
    const total = study.cases.length;
    for (let n = 1; n <= total; n += 1) {
      const { title, card } = body.task.value;
      expect(title).toBe(`Case ${n} of ${total}`);
      expect(JSON.stringify(card).length).toBeLessThan(28_000);
      const { content } = card;
      const inputs = content.body.filter(({ type }: { type: string }) => type.startsWith('Input.'));
      const answers = Object.fromEntries(
        inputs.map(
          ({
            id,
            choices,
            isMultiSelect,
          }: {
            id: string;
            choices?: { value: string }[];
            isMultiSelect?: boolean;
          }) => [id, isMultiSelect === true ? '' : (choices?.[0]?.value ?? '')],
        ),
      );
      const sent = { data: { ...content.actions[0].data, ...answers } };
      body = (await ann.deliver(port, ann.invoke(ann.personal, null, 'task/submit', sent))).body;
    }
    expect(body.task.value).toContain('Thank you');
    expect(await store.annotations(study.id, own)).toHaveLength(total);
  });

  test('criteria are asked on their scale, as many as a dialog holds beside a long case', async () => {
    const { ann, jury } = await aTeam();
    const { port } = jury.service;
    const store = await jury.parts.store();
    await ann.deliver(port, ann.installed());
    const person = { surface: 'teams', team: TENANT, user: ann.user };
    const own = (await jury.parts.pseudonym())(person);
    const questions = Array.from({ length: 24 }, (_, n) => ({
      id: `c${n}`,
      title: `Criterion ${n}`,
      rule: 'It fits. '.repeat(40),
      scale: n === 0 ? { min: 0, max: 100 } : ('binary' as const),
      mayNotApply: true,
    }));
    const documents = Array.from({ length: 40 }, (_, n) => ({ text: `Document ${n} ${'x'.repeat(400)}` }));
    const study = {
      ...aStudy({
        at: Date.now(),
        items: ['correct'],
        questions,
        cases: [labeled('a', 'pass', { documents })],
      }),
      annotators: [{ id: own, person, place: 0 }],
    };
    await store.addStudy(study);
    const data = { do: 'study', id: `${study.id} ${study.at}` };
    const { body } = await ann.deliver(port, ann.invoke(ann.personal, null, 'task/fetch', { data }));
    const { card } = body.task.value;
    expect(JSON.stringify(card).length).toBeLessThan(28_000);
    const { content } = card;
    const inputs: { type: string; id: string; choices?: { value: string }[] }[] = content.body.filter(
      ({ type }: { type: string }) => type.startsWith('Input.'),
    );
    expect(inputs).toHaveLength(25);
    const answers = Object.fromEntries(
      inputs.map(({ type, id, choices }) => [id, type === 'Input.Number' ? 62.5 : choices?.at(-1)?.value]),
    );
    const sent = { data: { ...content.actions[0].data, ...answers } };
    await ann.deliver(port, ann.invoke(ann.personal, null, 'task/submit', sent));
    const [annotation] = await store.annotations(study.id, own);
    expect(annotation?.answers).toMatchObject({ correct: 'unsure', criteria: { c0: 62.5, c1: 'unsure' } });
    expect(Object.keys(annotation?.answers.criteria ?? {})).toHaveLength(24);
  });

  test('a study that someone has no place in is named; others are not said to be missing', async () => {
    const { teams, ann, jury } = await aTeam();
    const ask = (text: string) => ann.deliver(jury.service.port, ann.message(ann.personal, text));
    await ask('study s9');
    await saying(teams, /^Study s9 does not ask for your answers, or it is closed\./);
    await ask('studies');
    await saying(teams, /^No open study asks for your answers\./);
  });

  test('someone who is forgotten leaves no personal chat behind', async () => {
    const { ann, jury } = await aTeam();
    await ann.deliver(jury.service.port, ann.installed());
    const store = await jury.parts.store();
    const person = { surface: 'teams', team: TENANT, user: ann.user };
    const key = `teams-person:${TENANT}:${ann.user}`;
    expect(await store.get(key, Date.now())).toBe(ann.personal);
    await forgetPeople(store, person, Date.now(), async () => {});
    expect(await store.get(key, Date.now())).toBeNull();
  });

  test('someone who has not installed the app is named as not reached', async () => {
    const { bob, jury } = await aTeam();
    const { teams: surface } = await import('../../../src/surfaces/teams/surface.ts');
    const posters = await surface.posters(jury.parts);
    if ('needs' in posters || posters.studies === null) throw new Error('no poster');
    const study = aStudy({ at: Date.now() });
    const person = { surface: 'teams', team: TENANT, user: bob.user };
    await expect(posters.studies.invite(person, { ...study, cases: 1 }, 'key')).rejects.toThrow(
      /install the app/,
    );
  });
});
