import * as z from 'zod';
import type { RunManifest } from '../../benchmark/index.ts';
import { groupedBy } from '../../common/index.ts';
import { grouped } from '../../common/text/index.ts';
import { NO_ERROR } from '../../labels/index.ts';
import { type Estimate, fixed, NONE, type ReportMeasure, rangeText } from '../estimates/index.ts';
import { criterionOf, plain, type ReportTable, type SetupReport } from '../metrics/index.ts';
import {
  numberIn,
  type PublishedTable,
  plainModel,
  publishedSettings,
  publishedTables,
} from './published-tables.ts';

const metrics = [
  'f1',
  'precision',
  'recall',
  'accuracy',
  'kappa',
  'spearman',
  'kendall',
  'tokens',
  'seconds',
  'secondsPerToken',
] as const;

/** How a paper measured some figures of a table: a run must match it to be compared with them. */
const Setting = z.strictObject({
  table: z.string(),
  /** Several, if cases are judged by each, are separated by `, `. */
  rubric: z.string(),
  /** The kind of data in words, and the labels by which a run shows that it has such data. */
  data: z.string(),
  labels: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.enum(['errors', 'criteria']), of: z.array(z.string()) }),
    z.strictObject({ kind: z.literal('scores') }),
  ]),
  /** Methods by the paper's names in one of the first two columns; or one method for all rows. */
  methods: z.record(z.string(), z.array(z.string())).optional(),
  method: z.string().optional(),
  /** The models of all rows; if absent, the first column names them. */
  models: z.string().optional(),
  /** Personas instead of the rubric's. */
  panel: z.array(z.string()).optional(),
  /** Absent: the paper states none. */
  temperature: z.number().optional(),
  /** The rows, by their first column; default all. */
  rows: z.array(z.string()).optional(),
  /** A row of several models that vote. */
  together: z.strictObject({ row: z.string(), method: z.string(), models: z.string() }).optional(),
  /** Criteria by the paper's names in the first column. */
  criteria: z.record(z.string(), z.string()).optional(),
  figures: z.array(
    z.strictObject({
      column: z.string(),
      metric: z.enum(metrics),
      /** Default: the only criterion with labels. */
      criterion: z.string().optional(),
      temperature: z.number().optional(),
    }),
  ),
});
type Setting = z.infer<typeof Setting>;

/** Settings with what they have in common. */
const Settings = z
  .looseObject({ of: z.array(z.record(z.string(), z.unknown())) })
  .transform(({ of, ...common }) => of.map((own) => Setting.parse({ ...common, ...own })));

/** One number that a paper prints, and how it was measured. */
interface Figure extends Pick<Setting, 'rubric' | 'data' | 'labels'> {
  table: PublishedTable;
  row: number;
  metric: (typeof metrics)[number];
  criterion: string | null;
  /** Shares from 0 to 1. */
  value: number;
  methods: readonly string[];
  models: string;
  /** The same as `plainModels` writes them. */
  seats: string;
  panel: readonly string[] | null;
  temperature: number | null;
  /** Whether the paper contradicts itself in this row. */
  doubtful: boolean;
}

/** `5x GPT-4` are five seats of one model; a panel of one model alone is that model. */
function plainModels(models: readonly string[]): string {
  const seats = models.flatMap((model) => {
    const [, times = '1', name = model] = /^(\d)x (.+)$/.exec(model) ?? [];
    return Array<string>(Number(times)).fill(plainModel(name));
  });
  const alone = new Set(seats).size === 1 ? seats.slice(0, 1) : seats;
  return alone.sort().join(', ');
}

