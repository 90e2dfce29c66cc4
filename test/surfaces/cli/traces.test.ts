import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { closeAfterEach } from '../../support/resources.ts';
import { jury, scratch } from '../../support/run-jury.ts';

closeAfterEach();

const event = (more: object) => JSON.stringify({ sender_id: 'car-1', ...more });
const MONDAY = [
  event({ event: 'user', text: 'Find food', timestamp: 1709578800 }),
  event({ event: 'bot', text: 'Chez Luc.', timestamp: 1709578801 }),
  event({ event: 'slot', name: 'cuisine', value: 'french', timestamp: 1709578801.5 }),
].join('\n');
const TUESDAY = [
  event({ event: 'user', text: 'Is it open?', timestamp: 1709665200 }),
  event({ event: 'bot', text: 'Yes.', timestamp: 1709665201 }),
].join('\n');

/** A folder with a file for each day. */
function folder(): string {
  const cwd = scratch();
  writeFileSync(join(cwd, '1.jsonl'), MONDAY);
  writeFileSync(join(cwd, '2.jsonl'), TUESDAY);
  return cwd;
}

const casesOf = (out: string) =>
  out
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));

describe('jury traces import', () => {
  test('joins a conversation across files and says what became of every record', async () => {
    const { code, out, err } = await jury(['traces', 'import', '1.jsonl', '2.jsonl'], { cwd: folder() });
    expect(code).toBe(0);
    expect(casesOf(out)).toMatchObject([
      {
        id: 'car-1',
        conversation: [{ text: 'Find food' }, { text: 'Chez Luc.' }, { text: 'Is it open?' }],
        response: 'Yes.',
        tags: { date: '2024-03-05' },
      },
    ]);
    expect(err).toContain('Rasa: 5 records: 4 read, 1 left out (a slot,');
  });

  test('makes a case of each answer in one group, if asked to', async () => {
    const { out } = await jury(['traces', 'import', '.', '--every-answer'], { cwd: folder() });
    expect(casesOf(out)).toMatchObject([
      { id: 'car-1-1', response: 'Chez Luc.', tags: { group: 'car-1' } },
      { id: 'car-1-2', response: 'Yes.', tags: { group: 'car-1' } },
    ]);
  });

  test('names lines that no reader knows, and imports the rest', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, '3.jsonl'), `${TUESDAY}\n{"level":"info","msg":"started"}`);
    const { code, out, err } = await jury(['traces', 'import', '3.jsonl'], { cwd });
    expect(code).toBe(1);
    expect(casesOf(out)).toMatchObject([{ response: 'Yes.' }]);
    expect(err).toContain('line 3: no reader knows it (keys: level, msg)');
  });

  test('writes nothing where no reader knows a file', async () => {
    const cwd = folder();
    writeFileSync(join(cwd, 'notes.txt'), 'Nothing of that kind.');
    const { code, out, err } = await jury(['traces', 'import', 'notes.txt'], { cwd });
    expect([code, out]).toEqual([64, '']);
    expect(err).toContain('notes.txt: no reader knows anything in it.');
  });

  test('dataset import, parse and judge take the same files', async () => {
    const cwd = folder();
    const imported = await jury(['dataset', 'import', '1.jsonl'], { cwd });
    expect(casesOf(imported.out)).toMatchObject([{ id: 'car-1', response: 'Chez Luc.' }]);
    const parsed = await jury(['parse', '1.jsonl'], { cwd });
    expect(casesOf(parsed.out)).toMatchObject([{ case: { id: 'car-1' }, assumed: ['read as Rasa'] }]);
    const judged = await jury(['judge', '1.jsonl', '--rubric', 'answer-length', '--json'], { cwd });
    expect(casesOf(judged.out)).toMatchObject([{ caseId: 'car-1' }]);
  });
});

test('subtitles and transcripts of speech are read as judging reads them', async () => {
  const cwd = scratch();
  writeFileSync(
    join(cwd, 'drive.srt'),
    '1\n00:00:01,000 --> 00:00:03,000\nDriver: Find food\n\n2\n00:00:04,000 --> 00:00:06,000\nCar: Chez Luc is near.\n',
  );
  writeFileSync(
    join(cwd, 'whisper.json'),
    JSON.stringify({
      text: 'x',
      segments: [
        { id: 0, start: 0, end: 2, text: ' Hey Mercedes, find food.' },
        { id: 1, start: 3, end: 5, text: ' Chez Luc is near.' },
      ],
    }),
  );
  writeFileSync(join(cwd, 'notes.txt'), 'nothing of the kind');
  const { code, out, err } = await jury(['traces', 'import', 'drive.srt', 'whisper.json', 'notes.txt'], {
    cwd,
  });
  expect(casesOf(out)).toMatchObject([{ response: 'Chez Luc is near.' }, { response: 'Chez Luc is near.' }]);
  expect(err).toContain('notes.txt: no reader knows anything in it');
  expect(code).toBe(1);
});
