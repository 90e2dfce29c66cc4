// What Slack refuses, as far as the Block Kit pages of docs.slack.dev say it, in numbers of their own: a test that took
// the program's numbers would agree with whatever they are.

type Json = Record<string, unknown>;
const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isJson) : []);
const textOf = (value: unknown): string =>
  isJson(value) && typeof value.text === 'string' ? value.text : '';

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
  const length = [...objectsIn(block)].reduce(
    (sum, { text }) => sum + (typeof text === 'string' ? text.length : 0),
    0,
  );
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
  const initial = [
    ...list(element.initial_options),
    ...(isJson(element.initial_option) ? [element.initial_option] : []),
  ];
  return [
    ...(options.length === 0 ? ['select without options'] : []),
    ...(groups.length === 0 && options.length > 100 ? [`${options.length} options`] : []),
    ...(new Set(values).size < values.length ? ['options with the same value'] : []),
    ...options.filter((option) => textOf(option.text).length > 75).map(() => 'option text over 75'),
    ...values.filter((value) => value.length > 150).map(() => 'option value over 150'),
    ...initial
      .filter((option) => !known.has(JSON.stringify(option)))
      .map(() => 'initial option is not offered'),
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
        ...(textOf(element.text).length > 75 ? ['button text over 75'] : []),
        ...(String(element.value).length > 2000 ? ['button value over 2000'] : []),
      ];
    case 'static_select':
    case 'multi_static_select':
      return selectProblems(element);
    case 'radio_buttons':
      return [
        ...selectProblems(element),
        ...(list(element.options).length > 10 ? ['more than 10 radio buttons'] : []),
      ];
    case 'plain_text_input':
      return String(element.initial_value ?? '').length > 3000 ? ['initial value over 3000'] : [];
    default:
      return [];
  }
}

function containerProblems(block: Json): string[] {
  const children = list(block.child_blocks);
  const may = ['actions', 'context', 'divider', 'header', 'image', 'input', 'rich_text', 'section', 'table'];
  return [
    ...(children.length < 1 || children.length > 10 ? [`container of ${children.length} blocks`] : []),
    ...children.filter(({ type }) => !may.includes(String(type))).map(({ type }) => `${type} in a container`),
    ...(textOf(block.title).length > 150 ? ['container title over 150'] : []),
  ];
}

function dataTableProblems(block: Json): string[] {
  const rows = Array.isArray(block.rows) ? block.rows.map(list) : [];
  const length = rows.flat().reduce((sum, cell) => sum + String(cell.text).length, 0);
  return [
    ...(typeof block.caption === 'string' && block.caption !== '' ? [] : ['data_table without caption']),
    ...(rows.length < 2 || rows.length > 101 ? [`data_table of ${rows.length} rows`] : []),
    ...(rows.some((row) => row.length > 20 || row.length !== rows[0]?.length) ? ['data_table columns'] : []),
    ...(rows.flat().some(({ text }) => typeof text !== 'string' || text === '') ? ['empty table cell'] : []),
    ...(length > 10_000 ? [`data_table of ${length} characters`] : []),
  ];
}

function chartProblems(block: Json): string[] {
  const chart = isJson(block.chart) ? block.chart : {};
  const axis = isJson(chart.axis_config) ? chart.axis_config : {};
  const categories = Array.isArray(axis.categories) ? axis.categories : [];
  const series = list(chart.series);
  const names = series.map(({ name }) => String(name));
  return [
    ...(String(block.title).length > 50 ? ['chart title over 50'] : []),
    ...(series.length < 1 || series.length > 6 ? [`chart of ${series.length} series`] : []),
    ...(new Set(names).size < names.length || names.some((name) => name.length > 20) ? ['series names'] : []),
    ...series.flatMap(({ data }) => {
      const points = list(data);
      const known = points.every(
        ({ label, value }) => categories.includes(label) && typeof value === 'number',
      );
      return points.length < 1 || points.length > 20 || !known ? ['points of a series'] : [];
    }),
  ];
}

