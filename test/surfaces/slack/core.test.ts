import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { actions } from '../../../src/surfaces/slack/ids.ts';
import { builtIn } from '../../support/built-in.ts';
import { isDebate, roleOf, scores } from '../../support/core-answers.ts';
import type { DoubleRequest } from '../../support/model-double.ts';
import { closeAfterEach, until } from '../../support/resources.ts';
import { serviceModel } from '../../support/service-model.ts';
import { lastView, payloadsOf, unchanged } from '../../support/slack-requests.ts';
import { startJury, withSlack } from '../../support/slack-service.ts';

closeAfterEach();

const podcast = readFileSync(join(builtIn, 'samples/core/podcast-for-the-drive.json'), 'utf8');

/** Long enough that the details of a debate do not fit into one page. */
const reasonFor = (id: string) => `reason-for-${id}. ${'It is told at length. '.repeat(40)}`.trim();

/** Novelty 1, the other factors 3; in the debate roles disagree at first and then agree on 70. */
const answer = (request: DoubleRequest) => {
  const isFirst = !request.user.includes('You, in round 1:');
  const scoreOf = (id: string) => {
    if (isDebate(request)) return isFirst ? 60 + 5 * roleOf(request) : 70;
    return id === 'novelty' ? 1 : 3;
  };
  return scores(request, scoreOf, reasonFor);
};

test('a CoRE case in a file gets a card with its factors, judged again by debate one whose details tell all', async () => {
  const { env } = await serviceModel({ answer }, 'openai/judge');
  const slack = await withSlack();
  const jury = await startJury(slack, 'http', env);
  const ann = payloadsOf(slack);
  const ts = await slack.say('this one');
  await jury.deliver.event(
    ann.mention('this one', ts, { files: [slack.share('podcast-for-the-drive.json', podcast)] }),
  );
  const store = await jury.parts.store();
  const newest = async () => (await store.recentVerdicts({ channel: null, limit: 1 }))[0];
  const cardOf = (start: string) =>
    until(async () => (await slack.written(slack.channel, ts)).find(({ text }) => text.startsWith(start)));

  const card = await cardOf('SCORE 2.83 of 4');
  const factors = await newest();
  // (11 × 3 + 1) / 12
  expect(factors?.verdict).toMatchObject({
    rubric: 'core',
    method: 'core-factors',
    score: 34 / 12,
    calls: 12,
  });
  const shown = JSON.stringify(card.blocks);
  for (const title of ['Novelty', 'Coherence', 'Grammatical correctness']) expect(shown).toContain(title);

  await jury.deliver.interaction(ann.click('verdict_again', factors?.id ?? '', card.ts));
  const form = await until(() => slack.called('views.open').length > 0 && lastView(slack));
  const values = {
    ...unchanged(form),
    wish_method: { wish_method: { selected_option: { value: 'core-debate' } } },
  };
  await jury.deliver.interaction(ann.submit('judge_form', form.private_metadata ?? '', values));
  const again = await cardOf('SCORE 70 of 100');
  const debate = await newest();
  // Twelve ratings, then two rounds of four roles
  expect(debate?.verdict).toMatchObject({ method: 'core-debate', score: 70, rounds: 2, calls: 20 });
  expect(debate?.evalCase).toEqual(factors?.evalCase);

  await jury.deliver.interaction(ann.click('verdict_details', debate?.id ?? '', again.ts));
  const first = await until(() => slack.called('views.open').length > 1 && lastView(slack));
  const pages = Number(/Page 1 of (\d+)/.exec(JSON.stringify(first.blocks))?.[1] ?? 1);
  expect(pages).toBeGreaterThan(1);
  let told = JSON.stringify(first.blocks);
  for (let page = 1; page < pages; page++) {
    await jury.deliver.interaction({
      ...ann.click(actions.detailsPage, `${debate?.id} ${page}`, again.ts),
      view: { id: 'V1', hash: 'h', private_metadata: first.private_metadata, state: { values: {} } },
      channel: undefined,
      message: undefined,
    });
    const next = await until(
      () => slack.called('views.update').length >= page && lastView(slack, 'views.update'),
    );
    told += JSON.stringify(next.blocks);
  }
  for (const part of ['Round 2 (decisive)', 'Round 1', 'Ratings shown to the panel', 'reason-for-novelty.'])
    expect(told).toContain(part);
  expect(slack.problems).toEqual([]);
});
