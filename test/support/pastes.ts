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
