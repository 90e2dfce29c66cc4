import * as z from 'zod';

/** Non-empty text. */
export const filled = z
  .string()
  .refine(
    (text) => text.isWellFormed(),
    'contains half of a character (a lone surrogate): paste it again as UTF-8',
  )
  .refine((text) => text.trim() !== '', 'must not be empty');
