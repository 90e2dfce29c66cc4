import fc from 'fast-check';

/** What a person would paste to be heard, to link, or to look like another. */
const PIECE = fc.constantFrom(
  '<!channel>',
  '<!here|here>',
  '<!everyone>',
  '<@U012ABC>',
  '<#C012ABC>',
  '<!subteam^S012ABC>',
  '<https://evil.example|your bank>',
  'https://evil.example',
  '@channel',
  '@here',
  '@everyone',
  ':tada:',
  '*bold*',
  '_italic_',
  '~gone~',
  '`code`',
  '```fence```',
  '> quote',
  '&lt;!channel&gt;',
  '&',
  '\u202egnp.exe\u202c',
  '\u200b',
  '\u200f',
  '\ufeff',
  '\ud83d',
  '\udc69',
  '\u0007',
  '\u2028',
  '👩‍🚀',
  'word ',
  '\n',
  ' ',
);

/** Hostile text of all lengths; neither blank nor with half a character, since a case with such texts does not come to be. */
export const hostile: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(
      fc.oneof({ weight: 3, arbitrary: PIECE }, { weight: 1, arbitrary: fc.string({ unit: 'binary' }) }),
      {
        minLength: 1,
        maxLength: 12,
      },
    ),
    fc.constantFrom(1, 1, 1, 40, 400),
  )
  .map(([parts, times]) => `x${parts.join('').repeat(times)}`.slice(0, 6_000).toWellFormed());
