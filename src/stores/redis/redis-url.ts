import { JuryError } from '../../common/index.ts';

interface Login {
  username?: string;
  password?: string;
}
interface RedisNode {
  host: string;
  port: number;
}

export type RedisTarget = { login: Login; tls: boolean; db: number } & (
  | { kind: 'single'; node: RedisNode }
  | { kind: 'socket'; path: string }
  | { kind: 'sentinel'; nodes: RedisNode[]; name: string }
  | { kind: 'cluster'; nodes: RedisNode[] }
);

const redisUrlForms =
  'redis://[user:password@]host[:6379][/db], rediss:// (TLS), unix:///path[?db=n], redis+sentinel://host[:26379],host…/name[/db] or redis+cluster://host[:6379],host…';

const form =
  /^(?:(?<scheme>rediss?)(?:\+(?<kind>sentinel|cluster))?|(?<unix>unix)):\/\/(?:(?<login>[^/]*)@)?(?<hosts>[^/?#]*)(?<path>\/[^?#]*)?(?:\?(?<query>[^#]*))?$/;

const wrong = (what: string) => new JuryError('config', `REDIS_URL: ${what}; write ${redisUrlForms}`);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong('write % as %25');
  }
}

function readLogin(text: string | undefined): Login {
  if (text === undefined) return {};
  const colon = text.indexOf(':');
  const [username, password] = colon < 0 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)];
  return {
    ...(username === '' ? {} : { username: decoded(username) }),
    ...(password === '' ? {} : { password: decoded(password) }),
  };
}

function readNode(text: string, defaultPort: number): RedisNode {
  const address = /^(?:\[(?<ipv6>[\da-f:.]+)\]|(?<name>[^:[\]\s]+))(?::(?<digits>\d{1,5}))?$/i.exec(
    text,
  )?.groups;
  const host = address?.ipv6 ?? address?.name;
  const port = address?.digits === undefined ? defaultPort : Number(address.digits);
  if (host === undefined || port < 1 || port > 65_535) throw wrong('a host or port is invalid');
  return { host, port };
}

function readDb(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw wrong('the database must be a number');
  return Number(text);
}

/**
 * Parses REDIS_URL. With several hosts, as for Sentinel and Cluster, it is not a standard URL.
 *
 * @throws JuryError `config`; the message omits the URL, which may contain a password
 */
export function parseRedisUrl(url: string): RedisTarget {
  const parts = form.exec(url.trim())?.groups;
  if (parts === undefined) throw wrong('the form is unknown');
  const { scheme, kind, unix, login, hosts = '', path = '' } = parts;
  const base = { login: readLogin(login), tls: scheme === 'rediss' };
  const steps = path
    .split('/')
    .slice(1)
    .filter((step) => step !== '');
  if (unix !== undefined) {
    const db = new URLSearchParams(parts.query).get('db');
    if (hosts !== '' || path === '')
      throw wrong('a socket needs an absolute path, as in unix:///run/redis.sock');
    return { ...base, kind: 'socket', path: decoded(path), db: db === null ? 0 : readDb(db) };
  }
  const nodes = hosts.split(',').map((host) => readNode(host, kind === 'sentinel' ? 26_379 : 6379));
  if (kind === 'cluster') {
    if (steps.length > 0) throw wrong('a cluster has no databases');
    return { ...base, kind, nodes, db: 0 };
  }
  if (kind === 'sentinel') {
    const [name, db = '0', ...more] = steps;
    if (name === undefined || more.length > 0)
      throw wrong('Sentinel needs the name of the master after the hosts');
    return { ...base, kind, nodes, name: decoded(name), db: readDb(db) };
  }
  const [node, ...others] = nodes;
  const [db = '0', ...more] = steps;
  if (node === undefined || others.length > 0 || more.length > 0)
    throw wrong('several hosts need redis+sentinel:// or redis+cluster://');
  return { ...base, kind: 'single', node, db: readDb(db) };
}

/** A target without its login, for messages. */
export function whereIs(target: RedisTarget): string {
  switch (target.kind) {
    case 'socket':
      return target.path;
    case 'single':
      return `${target.node.host}:${target.node.port}`;
    case 'sentinel':
    case 'cluster':
      return target.nodes.map(({ host, port }) => `${host}:${port}`).join(', ');
  }
}
