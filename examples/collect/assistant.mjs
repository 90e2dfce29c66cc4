// Stands in for your assistant: reads one request as JSON, prints its answer as JSON.
import { text } from 'node:stream/consumers';

const venues = [
  { kind: 'French', name: 'Chez Luc', rating: 4.6, cost: 'high', hours: '12:00-22:00' },
  { kind: 'sushi', name: 'Sakura', rating: 3.9, cost: 'medium', hours: '11:00-23:00' },
];

const { request } = JSON.parse(await text(process.stdin));
const venue = venues.find(({ kind }) => request.toLowerCase().includes(kind.toLowerCase()));
if (request.includes('poem')) {
  console.error('no such skill');
  process.exit(1);
}
console.log(
  JSON.stringify({
    speech:
      venue === undefined
        ? 'What would you like?'
        : `${venue.name} is five minutes away. Shall I take you there?`,
    venue,
    version: '2026-11-20',
  }),
);
