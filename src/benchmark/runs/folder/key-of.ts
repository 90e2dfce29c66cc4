/** The key of a line, trial or verdict, without reading all of it: both begin with it. */
export const keyOf = (line: string): string => /^\{"key":"([^"]*)"/.exec(line)?.[1] ?? '';
