import { caseFormat } from '../../src/case/format/case-format.ts';
import { loadCaseFormat } from '../../src/prompting/case-fields.ts';
import { builtIn } from './built-in.ts';

/** The words that come with the program. */
export const { words } = loadCaseFormat([builtIn]);

/** A case with the contract's fields alone. */
export const contractFormat = caseFormat([], words);
