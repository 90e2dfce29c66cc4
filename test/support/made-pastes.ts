import fc from 'fast-check';

/** What people say, in a line. */
const SAID = [
  'Find me a sushi place rated at least 4.5',
  'Mach die Heizung an',
  'open the window, please',
  'Which one is cheaper & closer?',
  'take me to "Chez Luc"',
  'und wie lange noch?',
];
const ANSWERED = [
  'I recommend Chez Luc, rated 4.6 and 1.2 km away.',
  'Done.',
  'Here are two:',
  '“Die Heizung ist an.”',
  '"Opening the window." (0.93)',
  'Okay, navigating to',
  'I found Tom &amp; Jerry’s, 5 min away \u{1f697}',
];
/** What may stand below an answer. */
const BELOW = [
  '- Luigi, 4.3',
  '1. Luigi',
  '2. Mario',
  'the nearest one.',
  'Shall I start?',
  'I think the rating is 3.1 in reality',
  'wdyt',
  'Ist das ok so?',
  'Note: only in winter',
  'fan=4, seat=2',
  '[card: Luigi]',
  'Mo 04.03.24, 22:15',
  '-> wrong',
  '@Jury please judge',
  'Best regards',
  'Anna',
  '---',
  '```',
  '',
  '  indented below',
];
const FIELDS = [
  'Name: Chez Luc',
  'Rating: 4.6/5',
  'Rating: 3.1',
  'Cuisine: French | Cost: €€€',
  'Opening hours:\n  Mon-Fri 12:00-20:00\n  Sat closed',
  'Monday: 12:00-20:00',
  'Location: Mitte, Berlin (52.52, 13.40)',
  'Menu:\n- soup\n- salad',
  'Duration: 6 min',
  'Distance: 1,2 km',
  'Date: 2026-03-02, Time: 20:35',
  'Latency: 1.8 s',
  'Latency: 9.4',
  'Language: German',
  'Expected: it offers two',
  'Intent: find_poi',
  'Document m1: Chez Luc is closed on Sundays.',
  '| Name | Rating |\n|---|---|\n| Chez Luc | 4.6 |',
  '{"name": "Chez Luc", "rating": 4.6, "opening_hours": {"monday": "12-20"}}',
  'Rubric: navigation',
  'ID: t-17',
];
const LABELS = [
  ['User: ', 'System: '],
  ['U: ', 'S: '],
  ['**Driver:** ', '**Car:** '],
  ['[10:32] User: ', '[10:33] Bot: '],
  ['User:\n', 'Assistant:\n'],
  ['\u{1f464} ', '\u{1f916} '],
  ['<user> ', '<assistant> '],
  ['Fahrer\u00a0: ', 'System\u00a0: '],
  ['Anna Weber  10:32 AM\n', 'CarBot  APP  10:33 AM\n'],
  ['SPEAKER_00 (00:03): Hey Mercedes, ', 'SPEAKER_01 (00:05): '],
] as const;

/** How all of it is written. */
const WRITTEN: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text,
  (text) => `\ufeff${text.replaceAll('\n', '\r\n')}`,
  (text) =>
    text
      .split('\n')
      .map((line) => `> ${line}`)
      .join('\n'),
  (text) => `\`\`\`\n${text}\n\`\`\``,
  (text) => `{noformat}\n${text}\n{noformat}`,
  (text) => text.replaceAll('"', '&quot;').replaceAll('<', '&lt;'),
  (text) => text.replaceAll(' ', '\u00a0'),
  (text) => text.replaceAll('.', '\u200b.'),
  (text) => `Hi all, can you judge this?\n\n${text}\n\nthx`,
];

const some = <T>(from: readonly T[], maxLength: number, minLength = 0) =>
  fc.array(fc.constantFrom(...from), { maxLength, minLength });

const exchange = fc
  .tuple(
    fc.constantFrom(...LABELS),
    some(SAID, 2, 1),
    some(ANSWERED, 2, 1),
    some(BELOW, 3),
    some(FIELDS, 4),
    some(BELOW, 1),
  )
  .map(([[user, system], said, answered, below, fields, last]) =>
    [`${user}${said.join('\n')}`, `${system}${answered.join('\n')}`, ...below, ...fields, ...last].join('\n'),
  );

const asText = fc
  .tuple(
    fc.array(exchange, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('\n', '\n\n', '\n---\n', '\n2)\n'),
    fc.constantFrom(...WRITTEN),
  )
  .map(([parts, between, written]) => written(parts.join(between)));

const venue = fc.constantFrom(
  {},
  { recommendation: { name: 'Chez Luc', rating: 4.6 } },
  { poi: { name: 'Chez Luc', priceLevel: '2', location: { lat: 52.5, lng: 13.4 } } },
  { intent: { name: 'find', confidence: 0.9 }, slots: { cuisine: 'thai', rating: 4 } },
  { latency: 9.4, latency_ms: 1800, id: 't-17' },
  { context: { date: '2026-03-02', time: '20:35' } },
);
const asJson = fc
  .tuple(some(SAID, 1, 1), some(ANSWERED, 1, 1), venue, fc.constantFrom(0, 2), fc.nat({ max: 4 }))
  .map(([[said = ''], [answered = ''], more, indent, form]) => {
    const forms = [
      { conversation: [{ role: 'user', text: said }], response: answered, ...more },
      {
        messages: [
          { role: 'user', content: said },
          { role: 'assistant', content: [{ type: 'text', text: answered }] },
        ],
        ...more,
      },
      { user: said, assistant: answered, ...more },
      [
        { speaker: 'user', utterance: said },
        { speaker: 'system', utterance: answered },
      ],
      [
        { prompt: said, response: answered, ...more },
        { prompt: answered, response: said },
      ],
    ];
    return JSON.stringify(forms[form], null, indent);
  });

const cell = fc.constantFrom(...SAID, ...ANSWERED);
const asTable = fc
  .tuple(
    fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 4 }),
    fc.constantFrom('csv', 'tsv', 'markdown'),
  )
  .map(([rows, form]) => {
    if (form === 'markdown')
      return [
        '| User | System | Rating |',
        '|---|---|---|',
        ...rows.map(([a, b]) => `| ${a} | ${b} | 4.6 |`),
      ].join('\n');
    const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const mark = form === 'csv' ? ',' : '\t';
    return [
      `user${mark}response${mark}build`,
      ...rows.map(([a, b]) => [quoted(a), quoted(b), '7'].join(mark)),
    ].join('\n');
  });

/** Pastes in all the forms that people use, from parts that are read in different ways beside each other. */
export const madePaste = fc.oneof(
  { weight: 6, arbitrary: asText },
  { weight: 2, arbitrary: asJson },
  asTable,
);
