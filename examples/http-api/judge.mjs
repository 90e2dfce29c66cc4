// Judges a paste over HTTP, prints who has answered as it happens, and agrees with the verdict.
const service = process.env.JURY_URL ?? 'http://localhost:3000';
const headers = {
  'content-type': 'application/json',
  // One of JURY_API_TOKENS; on the service's own machine, its key.
  authorization: `Bearer ${process.env.JURY_TOKEN}`,
};

const paste = `User: Find a sushi place rated at least 4
System: Sakura is five minutes away.
Cuisine: Japanese
Rating: 3.8
Duration: 5 min`;

/** The events of a response, one after another. */
async function* eventsOf(response) {
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop();
    for (const block of blocks) {
      const [, event] = /^event: (.*)$/m.exec(block) ?? [];
      const [, data] = /^data: (.*)$/m.exec(block) ?? [];
      if (event && data) yield { event, data: JSON.parse(data) };
    }
  }
}

const asked = await fetch(`${service}/api/v1/verdicts`, {
  method: 'POST',
  headers: { ...headers, accept: 'text/event-stream' },
  body: JSON.stringify({ paste, models: ['rules'] }),
});
if (!asked.ok) throw new Error((await asked.json()).error.message);

let verdict;
for await (const { event, data } of eventsOf(asked)) {
  if (event === 'progress') console.log(data.judges.map(({ name, state }) => `${name}: ${state}`).join(', '));
  if (event === 'error') throw new Error(data.error.message);
  if (event === 'verdict') verdict = data;
}
console.log(`${verdict.decision}: ${verdict.why}`);

const voted = await fetch(`${service}/api/v1/verdicts/${verdict.id}/vote`, {
  method: 'PUT',
  headers,
  body: JSON.stringify({ value: 'agree', comment: 'The rating is too low.' }),
});
const { tally } = await voted.json();
console.log(`Votes: ${JSON.stringify(tally)}`);
