import { counted, plainLine } from '../../common/text/index.ts';
import { type Build, brokenBy, turnsOf } from './build.ts';
import { caseLine, headlineOf } from './build-words.ts';

/** CI systems that show messages at lines of files. */
export type AnnotationForm = 'github' | 'azure';

interface Annotation {
  level: 'error' | 'warning';
  title: string;
  text: string;
  at: { file: string; line: number | null } | null;
}

/** CI systems show no more of a job. */
const MAX_ANNOTATIONS = 50;

/**
 * What to show where: the outcome of the gate, then each case that broke it, or newly wrong within what is allowed, at its line of the
 * dataset. The last one counts those that there is no room for.
 */
function annotationsOf(build: Build): Annotation[] {
  const level: Annotation['level'] = build.passes ? 'warning' : 'error';
  const named = build.passes ? turnsOf(build)['now wrong'] : brokenBy(build);
  const whole = (text: string): Annotation => ({ level, title: 'Jury', text, at: null });
  const first = build.passes ? [] : [whole(headlineOf(build))];
  const room = MAX_ANNOTATIONS - first.length;
  const shown = named.length > room ? named.slice(0, room - 1) : named;
  const rest = named.length - shown.length;
  return [
    ...first,
    ...shown.map((one) => ({
      level,
      title: `Jury: ${one.turn}`,
      text: caseLine(build, one),
      at: build.placeOf(one),
    })),
    ...(rest === 0 ? [] : [whole(`and ${counted(rest, 'other case')}, in the summary`)]),
  ];
}

/** Replaces what would end a message or a property, so that no pasted text can give a command of its own. */
const escaper =
  (codes: Readonly<Record<string, string>>, signs: RegExp) =>
  (text: string): string =>
    plainLine(text).replaceAll(signs, (sign) => codes[sign] ?? '');

const gitHubText = escaper({ '%': '%25' }, /%/g);
const gitHubValue = escaper({ '%': '%25', ':': '%3A', ',': '%2C' }, /[%:,]/g);
const azureText = escaper({ '%': '%AZP25' }, /%/g);
const azureValue = escaper({ '%': '%AZP25', ';': '%3B', ']': '%5D' }, /[%;\]]/g);

const commands: Readonly<Record<AnnotationForm, (one: Annotation) => string>> = {
  github: ({ level, title, text, at }) => {
    const where =
      at === null ? [] : [`file=${gitHubValue(at.file)}`, ...(at.line === null ? [] : [`line=${at.line}`])];
    return `::${level} ${[...where, `title=${gitHubValue(title)}`].join(',')}::${gitHubText(text)}`;
  },
  azure: ({ level, text, at }) => {
    const where =
      at === null
        ? ''
        : `sourcepath=${azureValue(at.file)};${at.line === null ? '' : `linenumber=${at.line};columnnumber=1;`}`;
    return `##vso[task.logissue type=${level};${where}]${azureText(text)}`;
  },
};

/** A build as commands that a CI system reads from a job's output, a line each. */
export const annotationLines = (build: Build, form: AnnotationForm): string[] =>
  annotationsOf(build).map(commands[form]);
