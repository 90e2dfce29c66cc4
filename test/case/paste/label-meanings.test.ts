import { describe, expect, it } from 'vitest';
import { caseOf, parseOne, problemOf, wholeOf } from './parse.ts';

const USER = 'find me a thai place';
const SYSTEM = 'I found Thai Palace.';

describe('two labelled turns are a case, however they are labelled', () => {
  it.each([
    ['User and System', `User: ${USER}\nSystem: ${SYSTEM}`],
    ['upper case', `USER: ${USER}\nSYSTEM: ${SYSTEM}`],
    ['lower case', `user: ${USER}\nsystem: ${SYSTEM}`],
    ['one letter, U and S', `U: ${USER}\nS: ${SYSTEM}`],
    ['one letter, Q and A', `Q: ${USER}\nA: ${SYSTEM}`],
    ['Utterance and Response', `Utterance: ${USER}\nResponse: ${SYSTEM}`],
    ['Prompt and Answer', `Prompt: ${USER}\nAnswer: ${SYSTEM}`],
    ['Question and Answer', `Question: ${USER}\nAnswer: ${SYSTEM}`],
    ['Human and Assistant', `Human: ${USER}\nAssistant: ${SYSTEM}`],
    ['Driver and Car', `Driver: ${USER}\nCar: ${SYSTEM}`],
    ['Driver and Bot', `Driver: ${USER}\nBot: ${SYSTEM}`],
    ['Nutzer and System', `Nutzer: ${USER}\nSystem: ${SYSTEM}`],
    ['Fahrer and Auto', `Fahrer: ${USER}\nAuto: ${SYSTEM}`],
    ['Frage and Antwort', `Frage: ${USER}\nAntwort: ${SYSTEM}`],
    ['user_utterance and system_response', `user_utterance: ${USER}\nsystem_response: ${SYSTEM}`],
    ['numbered', `User 1: ${USER}\nSystem 1: ${SYSTEM}`],
    ['numbered with a letter', `U1: ${USER}\nS1: ${SYSTEM}`],
    ['who says it', `The driver asked: ${USER}\nMBUX answered: ${SYSTEM}`],
    ['what each said', `What the user said: ${USER}\nWhat the system answered: ${SYSTEM}`],
    ['what was spoken and put out', `Speech input: "${USER}"\nTTS output: "${SYSTEM}"`],
    ['turn numbers in front', `Turn 1 - User: ${USER}\nTurn 1 - System: ${SYSTEM}`],
    ['a wide colon', `User：${USER}\nSystem：${SYSTEM}`],
    ['a dash', `User - ${USER}\nSystem - ${SYSTEM}`],
    ['an arrow', `User -> ${USER}\nSystem -> ${SYSTEM}`],
    ['labels alone on a line with a colon', `User:\n${USER}\n\nSystem:\n${SYSTEM}`],
    ['labels alone on a line', `User\n${USER}\nAssistant\n${SYSTEM}`],
    ['bold for Slack', `*User:* ${USER}\n*System:* ${SYSTEM}`],
    ['bold for Markdown, colon inside', `**User:** ${USER}\n**System:** ${SYSTEM}`],
    ['bold for Markdown, colon outside', `**User**: ${USER}\n**System**: ${SYSTEM}`],
    ['underlined', `__User__: ${USER}\n__System__: ${SYSTEM}`],
    ['a whole bold line', `*User: ${USER}*\n*System: ${SYSTEM}*`],
    ['code in backticks', `\`User:\` ${USER}\n\`System:\` ${SYSTEM}`],
    ['quoted labels and values', `"User": "${USER}",\n"System": "${SYSTEM}"`],
    ['bullets', `- User: ${USER}\n- System: ${SYSTEM}`],
    ['bullets of another kind', `• User: ${USER}\n• System: ${SYSTEM}`],
    ['a numbered list', `1. User: ${USER}\n2. System: ${SYSTEM}`],
    ['headings', `### User\n${USER}\n### Assistant\n${SYSTEM}`],
    ['names in brackets', `[User] ${USER}\n[System] ${SYSTEM}`],
    ['names in angle brackets', `<user> ${USER}\n<bot> ${SYSTEM}`],
    ['quote marks', `> User: ${USER}\n> System: ${SYSTEM}`],
    ['escaped quote marks', `&gt; User: ${USER}\n&gt; System: ${SYSTEM}`],
    ['one quote mark for the whole block', `>>> User: ${USER}\nSystem: ${SYSTEM}`],
    ['a code fence', `\`\`\`\nUser: ${USER}\nSystem: ${SYSTEM}\n\`\`\``],
    ['a code fence with a language', `\`\`\`text\nUser: ${USER}\nSystem: ${SYSTEM}\n\`\`\``],
    ['a code fence on the same lines', `\`\`\`User: ${USER}\nSystem: ${SYSTEM}\`\`\``],
    ['Windows line ends', `User: ${USER}\r\nSystem: ${SYSTEM}\r\n`],
    ['non-breaking spaces', `User:\u00a0${USER}\nSystem\u00a0: ${SYSTEM}`],
    ['zero-width characters and a byte order mark', `\ufeff\u200bUser: ${USER}\n\u200bSystem: ${SYSTEM}`],
    ['straight quotes around turns', `User: "${USER}"\nSystem: "${SYSTEM}"`],
    ['curly quotes around turns', `User: “${USER}”\nSystem: „${SYSTEM}“`],
    ['colors of a terminal', `\u001b[32mUser:\u001b[0m ${USER}\n\u001b[34mSystem:\u001b[0m ${SYSTEM}`],
    ['a model named in brackets', `User: ${USER}\nSystem (GPT-4): ${SYSTEM}`],
  ])('%s', (_, text) => {
    const parsed = caseOf(text);
    expect(parsed.case.conversation).toEqual([{ role: 'user', text: USER }]);
    expect(parsed.case.response).toBe(SYSTEM);
    expect(parsed.assumed.filter((assumption) => !assumption.startsWith('no '))).toEqual([]);
  });
});

