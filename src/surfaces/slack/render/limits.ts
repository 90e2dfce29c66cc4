/** What Slack accepts (docs.slack.dev, Block Kit reference). Lengths in characters. */
export const limits = {
  messageBlocks: 50,
  viewBlocks: 100,
  /** All text of a message's blocks together; beyond about 13,200 Slack answers `msg_blocks_too_long`. */
  messageText: 13_000,
  /** Our own: the most text of one page of a view, so that it stays readable and far from the limit of a view. */
  viewText: 13_000,
  /** Top-level `text`: longer ones are cut by Slack. */
  fallbackText: 4_000,
  blockText: 3_000,
  header: 150,
  contextElements: 10,
  contextText: 2_000,
  actions: 25,
  buttonText: 75,
  value: 2_000,
  id: 255,
  containerTitle: 150,
  containerBlocks: 10,
  viewTitle: 24,
  viewButton: 24,
  privateMetadata: 3_000,
  inputLabel: 2_000,
  inputText: 3_000,
  placeholder: 150,
  optionText: 75,
  optionValue: 150,
  options: 100,
  optionGroups: 100,
  chunkText: 256,
  altText: 2_000,
} as const;