function blockProblems(block: Json): string[] {
  const elements = list(block.elements);
  const actionIds = elements.flatMap(({ action_id }) => (typeof action_id === 'string' ? [action_id] : []));
  const repeated =
    new Set(actionIds).size < actionIds.length ? [`an action id twice in one ${block.type}`] : [];
  switch (block.type) {
    case 'header':
      return textOf(block.text).length > 150 ? ['header over 150'] : [];
    case 'section':
      return textOf(block.text).length > 3000 ? ['section over 3000'] : [];
    case 'context':
      return elements.length < 1 || elements.length > 10 ? [`context with ${elements.length} elements`] : [];
    case 'actions':
      return [
        ...repeated,
        ...(elements.length < 1 || elements.length > 25 ? [`actions with ${elements.length}`] : []),
      ];
    case 'context_actions':
      return elements.length > 5 ? [`context_actions with ${elements.length} elements`] : [];
    case 'container':
      return containerProblems(block);
    case 'rich_text':
      return richTextProblems(block);
    case 'data_table':
      return dataTableProblems(block);
    case 'data_visualization':
      return chartProblems(block);
    case 'image':
      return typeof block.alt_text === 'string' && block.alt_text !== '' && block.alt_text.length <= 2000
        ? []
        : ['image without a description of at most 2000'];
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
    Object.entries(object).flatMap(([key, inner]) =>
      KEYS.has(key) && typeof inner === 'string' ? [inner] : [],
    ),
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
    ...(message.text === '' || message.text.length > 4000
      ? [`text of ${message.text.length} characters`]
      : []),
  ];
}

/** What Slack would refuse of a modal or an App Home; empty where it would take it. */
export function viewProblems(view: unknown): string[] {
  if (!isJson(view)) return ['no view'];
  const inputs = list(view.blocks).some(({ type }) => type === 'input');
  return [
    ...blocksProblems(view.blocks, 100),
    ...['title', 'submit', 'close']
      .filter((key) => textOf(view[key]).length > 24)
      .map((key) => `${key} over 24`),
    ...(view.type === 'modal' && textOf(view.title) === '' ? ['modal without title'] : []),
    ...(view.type === 'modal' && inputs && textOf(view.submit) === '' ? ['inputs without submit'] : []),
    ...(String(view.private_metadata ?? '').length > 3000 ? ['private_metadata over 3000'] : []),
    ...(JSON.stringify(view).length > 250_000 ? ['view over 250 kB'] : []),
  ];
}

const LOUD_ELEMENTS = ['user', 'usergroup', 'broadcast', 'channel', 'team', 'emoji'];

function loudObject(object: Json, links: readonly string[]): string[] {
  const { type, emoji, url } = object;
  return [
    ...(type === 'mrkdwn' || type === 'markdown' ? [`${type} is read for marks`] : []),
    ...(type === 'plain_text' && emoji !== false ? ['plain text with emoji codes'] : []),
    ...(LOUD_ELEMENTS.includes(String(type)) ? [`a ${type} element`] : []),
    ...(url !== undefined && !links.includes(String(url)) ? ['an address'] : []),
  ];
}

const loudText = (text: string): string[] => [
  ...(text.isWellFormed() ? [] : ['half of a character']),
  ...(/[\u202a-\u202e\u2066-\u2069\u200e\u200f\u200b\u200c\ufeff]/u.test(text)
    ? ['an invisible character']
    : []),
];

/** Ways in which a top-level `text`, which Slack reads for marks, would be more than text. */
const loudFallback = (text: string): string[] => [
  ...(/[<>]|&(?!amp;|lt;|gt;)/.test(text) ? ['an unescaped mark in the text'] : []),
  ...(/@(?:channel|here|everyone)\b/i.test(text) ? ['a call of the whole channel'] : []),
  ...(text.includes('://') ? ['an address'] : []),
];

/**
 * Ways in which a message or view would let Slack read something into text from outside; empty where there are none.
 *
 * @param links addresses that may be linked
 */
export const loudness = (payload: unknown, links: readonly string[] = []): string[] => [
  ...[...objectsIn(payload)].flatMap((object) => loudObject(object, links)),
  ...textsIn(payload).flatMap(loudText),
  ...(isJson(payload) && typeof payload.text === 'string' ? loudFallback(payload.text) : []),
];
