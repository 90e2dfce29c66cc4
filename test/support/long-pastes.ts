/** What lines of a long paste may be; `#` counts. */
const LINES = [
  'a',
  'a#',
  'User: a#',
  'System: b#',
  'User: a#\nSystem: b#',
  'User: a#\nSystem: b#\n',
  'User: a#\nSystem: b#\n---',
  'U: a#\nS: b#',
  'Rating: #',
  'Rating',
  'Opening hours: Mo-Fr #:00-20:00',
  'Monday: #:00-20:00',
  'Recommendation:\n  Name: N#\n  Cuisine: Thai',
  'Document d#: text',
  '- item #',
  '* **User**: a#',
  '> User: a#\n> System: b#',
  '[10:3# AM] Ann: hello #',
  '[2026-03-02 10:31:0#] user: hello #',
  '2026-03-02T10:31:00.00#Z INFO asr final="hello #"',
  '2026-03-02 10:31:00 DEBUG nlu intent=x# conf=0.9',
  '[asr] final="hello #"\n[tts] text="hi #"',
  'Ann Ahn\n10:3# AM\nhello #',
  'Case #:\nUser: a\nSystem: b',
  '#)\nUser: a\nSystem: b',
  '@Jury check this User: a#',
  'Hey @Jury, one more: User: a#',
  'A: a#\nB: b#',
  'User: a#\nA: one\nB: two\n---',
  '"hello #" -> "hi #"',
  '<user> hello #',
  '**User #:** “hello”',
  'Location: 52.5#, 13.4#',
  'Date: 2026-03-#',
  'From: a#@example.com\nSubject: b#\nDate: c#',
  '{"role":"user","content":"a#"}',
  '{"a":#,',
  'user;system\na#;b#',
  'a#\tb#\tc#',
  '- role: user\n  text: a#',
  'key#: value #',
  'key#:\n  - value #',
  '```\nUser: a#\n```',
  '"',
  '(((((',
  '>>> ',
  '-> -> -> ->',
  ': : : :',
  '“‘“‘',
  'Why # ?',
] as const;

/** What they follow. */
const HEADS = [
  '',
  'User: a\nSystem: b\n',
  'User: a\nSystem: b\nRating: ',
  '{"conversation":[',
  'User: ',
] as const;

/** So many pastes, no two alike, each as long as one case may be. The same for the same length. */
export function longPastes(count: number, length: number): string[] {
  const pastes: string[] = [];
  for (const between of ['\n', '\n\n', ' '])
    for (const head of HEADS)
      for (const line of LINES) {
        let text: string = head;
        for (let at = 1; text.length < length; at += 1) text += line.replaceAll('#', String(at)) + between;
        pastes.push(text.slice(0, length));
        if (pastes.length === count) return pastes;
      }
  throw new Error(`there are only ${pastes.length} long pastes`);
}
