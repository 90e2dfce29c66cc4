/**
 * What Slack refuses, as far as its reference says it, in numbers of its own: the Block Kit pages of docs.slack.dev. Used
 * by tests, and by the double of Slack, to refuse a message or view the way Slack would.
 */
const TEXTS: Record<string, number> = { header: 150, button: 75, section: 3000, context: 3000, title: 24 };

type Json = Record<string, unknown>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isJson) : []);
const textOf = (value: unknown): string => (isJson(value) && typeof value.text === 'string' ? value.text : '');

/** Every object in a value, depth first. */
function* objectsIn(value: unknown): Generator<Json> {
  if (Array.isArray(value)) for (const item of value) yield* objectsIn(item);
  else if (isJson(value)) {
    yield value;
    for (const inner of Object.values(value)) yield* objectsIn(inner);
  }
}

function richTextProblems(block: Json): string[] {
  const elements = list(block.elements);
  const length = [...objectsIn(block)].reduce((sum, { text }) => sum + (typeof text === 'string' ? text.length : 0), 0);
  return [
    ...(elements.length === 0 ? ['rich_text without elements'] : []),
    ...elements.filter((element) => list(element.elements).length === 0).map(() => 'empty rich text element'),
    ...(length > 3000 ? [`rich_text of ${length} characters`] : []),
  ];
}

function selectProblems(element: Json): string[] {
  const groups = list(element.option_groups);
  const options = groups.length > 0 ? groups.flatMap((group) => list(group.options)) : list(element.options);
  const values = options.map(({ value }) => String(value));
  const known = new Set(options.map((option) => JSON.stringify(option)));
  const initial = [...list(element.initial_options), ...(isJson(element.initial_option) ? [element.initial_option] : [])];
  return [
    ...(options.length === 0 ? ['select without options'] : []),
    ...(groups.length === 0 && options.length > 100 ? [`${options.length} options`] : []),
    ...(new Set(values).size < values.length ? ['options with the same value'] : []),
    ...options.filter((option) => textOf(option.text).length > 75).map(() => 'option text over 75'),
    ...values.filter((value) => value.length > 150).map(() => 'option value over 150'),
    ...initial.filter((option) => !known.has(JSON.stringify(option))).map(() => 'initial option is not offered'),
  ];
}

function elementProblems(element: Json): string[] {
  switch (element.type) {
    case 'plain_text':
    case 'mrkdwn':
    case 'text':
      return textOf(element) === '' ? [`empty ${element.type}`] : [];
    case 'button':
      return [
        ...(textOf(element.text).length > (TEXTS.button ?? 0) ? ['button text over 75'] : []),
        ...(String(element.value).length > 2000 ? ['button value over 2000'] : []),
      ];
    case 'static_select':
    case 'multi_static_select':
      return selectProblems(element);
    case 'plain_text_input':
      return String(element.initial_value ?? '').length > 3000 ? ['initial value over 3000'] : [];
    default:
      return [];
  }
}

function blockProblems(block: Json): string[] {
  const elements = list(block.elements);
  const actionIds = elements.flatMap(({ action_id }) => (typeof action_id === 'string' ? [action_id] : []));
  const repeated = new Set(actionIds).size < actionIds.length ? [`an action id twice in one ${block.type}`] : [];
  switch (block.type) {
    case 'header':
      return textOf(block.text).length > 150 ? ['header over 150'] : [];
    case 'section':
      return textOf(block.text).length > 3000 ? ['section over 3000'] : [];
    case 'context':
      return elements.length < 1 || elements.length > 10 ? [`context with ${elements.length} elements`] : [];
    case 'actions':
      return [...repeated, ...(elements.length < 1 || elements.length > 25 ? [`actions with ${elements.length}`] : [])];
    case 'context_actions':
      return elements.length > 5 ? [`context_actions with ${elements.length} elements`] : [];
    case 'container': {
      const children = list(block.child_blocks);
      const may = ['actions', 'context', 'divider', 'header', 'image', 'input', 'rich_text', 'section', 'table'];
      return [
        ...(children.length < 1 || children.length > 10 ? [`container of ${children.length} blocks`] : []),
        ...children.filter(({ type }) => !may.includes(String(type))).map(({ type }) => `${type} in a container`),
        ...(textOf(block.title).length > 150 ? ['container title over 150'] : []),
      ];
    }
    case 'rich_text':
      return richTextProblems(block);
    case 'input':
      return textOf(block.label).length > 2000 || textOf(block.label) === '' ? ['input label'] : [];
    default:
      return [`unknown block ${block.type}`];
  }
}

