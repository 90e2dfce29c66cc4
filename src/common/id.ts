import * as z from 'zod';

/** Ids become file names, JSON keys and parts of URLs. */
export const Id = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'must be lower-case letters, digits and hyphens');