function figuresOf(setting: Setting): Figure[] {
  const { rubric, data, labels, together, panel = null } = setting;
  const table = publishedTables.find(({ id }) => id === setting.table);
  const [only, ...others] = labels.kind === 'criteria' ? labels.of : [];
  const about = others.length === 0 ? (only ?? null) : null;
  return (table?.rows ?? []).flatMap((cells, row) => {
    const [first = '', second = ''] = cells.map(String);
    const judges = together?.row === first ? together : setting;
    const named = setting.methods?.[second] ?? setting.methods?.[first];
    const methods = named ?? (judges.method === undefined ? [] : [judges.method]);
    const models = judges.models ?? first;
    const seats = plainModels(models.split(', '));
    if (table === undefined || setting.rows?.includes(first) === false || methods.length === 0) return [];
    return setting.figures.flatMap(({ column, metric, criterion, ...figure }): Figure[] => {
      const value = numberIn(table, row, column);
      if (value === null) return [];
      const { unit } = table.columns.find(({ id }) => id === column) ?? {};
      return [
        {
          ...{ table, row, rubric, data, labels, metric, methods, panel },
          criterion: criterion ?? setting.criteria?.[first] ?? about,
          // Rounded, because dividing by 100 leaves floating-point errors.
          value: unit === 'percent' ? Number((value / 100).toPrecision(12)) : value,
          models,
          seats,
          temperature: figure.temperature ?? setting.temperature ?? null,
          doubtful: table.contradictions.some((one) => one.row === row),
        },
      ];
    });
  });
}

const figures: readonly Figure[] = z.array(Settings).parse(publishedSettings).flat().flatMap(figuresOf);

/** The models that a table has figures for, by the table's id. */
const seatsByTable = new Map(
  [...groupedBy(figures, ({ table }) => table.id)].map(([id, measured]) => [
    id,
    new Set(measured.map(({ seats }) => seats)),
  ]),
);

/** The judges' temperature; a method's own is only in the id. */
function temperatureOf({ id, temperature }: SetupReport): number | null {
  const [, own] = / t(\d+(?:\.\d+)?)(?= |$)/.exec(id) ?? [];
  return temperature ?? (own === undefined ? null : Number(own));
}

function hasLabels({ categories, criteria, scores }: SetupReport, labels: Figure['labels']) {
  const errors = categories.map(({ category }) => category).filter((one) => one !== NO_ERROR);
  const isScored = criteria.some((one) => (one.scores?.against ?? null) !== null);
  switch (labels.kind) {
    case 'errors':
      return errors.length > 0 && errors.every((one) => labels.of.includes(one));
    case 'criteria':
      return labels.of.every((id) => criteria.some((one) => one.id === id && one.accuracy !== null));
    case 'scores':
      return isScored || (scores?.against ?? null) !== null;
  }
}

/** What says how a run was judged. */
interface Measured {
  run: RunManifest;
}

const panelOf = (personas: readonly string[] | null): string => personas?.join(', ') ?? 'of the rubric';

/**
 * How a setup's way of judging differs from the one that a figure was measured with; empty if it does not.
 * @param seats its models, as `plainModels` writes them
 */
function differences({ run }: Measured, setup: SetupReport, seats: string, figure: Figure): string[] {
  const { method, models, equalCallsOf } = setup;
  const temperature = temperatureOf(setup);
  const { panel } = run.settings;
  // One criterion of several rubrics in a run is judged by its own alone.
  const isSame =
    run.rubrics.join(', ') === figure.rubric ||
    (figure.criterion !== null && run.rubrics.includes(figure.rubric));
  const differ = (what: string, own: string | null, theirs: string, same: boolean): string[] =>
    same ? [] : [`${what} ${own ?? 'unknown'}, not ${theirs}`];
  const isKnown = seatsByTable.get(figure.table.id)?.has(seats) === true;
  const theirs = isKnown ? figure.models : 'one of the table’s';
  return [
    ...differ('rubric', run.rubrics.join(', '), figure.rubric, isSame),
    ...(hasLabels(setup, figure.labels) ? [] : [`data other than ${figure.data}`]),
    ...(equalCallsOf === null
      ? differ('method', method, figure.methods.join(' or '), figure.methods.includes(method))
      : ['a vote with equal calls']),
    ...differ('model', models.join(' + '), theirs, seats === figure.seats),
    ...differ('panel', panelOf(panel), panelOf(figure.panel), panelOf(panel) === panelOf(figure.panel)),
    ...differ(
      'temperature',
      temperature === null ? null : String(temperature),
      String(figure.temperature),
      figure.temperature === null || figure.temperature === temperature,
    ),
  ];
}