describe('turns', () => {
  it('keep their line breaks and their paragraphs', () => {
    const parsed = caseOf('User: one\ntwo\n\nSystem: three\n\nfour');
    expect(parsed.unsure?.withIt.conversation[0]?.text).toBe('one\ntwo');
    expect(wholeOf(parsed)).toBe('three\n\nfour');
  });

  it('before the last system turn are the conversation', () => {
    const parsed = caseOf('User: a\nSystem: b\nUser: c\nSystem: d');
    expect(parsed.case.conversation.map((turn) => turn.text)).toEqual(['a', 'b', 'c']);
    expect(parsed.case.response).toBe('d');
  });

  it.each([
    ['Response: among System: turns', 'User: a\nSystem: b\nUser: c\nResponse: d\nUser: e\nSystem: f'],
    ['>>> in front', 'User: a\nSystem: b\nUser: c\n>>> System: d\nUser: e\nSystem: f'],
    ['(judge this) in the label', 'User: a\nSystem: b\nUser: c\nSystem (judge this): d\nUser: e\nSystem: f'],
    ['(judge this) at the end', 'User: a\nSystem: b\nUser: c\nSystem: d (judge this)\nUser: e\nSystem: f'],
  ])('can be marked as the one to judge by %s', (_, text) => {
    const parsed = caseOf(text);
    expect(parsed.case.response).toBe('d');
    expect(parsed.case.conversation).toHaveLength(3);
    expect(parsed.assumed).toEqual(['left out: 2 turns after the one to judge']);
  });

  it('of a system prompt before an assistant are left out, and that is said', () => {
    const parsed = caseOf('System: You are a helpful car.\nUser: a\nAssistant: b');
    expect(parsed.case.conversation).toEqual([{ role: 'user', text: 'a' }]);
    expect(parsed.assumed[0]).toContain('read as instructions');
  });

  it('of a greeting by the system stay', () => {
    expect(caseOf('System: Welcome!\nUser: a\nSystem: b').case.conversation).toHaveLength(2);
  });

  it('keep quotes that do not go around the whole', () => {
    expect(caseOf('User: "a" or "b"\nSystem: it\'s').case.conversation[0]?.text).toBe('"a" or "b"');
  });

  it('show entities and links as their reader saw them', () => {
    const parsed = caseOf('User: fish &amp; chips\nSystem: see <https://a.example/x|the menu> &lt;3');
    expect(parsed.case.conversation[0]?.text).toBe('fish & chips');
    expect(parsed.case.response).toBe('see the menu <3');
  });

  it('do not end at a colon in a sentence or at a time of day', () => {
    const parsed = caseOf('User: two things: food, at 10:30\nSystem: Well: here it is');
    expect(parsed.case.conversation[0]?.text).toBe('two things: food, at 10:30');
    expect(parsed.case.response).toBe('Well: here it is');
  });

  it('of a user may hold lines that look like attributes of a venue', () => {
    const parsed = caseOf('User: a restaurant please\nRating: at least 4\nSystem: ok');
    expect(parsed.case.conversation[0]?.text).toBe('a restaurant please');
    expect(parsed.unsure?.withIt.conversation[0]?.text).toBe('a restaurant please\nRating: at least 4');
    expect(parsed.case.recommendation).toBeUndefined();
  });
});

describe('text before the first label', () => {
  it('is left out, and that is said with its words', () => {
    const parsed = caseOf('@Jury can you check this?\nUser: a\nSystem: b');
    expect(parsed.assumed).toEqual(['left out: text before the first label ("@Jury can you check this?")']);
  });
});

