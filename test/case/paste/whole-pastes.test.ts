import { describe, expect, it } from 'vitest';
import { caseOf } from './parse.ts';

describe('a whole paste', () => {
  it('from Slack in German, with a question around it', () => {
    const parsed = caseOf(`Hey team, this one failed yesterday 🚗
&gt; *Fahrer:* „Such mir ein günstiges italienisches Restaurant, so um die 4 Sterne“
&gt; *System:* „Ich empfehle die Trattoria da Enzo, ein günstiges italienisches Restaurant, 2,3 km entfernt (8 Min.). Bewertung: 4,1.“
&gt; Datum: Fr, 08.03.2024
&gt; Uhrzeit: 19 Uhr
&gt; Standort: München-Schwabing
&gt; Öffnungszeiten: Di–Sa 17–23 Uhr, So+Mo Ruhetag
What do you think?`);
    expect(parsed.case.response).toMatch(/^Ich empfehle .* 4,1\.$/);
    expect(parsed.case.context).toEqual({
      date: '2024-03-08',
      time: '19:00',
      location: { description: 'München-Schwabing' },
    });
    expect(parsed.case.recommendation).toEqual({
      openingHours: {
        tuesday: '17:00-23:00',
        wednesday: '17:00-23:00',
        thursday: '17:00-23:00',
        friday: '17:00-23:00',
        saturday: '17:00-23:00',
        sunday: 'closed',
        monday: 'closed',
      },
    });
    expect(parsed.assumed.join('\n')).toContain('("What do you think?")');
    expect(parsed.assumed.join('\n')).toContain('("Hey team, this one failed yesterday 🚗")');
  });

  it('of several turns with a JSON object that groups and names things its own way', () => {
    const parsed = caseOf(`Utterance: Take me to an upscale sushi place
When: tomorrow at 8pm
System: Sure! Which part of town?
User: Mitte
System: How about Zen?

{"recommendation": {"name": "Zen", "rating": "4.8 (312 reviews)", "location": {"lat": 52.52, "lng": 13.4},
  "travel": {"distance": 4200, "duration_min": 11}}}`);
    expect(parsed.case.conversation).toHaveLength(3);
    expect(parsed.case.context).toEqual({ time: '20:00' });
    expect(parsed.case.recommendation).toEqual({
      name: 'Zen',
      rating: 4.8,
      location: { latitude: 52.52, longitude: 13.4 },
      durationMin: 11,
    });
    expect(parsed.assumed).toEqual(
      expect.arrayContaining([
        'left out: "tomorrow", which names no date; add "Date: 2026-03-02"',
        'left out: distance "4200", not understood; write one number, such as “Distance: 1.2 km”',
        'Missing: date, so opening hours are not judged; add "Date: 2026-03-02"',
      ]),
    );
  });

  it('of one line of a log with a venue under an unknown key', () => {
    const parsed = caseOf(
      '{"session":"x1","ts":"2024-03-04T20:35:01Z","turns":[{"speaker":"driver","text":"burgers?"},{"speaker":"car","text":"Burger Joint, 900 m away.","latency_ms":1430}],"meta":{"gps":"48.137,11.575","local_time":"20:35","day":"Monday"},"result":{"name":"Burger Joint","price_level":1}}',
    );
    expect(parsed.case).toEqual({
      conversation: [{ role: 'user', text: 'burgers?' }],
      response: 'Burger Joint, 900 m away.',
      context: { date: '2024-01-01', time: '20:35', location: { latitude: 48.137, longitude: 11.575 } },
      latencyMs: 1430,
    });
    expect(parsed.assumed).toContain(
      'not used: session, ts (the log\'s time is not the user\'s: add "Date: 2024-03-04" and "Time: 20:35" if that was the moment of the request), result',
    );
  });

  it('that a user has the last word in is judged by the last turn of the system, and that is said', () => {
    const parsed = caseOf(`USER  8:35 PM
a mid-priced korean bbq, at least 4.2?
BOT  8:35 PM
Sure thing! Here's what I found:
*Name*: Seoul Kitchen
*Price*: $$
Want me to start guidance?
USER  8:36 PM
no thanks`);
    expect(parsed.case.conversation).toHaveLength(1);
    expect(parsed.unsure?.text).toBe('Want me to start guidance?');
    expect(parsed.case.recommendation).toEqual({ name: 'Seoul Kitchen', cost: 'medium' });
    expect(parsed.assumed).toContain('left out: 1 turn after the one to judge');
  });

  it('with context before, several attributes a line, and a remark that is none of them', () => {
    const parsed = caseOf(`User: Find me a high-end French restaurant
Location: 52.53, 13.41 (Prenzlauer Berg, Berlin)
Date: Mon, 04 Mar 2024
Time: 20:35

System: I recommend "Chez Luc".
Venue: Chez Luc
Location: 52.54, 13.42
Cuisine: French; Cost: high; Rating: 4.6
Distance: 1.2 km | Drive: 6 min
Opening hours: Mon 12:00-20:00, Tue 12:00-14:30 & 18:00-01:00, Sun closed
Notes: reservation needed`);
    expect({ case: parsed.case, assumed: parsed.assumed }).toEqual({
      case: {
        conversation: [{ role: 'user', text: 'Find me a high-end French restaurant' }],
        response: 'I recommend "Chez Luc".',
        context: {
          date: '2024-03-04',
          time: '20:35',
          location: { latitude: 52.53, longitude: 13.41, description: 'Prenzlauer Berg, Berlin' },
        },
        recommendation: {
          name: 'Chez Luc',
          location: { latitude: 52.54, longitude: 13.42 },
          cuisine: 'French',
          cost: 'high',
          rating: 4.6,
          distanceKm: 1.2,
          durationMin: 6,
          openingHours: { monday: '12:00-20:00', tuesday: '12:00-14:30, 18:00-01:00', sunday: 'closed' },
        },
      },
      assumed: [
        'left out: text that may be part of the response, or a remark about it ("Notes: reservation needed")',
      ],
    });
  });
});
