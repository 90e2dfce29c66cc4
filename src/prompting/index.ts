/**
 * Loads and checks `prompts/`, renders the questions to a judge, reads the replies. It calls no model. What people pasted stays
 * between markers that the text cannot forge (`fence.ts`). Start reading: `read-library.ts` and `render.ts`.
 */
export { renderVerdictQuestion } from './answer-about-verdict.ts';
export { loadCaseFormat } from './case-fields.ts';
export { exemplarsYaml, requireExemplar, type SavedExemplars, saveExemplars } from './exemplars.ts';
export { controlTokens, fenced, fenceKey } from './fence.ts';
export { contentHash, type Library } from './library.ts';
export { loadLibrary } from './load-library.ts';
export {
  fileAt,
  fileOf,
  filesOf,
  type Problems,
  type PromptFile,
  parseWith,
  parseYaml,
  throwProblems,
  yamlOf,
} from './prompt-files.ts';
export { readLibrary } from './read-library.ts';
export { renderPasteQuestion } from './reading-question.ts';
export { createRenderer, type Prompt } from './render.ts';
export { type SentPrompt, sentPrompts } from './sent-prompts.ts';
