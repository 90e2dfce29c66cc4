import { squeeze, stripQuotes } from './clean-text.ts';

const itemOf = (item: unknown): string => {
  if (typeof item === 'object' && item !== null && 'name' in item) return itemOf(item.name);
  return typeof item === 'string' ? stripQuotes(squeeze(item).replace(/^[-•*–·] /, '')) : '';
};

function split(text: string): string[] {
  const bare = text.trim();
  const list = bare.startsWith('[') && bare.endsWith(']') ? bare.slice(1, -1) : bare;
  if (list.includes('\n')) return list.split('\n').flatMap((line) => line.split(';'));
  return list.split(list.includes(';') ? ';' : ',');
}

/** Items from a list, from bullets, one a line, or separated by commas or semicolons. Null where there are none. */
export function readItems(value: unknown): string[] | null {
  const items = Array.isArray(value) ? value : typeof value === 'string' ? split(value) : [];
  const named = items.map(itemOf).filter((item) => item !== '');
  return named.length === 0 ? null : named;
}
