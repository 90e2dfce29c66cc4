/** A case like the benchmark's others but for its number. */
export const oneCase = (index: number) => ({
  id: `case-${index}`,
  rubric: 'navigation',
  conversation: [
    { role: 'user', text: `Find me a high-end French restaurant rated at least 4.5 (${index})` },
  ],
  response: 'I recommend Chez Luc, a high-end French restaurant rated 4.6, 1.2 km away.',
  context: {
    date: '2024-03-04',
    time: '20:35',
    location: { latitude: 52.53, longitude: 13.41, description: 'Prenzlauer Berg, Berlin' },
  },
  recommendation: {
    name: 'Chez Luc',
    location: { latitude: 52.54, longitude: 13.42, description: 'Kollwitzkiez, Berlin' },
    cuisine: 'French',
    cost: 'high',
    rating: 4.6,
    openingHours: { monday: '12:00-23:00', tuesday: '12:00-14:30, 18:00-01:00', sunday: 'closed' },
    distanceKm: 1.2,
    durationMin: 6,
  },
});
