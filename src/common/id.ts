import * as z from 'zod';

/** Ids are file names, go into JSON keys and URLs. */
export const Id = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be lower-case letters, digits and hyphens');
