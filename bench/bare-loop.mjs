import { readFileSync } from 'node:fs';
import OpenAI from 'openai';

// What an engineer would write by hand: the openai client, a loop, JSON.parse. Arguments: URL, request file, count,
// concurrency. The requests are those that Jury sends, so that both carry the same.
const [, , baseURL, file, count, concurrency] = process.argv;
const request = JSON.parse(readFileSync(file, 'utf8'));
const client = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 2 });
let next = 0;

async function worker() {
  while (next < Number(count)) {
    const id = next++;
    const messages = request.messages.map((message) =>
      message.role === 'user' ? { ...message, content: `${message.content}\n${id}` } : message,
    );
    const completion = await client.chat.completions.create({ ...request, messages });
    console.log(JSON.stringify({ id, ...JSON.parse(completion.choices[0].message.content) }));
  }
}

await Promise.all(Array.from({ length: Number(concurrency) }, worker));
process.exit();