const idProblems = (blocks: readonly Json[]): string[] => {
  const ids = blocks.flatMap(({ block_id }) => (typeof block_id === 'string' ? [block_id] : []));
  return [
    ...(new Set(ids).size < ids.length ? ['a block id twice'] : []),
    ...ids.filter((id) => id.length > 255).map(() => 'block id over 255'),
  ];
};

const KEYS = new Set(['text', 'title', 'initial_value', 'fallback']);

/** All text that would be shown. */
export const textsIn = (value: unknown): string[] =>
  [...objectsIn(value)].flatMap((object) =>
    Object.entries(object).flatMap(([key, inner]) => (KEYS.has(key) && typeof inner === 'string' ? [inner] : [])),
  );

function blocksProblems(value: unknown, most: number): string[] {
  const blocks = list(value);
  const children = blocks.flatMap((block) => list(block.child_blocks));
  return [
    ...(blocks.length > most ? [`${blocks.length} blocks`] : []),
    ...idProblems(blocks),
    ...[...blocks, ...children].flatMap(blockProblems),
    ...[...objectsIn(value)].flatMap(elementProblems),
  ];
}

/** What Slack would refuse of a message; empty where it would take it. */
export function messageProblems(message: { text: string; blocks: unknown }): string[] {
  const length = textsIn(message.blocks).reduce((sum, text) => sum + text.length, 0);
  return [
    ...blocksProblems(message.blocks, 50),
    ...(length > 13_000 ? [`${length} characters in all blocks`] : []),
    ...(message.text === '' || message.text.length > 4000 ? [`text of ${message.text.length} characters`] : []),
  ];
}

/** What Slack would refuse of a modal or an App Home; empty where it would take it. */
export function viewProblems(view: unknown): string[] {
  if (!isJson(view)) return ['no view'];
  const inputs = list(view.blocks).some(({ type }) => type === 'input');
  return [
    ...blocksProblems(view.blocks, 100),
    ...['title', 'submit', 'close'].filter((key) => textOf(view[key]).length > 24).map((key) => `${key} over 24`),
    ...(view.type === 'modal' && textOf(view.title) === '' ? ['modal without title'] : []),
    ...(view.type === 'modal' && inputs && textOf(view.submit) === '' ? ['inputs without submit'] : []),
    ...(String(view.private_metadata ?? '').length > 3000 ? ['private_metadata over 3000'] : []),
    ...(JSON.stringify(view).length > 250_000 ? ['view over 250 kB'] : []),
  ];
}

/** Ways in which a message or view would let Slack read something into text from outside; empty where there are none. */
export function loudness(payload: unknown, links: readonly string[] = []): string[] {
  const found: string[] = [];
  for (const object of objectsIn(payload)) {
    if (object.type === 'mrkdwn' || object.type === 'markdown') found.push(`${object.type} is read for marks`);
    if (object.type === 'plain_text' && object.emoji !== false) found.push('plain text with emoji codes');
    if (['user', 'usergroup', 'broadcast', 'channel', 'team', 'emoji'].includes(String(object.type)) && !('block_id' in object))
      found.push(`a ${object.type} element`);
    if (object.type === 'link' && !links.includes(String(object.url))) found.push('a link');
    if ('url' in object && object.type !== 'link') found.push('an address');
  }
  for (const text of textsIn(payload)) {
    if (!text.isWellFormed()) found.push('half of a character');
    if (/[\u202a-\u202e\u2066-\u2069\u200e\u200f\u200b\u200c\ufeff]/u.test(text)) found.push('an invisible character');
  }
  if (isJson(payload) && typeof payload.text === 'string') {
    if (/[<>]|&(?!amp;|lt;|gt;)/.test(payload.text)) found.push('an unescaped mark in the text');
    if (/@(?:channel|here|everyone)\b/i.test(payload.text)) found.push('a call of the whole channel');
  }
  return found;
}
