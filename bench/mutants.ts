// Which small mistakes in a room no test would notice: npm run bench:mutants -- src/judging [--seed 1] [--count 100]
// Draws places in the room's sources, changes one token at a time in a copy of the checkout, and runs the room's tests that import
// the changed file until one fails. The tests are those in the folder of the same name; --tests a,b names others, files or folders.
// --only verdict.ts:172,verdict-reason.ts:31:9 tries all changes in these places instead of a draw. Lists the changes that survived: each wants
// a test, or makes no difference to a user.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { transform } from 'esbuild';
import { BaseSequencer, createVitest, parseAst, type TestSpecification } from 'vitest/node';
import { createRandom } from '../src/statistics/random.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '100' },
    tests: { type: 'string' },
    only: { type: 'string' },
  },
});
const room = (positionals[0] ?? '').replace(/\/$/, '');
if (!room.startsWith('src/')) throw new Error('Name a folder of the sources, such as src/judging.');
const folders = (values.tests ?? room.replace(/^src/, 'test')).split(',');
const count = Number(values.count);
const only = values.only?.split(',');

/** A change of some text at a place of a file. */
interface Change {
  at: number;
  from: string;
  to: string;
}

type Mutant = Change & { file: string; name: string };

const SWAPPED: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ['<', '<='],
    ['>', '>='],
    ['===', '!=='],
    ['&&', '||'],
    ['+', '-'],
    ['+=', '-='],
    ['*', '/'],
    ['some', 'every'],
    ['min', 'max'],
  ].flatMap(([one = '', other = '']) => [
    [one, other],
    [other, one],
  ]),
);

/** A node of the syntax tree (ESTree) with what is looked at here. */
interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value && 'end' in value;

const nodesBelow = (node: Node): Node[] => [
  node,
  ...Object.values(node).flat().filter(isNode).flatMap(nodesBelow),
];

const isText = (node: unknown): node is Node =>
  isNode(node) && (node.type === 'TemplateLiteral' || typeof node.value === 'string');

/** `.some` and `.every`, `Math.min` and `Math.max`; a schema's `.min` is none of them. */
const hasOpposite = ({ object, property }: Node): boolean =>
  isNode(property) &&
  (property.name === 'some' ||
    property.name === 'every' ||
    (isNode(object) && object.name === 'Math' && property.type === 'Identifier'));

/** The texts of the files as they were at first. */
const sources = new Map(
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => [join(room, name), readFileSync(join(room, name), 'utf8')]),
);
const sourceOf = (file: string): string => sources.get(file) ?? '';

function changesOf(source: string, node: Node): Change[] {
  const swap = (from: unknown, after: number): Change[] => {
    const to = typeof from === 'string' ? SWAPPED[from] : undefined;
    return typeof from !== 'string' || to === undefined
      ? []
      : [{ at: source.indexOf(from, after), from, to }];
  };
  const whole = ({ start, end }: Node, to: string): Change[] => {
    const from = source.slice(start, end);
    return from === to ? [] : [{ at: start, from, to }];
  };
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression':
      return isNode(node.left) ? swap(node.operator, node.left.end) : [];
    case 'UnaryExpression':
      return node.operator === '!' ? [{ at: node.start, from: '!', to: '' }] : [];
    case 'MemberExpression':
      return isNode(node.property) && hasOpposite(node) ? swap(node.property.name, node.property.start) : [];
    case 'Literal':
      if (typeof node.value === 'boolean') return whole(node, String(!node.value));
      return typeof node.value === 'number' ? whole(node, String(node.value + 1)) : [];
    case 'ArrayExpression':
      return whole(node, '[]');
    case 'ReturnStatement':
      return isText(node.argument) ? whole(node.argument, "''") : [];
    case 'ArrowFunctionExpression':
      return isText(node.body) ? whole(node.body, "''") : [];
    default:
      return [];
  }
}

const compiled = async (source: string): Promise<string> => (await transform(source, { loader: 'ts' })).code;

