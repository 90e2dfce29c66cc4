/** A case that the exact checks fail, for its rating. */
export const PASTE = `User: Find me a sushi place rated at least 4.5
System: Sakura is five minutes away and rated 4.3.
Name: Sakura
Cuisine: Japanese
Rating: 4.3`;

/** A case that the exact checks pass. */
export const GOOD_PASTE = `User: Find me a sushi place rated at least 4
System: Sakura is five minutes away and rated 4.3.
Name: Sakura
Cuisine: Japanese
Rating: 4.3
Duration: 5 min`;

/** A line below the answer of {@link UNSURE} that may belong to it; with it, the checks come to another outcome. */
export const UNSURE_LINE = 'I think the rating is 3.1 in reality';

const withLine = (line: string): string => GOOD_PASTE.replace(' and rated 4.3.', `.\n${line}`);

/** A case whose outcome depends on whether a line belongs to the answer. */
export const UNSURE = withLine(UNSURE_LINE);

/** A line below the answer of {@link UNSURE_ALIKE} that may belong to it, and about which no check has anything to say. */
export const ALIKE_LINE = 'I think you should stop soon.';

/** A case whose outcome is the same with and without a line that may belong to the answer. */
export const UNSURE_ALIKE = withLine(ALIKE_LINE);

/** A case in which the exact checks can check every criterion, and which they pass. */
export const CHECKABLE = `Time: 2024-06-14 19:10
User: Find me a mid-range Thai place nearby, rated at least 4.3.
System: Krua Nok is about eight minutes away, a moderately priced Thai kitchen with 4.5 stars.
Name: Krua Nok
Cuisine: Thai
Menu: Pad kra pao, Massaman curry, Som tam
Cost: medium
Rating: 4.5
Opening hours: Mon-Sat 11:30-23:00; Sun closed
Distance: 2.1 km
Duration: 8 min`;
