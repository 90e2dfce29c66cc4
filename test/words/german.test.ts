import { describe, expect, test } from 'vitest';
import { languageOf, languageOfText } from '../../src/words/language.ts';
import { type Words, wordsIn } from '../../src/words/words.ts';
import { textsIn } from '../support/slack-limits.ts';
import { textsIn as teamsTextsIn } from '../support/teams-limits.ts';
import { everythingOf } from '../surfaces/slack/render/everything.ts';
import { everythingOf as everythingInTeams } from '../surfaces/teams/everything.ts';

/** A word that no language has, in place of all that people and models write. */
const NONSENSE = 'zzqx';

/** Words that English texts hardly do without and German ones do not have. */
const ENGLISH =
  /\b(?:the|of|and|is|are|this|that|not|with|your|you|for|from|more|judges?|verdicts?|votes?|answers?|asked|open|close|back|next)\b/i;

/** What the platforms’ menus and commands are called, and examples of what can be pasted. */
const KEPT =
  /Ask the jury|\/jury \w+|\b(?:digest|review|queue|study) \w+|User: Find me.*|System: Sakura.*|a JSON case with|verdict-v1\.json/g;

/** The texts that are still in English. */
const englishIn = (texts: readonly string[]): string[] => [
  ...new Set(texts.map((text) => text.replaceAll(KEPT, '')).filter((text) => ENGLISH.test(text))),
];

describe('in German', () => {
  test('no English template remains in what Slack shows', () => {
    const { messages, views } = everythingOf(NONSENSE, 'de');
    const shown = [...messages, ...views];
    expect(shown.length).toBeGreaterThan(30);
    expect(englishIn(shown.flatMap((one) => textsIn(one)))).toEqual([]);
  });

  test('none remains in what Teams shows', () => {
    const { messages, dialogs } = everythingInTeams(NONSENSE, 'de');
    const shown = [...messages, ...dialogs];
    expect(shown.length).toBeGreaterThan(50);
    expect(englishIn(shown.flatMap((one) => teamsTextsIn(one)))).toEqual([]);
  });

  test('every text differs from English, but for names and signs', () => {
    const same: string[] = [];
    const compare = (path: string, en: unknown, de: unknown): void => {
      if (typeof en === 'string' && en === de && /\p{L}{3}/u.test(en)) same.push(`${path}: ${en}`);
      if (typeof en !== 'object' || en === null || typeof de !== 'object' || de === null) return;
      for (const [key, value] of Object.entries(en))
        compare(`${path}.${key}`, value, Object.entries(de).find(([name]) => name === key)?.[1]);
    };
    for (const key of Object.keys(wordsIn('en')).filter((one): one is keyof Words => one in wordsIn('de')))
      compare(key, wordsIn('en')[key], wordsIn('de')[key]);
    expect(same).toEqual([
      'fields.contract.context.label: Situation',
      'studies.roles.user: User',
      'studies.roles.system: System',
      'digests.benchmarks.title: Benchmarks',
      'digests.benchmarks.columns.name: Benchmark',
      'digests.message.details: Details',
      'chat.user: User',
      'chat.system: System',
      'details.part.user: User',
      'details.part.system: System',
      'votes.blind.user: User',
      'votes.actions.details: Details',
      'votes.actions.json: JSON',
    ]);
  });
});

describe('the language', () => {
  test.each([
    ['de-AT', 'de'],
    ['de_DE', 'de'],
    ['en-GB', 'en'],
    ['fr-FR', null],
    ['', null],
    [null, null],
  ])('of the locale %j is %j', (locale, language) => {
    expect(languageOf(locale)).toBe(language);
  });

  test.each([
    ['Warum ist das durchgefallen?', 'de'],
    ['Was sagt der Auditor dazu?', 'de'],
    ['why did it fail?', 'en'],
    ['What does the Auditor say?', 'en'],
    ['hm?', null],
    ['pourquoi ?', null],
  ])('of “%s” is %j', (text, language) => {
    expect(languageOfText(text)).toBe(language);
  });
});
