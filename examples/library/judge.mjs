// Judges one answer against what is known of the place, then with other opening hours.
import { judge, parseCase } from 'jury';

const paste = (hours) => `User: Find me a cheap Italian place that is open now
System: Da Mario is Italian, five minutes away and open now.
Date: 2026-03-02
Time: 20:35
Cuisine: Italian
Cost: low
Rating: 4.3
Duration: 5 min
Opening hours: daily ${hours}`;

for (const hours of ['10:00-23:00', '10:00-20:00']) {
  const parsed = parseCase(paste(hours));
  if ('problem' in parsed) throw new Error(parsed.problem);
  const verdict = await judge(parsed.case, { models: ['rules'] });
  console.log(`${verdict.decision}: ${verdict.why}`);
}