/** The figures that were measured as a setup was, or else how the nearest one differs. */
export function publishedFor(
  report: Measured,
  setup: SetupReport,
): { figures: readonly Figure[]; nearest: Figure | null; differs: readonly string[] } {
  const seats = plainModels(setup.models);
  const compared = figures.map((figure) => ({ figure, differs: differences(report, setup, seats, figure) }));
  const same = compared.filter(({ differs }) => differs.length === 0).map(({ figure }) => figure);
  const [nearest] = compared.sort((a, b) => a.differs.length - b.differs.length);
  return { figures: same, nearest: nearest?.figure ?? null, differs: nearest?.differs ?? [] };
}

const value = (measure: ReportMeasure): Estimate => ({
  measure,
  interval: { defined: false, n: measure.n, why: '' },
});

/** A setup's own value of a figure's metric. */
function ownOf(setup: SetupReport, { metric, criterion }: Figure): Estimate | null {
  const { effectiveness, agreement, efficiency, scores } = setup;
  const report = criterion === null ? null : (criterionOf(setup, criterion) ?? null);
  const against = (criterion === null ? scores : report?.scores)?.against ?? null;
  switch (metric) {
    case 'accuracy':
      return criterion === null ? effectiveness.accuracy : (report?.accuracy ?? null);
    case 'kappa':
      return criterion === null ? agreement.labels : (report?.kappa ?? null);
    case 'spearman':
      return against?.spearman ?? null;
    case 'kendall':
      return against === null ? null : value(against.kendall);
    case 'tokens':
      return value(efficiency.tokens.mean);
    case 'seconds': {
      const { mean } = efficiency.sequentialMs;
      return value(mean.defined ? { ...mean, value: mean.value / 1000 } : mean);
    }
    case 'secondsPerToken':
      return value(efficiency.secondsPerToken);
    default:
      return effectiveness[metric];
  }
}

const digitsOf = (metric: Figure['metric']): number =>
  metric === 'tokens' ? 0 : metric === 'seconds' ? 1 : metric === 'secondsPerToken' ? 4 : 3;

const nameOf = ({ table: { paper, table } }: Figure): string => `${paper.split(',')[0]}, ${table}`;

const DAGGER = ' †';

/** The papers' figures next to those of setups that judged the same way, and what differs for the others. */
export function publishedTable(report: Measured & { setups: readonly SetupReport[] }): ReportTable {
  const rows = report.setups.flatMap((setup): ReportTable['rows'][number][] => {
    const { figures: same, nearest, differs } = publishedFor(report, setup);
    if (same.length === 0) {
      const texts = [nearest === null ? NONE : nameOf(nearest), differs.join('; '), NONE, NONE];
      return [{ head: setup, cells: texts.map((text) => plain(text)) }];
    }
    return same.map((figure) => {
      const [own, digits] = [ownOf(setup, figure), digitsOf(figure.metric)];
      const range = own?.interval.defined === true ? rangeText(own.interval, digits) : undefined;
      const what = [figure.metric, ...(figure.criterion === null ? [] : [figure.criterion])].join(' ');
      return {
        head: setup,
        cells: [
          plain(`${nameOf(figure)}: ${what}`),
          plain('its own cases'),
          plain(own === null ? NONE : fixed(own.measure, digits), range),
          plain(`${figure.value.toFixed(digits)}${figure.doubtful ? DAGGER : ''}`),
        ],
      };
    });
  });
  const hasFigures = rows.some(({ cells }) => cells.at(-1)?.text !== NONE);
  const used = rows.some(({ cells }) => cells.some(({ text }) => text.endsWith(DAGGER)));
  return {
    title: 'Beside the papers',
    head: 'Configuration',
    columns: [
      { title: 'Figure' },
      { title: 'What differs' },
      ...(hasFigures ? [{ title: 'This run', notes: '95 %' }, { title: 'Paper' }] : []),
    ],
    rows: hasFigures ? rows : rows.map(({ head, cells }) => ({ head, cells: cells.slice(0, 2) })),
    note: `A paper’s figure stands only beside the same rubric, kind of data, method, models and temperature (any, where the paper states none); else the nearest of ${grouped(figures.length)} figures is named with what differs. Papers measured on their own cases.${used ? ' † The paper contradicts itself here: see "jury bench published".' : ''}`,
  };
}