function mutantsOf(file: string): Mutant[] {
  const source = sourceOf(file);
  const shown = (text: string): string =>
    (text.length > 40 ? `${text.slice(0, 40)}…` : text).replaceAll(/\s+/g, ' ');
  return parseAst(source, { lang: 'ts' })
    .body.flatMap((statement) => (isNode(statement) ? nodesBelow(statement) : []))
    .flatMap((node) => changesOf(source, node))
    .map((change) => {
      const before = source.slice(0, change.at).split('\n');
      const place = `${file}:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
      return { ...change, file, name: `${place} ${shown(change.from)} → ${change.to || 'nothing'}` };
    });
}

const mutated = ({ file, at, from, to }: Mutant): string => {
  const source = sourceOf(file);
  return source.slice(0, at) + to + source.slice(at + from.length);
};

/** False in a type, which is gone once compiled, and where nothing valid comes of it. */
const makesDifference = async (mutant: Mutant): Promise<boolean> => {
  const code = await compiled(mutated(mutant)).catch(() => null);
  return code !== null && code !== (await compiled(sourceOf(mutant.file)));
};

const all = [...sources.keys()].flatMap(mutantsOf);
const chosen: Mutant[] = [];
for (const mutant of createRandom('mutants', Number(values.seed)).shuffled(all)) {
  if (only === undefined ? chosen.length >= count : !only.some((place) => mutant.name.includes(place)))
    continue;
  if (await makesDifference(mutant)) chosen.push(mutant);
}
if (chosen.length === 0) throw new Error(`No change in ${room} is called ${values.only}.`);
console.log(`${chosen.length} of ${all.length} changes in ${room}, tested by ${folders.join(', ')}`);

// The tests read prompts and samples below the folder that they run in, so the whole checkout is copied.
const checkout = process.cwd();
const copy = mkdtempSync(join(tmpdir(), 'jury-mutants-'));
cpSync(checkout, copy, {
  recursive: true,
  filter: (path) => !['node_modules', 'dist', '.git'].includes(basename(path)),
});
symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'));
process.chdir(copy);

class AsGiven extends BaseSequencer {
  override sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(specifications);
  }
}
const vitest = await createVitest('test', {
  root: copy,
  config: join(copy, 'vitest.config.ts'),
  watch: false,
  bail: 1,
  maxWorkers: 1,
  silent: true,
  reporters: [{}],
  sequence: { sequencer: AsGiven },
});

/** How long each file took, and which files failed at a change of which source: the likeliest and the quickest come first. */
const took = new Map<string, number>();
const failedAt = new Map<string, number>();
const byPromise =
  (file: string | null) =>
  (a: TestSpecification, b: TestSpecification): number => {
    const failures = ({ moduleId }: TestSpecification) => failedAt.get(`${file} ${moduleId}`) ?? 0;
    const duration = ({ moduleId }: TestSpecification) => took.get(moduleId) ?? 0;
    return failures(b) - failures(a) || duration(a) - duration(b);
  };

/** The tests that import the file, directly or not; before any change (null) all tests. */
async function testsOf(file: string | null): Promise<TestSpecification[]> {
  if (file !== null) vitest.config.related = [join(copy, file)];
  const found = await vitest.getRelevantTestSpecifications(folders);
  return found
    .filter(({ moduleId }) => folders.some((folder) => moduleId.startsWith(join(copy, folder))))
    .toSorted(byPromise(file));
}

const NO_LIMIT = 2 ** 31 - 1;

/** The first test file that fails, null if all pass. What does not end in time fails too. */
async function firstFailure(file: string | null, limitMs: number): Promise<string | null> {
  vitest.state.filesMap.clear();
  const tests = await testsOf(file);
  if (tests.length === 0) return null;
  let isLate = false;
  // The second call ends a process that is busy in a loop.
  const timer = setTimeout(() => {
    isLate = true;
    for (const _ of [1, 2]) void vitest.cancelCurrentRun('test-failure');
  }, limitMs);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(tests, false);
  clearTimeout(timer);
  if (isLate) return 'the limit of time';
  for (const one of testModules) {
    if (!one.ok()) {
      const key = `${file} ${one.moduleId}`;
      failedAt.set(key, (failedAt.get(key) ?? 0) + 1);
      return one.moduleId.slice(copy.length + 1);
    }
    took.set(one.moduleId, one.diagnostic().duration);
  }
  return unhandledErrors.length > 0 ? 'an unhandled error' : null;
}

const survivors: Mutant[] = [];
try {
  const startedAt = performance.now();
  const broken = await firstFailure(null, NO_LIMIT);
  if (broken !== null) throw new Error(`The tests fail without a change: ${broken}.`);
  const limitMs = 3 * (performance.now() - startedAt) + 10_000;
  for (const [index, mutant] of chosen.entries()) {
    const path = join(copy, mutant.file);
    writeFileSync(path, mutated(mutant));
    vitest.invalidateFile(path);
    const failure = await firstFailure(mutant.file, limitMs);
    writeFileSync(path, sourceOf(mutant.file));
    vitest.invalidateFile(path);
    if (failure === null) survivors.push(mutant);
    console.log(`${index + 1} ${mutant.name}: ${failure === null ? 'SURVIVED' : `noticed by ${failure}`}`);
  }
} finally {
  await vitest.close();
  process.chdir(checkout);
  rmSync(copy, { recursive: true, force: true });
}

console.log(`\n${chosen.length - survivors.length} of ${chosen.length} noticed. Survivors:`);
for (const { name, file, at } of survivors.toSorted((a, b) => a.name.localeCompare(b.name))) {
  const source = sourceOf(file);
  const line = source.slice(source.lastIndexOf('\n', at) + 1, source.indexOf('\n', at)).trim();
  console.log(`${name}\n    ${line}`);
}