describe('what is not a case', () => {
  it.each([
    ['nothing', '', /nothing to judge/i, ['conversation', 'response']],
    ['blank lines', ' \n\t\n', /nothing to judge/i, ['conversation', 'response']],
    ['only a user', 'User: a', /no response.*System:/, ['response']],
    ['only a system', 'System: a', /no user turn.*User:/, ['conversation']],
    ['a greeting without an answer', 'System: a\nUser: b', /ends with the user/, ['response']],
    ['an empty response', 'User: a\nSystem:', /response is empty/, ['response']],
    ['empty turns', 'User:\nSystem:', /nothing to judge/i, ['conversation', 'response']],
    ['only a date', 'Date: 2024-03-04', /User:.*System:/, ['conversation', 'response']],
    ['one line without a label', 'find me a place', /User:.*System:/, ['response']],
  ])('%s is a problem that says what to write', (_, text, message, missing) => {
    const parsed = problemOf(text);
    expect(parsed.problem).toMatch(message);
    expect(parsed.missing).toEqual(missing);
  });

  it('more than two paragraphs without labels carry a guess for a form', () => {
    expect(problemOf('find me a place\n\nI found Thai Palace.\n\nShall we go?').understood).toEqual({
      conversation: [{ role: 'user', text: 'find me a place' }],
      response: 'I found Thai Palace.\n\nShall we go?',
    });
  });

  it('what was understood is there to be completed', () => {
    expect(problemOf('User: a\nDate: 2024-03-04').understood).toEqual({
      conversation: [{ role: 'user', text: 'a' }],
      context: { date: '2024-03-04' },
    });
  });

  it('more turns than the limit are named', () => {
    const parsed = parseOne('User: a\nSystem: b\n'.repeat(300));
    expect(parsed).toMatchObject({ problem: expect.stringContaining('599 turns, the limit is 500') });
  });
});

describe('two paragraphs or lines without labels', () => {
  it.each([
    [
      'paragraphs',
      'find me a place\n\nI found Thai Palace.\nIt is open.',
      'I found Thai Palace.\nIt is open.',
    ],
    ['lines', '"find me a place"\n"I found Thai Palace."', 'I found Thai Palace.'],
  ])('are a request and its answer, and that is said: %s', (_, text, response) => {
    const parsed = parseOne(text);
    expect(parsed).toMatchObject({
      case: { conversation: [{ role: 'user', text: 'find me a place' }], response },
      assumed: [expect.stringMatching(/^no label says who speaks: "/)],
      isUnlabeled: true,
    });
  });

  it.each([
    ['a message to the app', '@jury what is this?\n\nSomething like a test'],
    ['a greeting', 'Hi all, one more\n\nThis is what it says'],
    ['a remark', 'Find me a place\n\nlooks wrong to me'],
    ['names', 'Anna: find me a place\nBen: I found Thai Palace.'],
    ['single words', 'hello\nhello'],
  ])('are refused where they hold %s', (_, text) => {
    expect(problemOf(text).problem).toContain('No label says who speaks');
  });

  it.each([
    ['cells', 'open the trunk\tThe trunk is open.\nmute\tThe sound is off.'],
    ['CSV with other columns', 'nr;anfragetext;antworttext\n1;mach an;Ist an.'],
    ['CSV without an answer', 'utterance,expected\n"mute now","sound off"'],
  ])('are refused where they are a table: %s', (_, text) => {
    expect(problemOf(text).problem).toMatch(/^A table whose columns are not known: name one of them "User"/);
  });

  it('with a price in each are no table', () => {
    const parsed = caseOf('Diesel unter 1,60 bitte\nDie Jet hat Diesel für 1,579 Euro.');
    expect(parsed.case.response).toBe('Die Jet hat Diesel für 1,579 Euro.');
  });
});

describe('what only looks like a label is no turn', () => {
  it.each([
    ['who says what within an answer', 'System: Two things.\nThe model says: check the oil.', 'Two things.'],
    ['what a list of sources begins with', 'System: See [2].\n[1] Auto: motor und sport, page 3', 'See [2].'],
    [
      'a person in an answer',
      'System: One missed call:\nPerson: Anna Berg',
      'One missed call:\nPerson: Anna Berg',
    ],
    ['what the car says of a trip', 'System: Here is the trip.\nDistance = 120 km', 'Here is the trip.'],
  ])('%s', (_, answer, response) => {
    const { case: read } = caseOf(`User: ${USER}\n${answer}`);
    expect(read).toEqual({ conversation: [{ role: 'user', text: USER }], response });
  });

  it('letters in the answer of labelled speakers', () => {
    const { case: read } = caseOf(
      `Customer: ${USER}\nAgent: Here is what our FAQ says:\nQ: is it open?\nA: yes, until ten.`,
    );
    expect(read.conversation).toEqual([{ role: 'user', text: USER }]);
    expect(read.response).toMatch(/^Here is what our FAQ says:/);
  });
});
