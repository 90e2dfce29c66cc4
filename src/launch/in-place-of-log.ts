/**
 * What stands in the program that is built in the place of the log of the `openai` client. That log is off, and yet the client works out
 * at each request what it would say.
 */
const nothing = (): void => {};
const silent = { error: nothing, warn: nothing, info: nothing, debug: nothing };

export const loggerFor = (): typeof silent => silent;
export const parseLogLevel = (): 'off' => 'off';
export const formatRequestDetails = (details: unknown): unknown => details;
