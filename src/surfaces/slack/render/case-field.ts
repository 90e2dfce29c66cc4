import type { EvalCase } from '../../../case/case.ts';
import { type CaseFormat, declaredFields } from '../../../case/case-format.ts';
import { pathOfField } from '../../../case/field.ts';
import { capitalized, exampleOf, labelOf } from './declared-field.ts';

/** How a field of a case is called and how somebody would paste it. */
interface CaseField {
  title: string;
  /** A line that the parser reads. */
  example: string;
}

type TopField = Exclude<keyof EvalCase, 'id' | 'rubric' | 'label'>;

const FIELDS: Record<TopField | 'context.date' | 'context.time' | 'context.location', CaseField> = {
  conversation: { title: 'Conversation', example: 'User: Find me a sushi place' },
  response: { title: 'Response', example: 'System: Sakura is five minutes away' },
  context: { title: 'Situation', example: 'Date: 2024-03-04' },
  'context.date': { title: 'Date', example: 'Date: 2024-03-04' },
  'context.time': { title: 'Time', example: 'Time: 20:35' },
  'context.location': { title: "User's location", example: 'Location: 52.53, 13.41' },
  recommendation: { title: 'Recommendation', example: 'Cuisine: French' },
  documents: { title: 'Documents', example: 'Document m12: The tire pressure is 2.4 bar.' },
  recommendations: {
    title: 'Recommendation lists',
    example: 'a JSON case with "recommendations": [["item", "item"]]',
  },
  groundTruth: { title: 'Ground truth', example: 'Ground truth: Alien' },
  history: { title: 'History', example: 'a JSON case with "history": [{"role": "user", "text": "…"}]' },
  latencyMs: { title: 'Latency', example: 'Latency: 1.8 s' },
  language: { title: 'Language', example: 'Language: en' },
};

const isField = (path: string): path is keyof typeof FIELDS => Object.hasOwn(FIELDS, path);

/** What stands under a key of a case. */
export const titleOfKey = (key: string): string => (isField(key) ? FIELDS[key].title : key);

/** What stands at a path of a case, the nearest known one above it for paths such as `recommendation.rating`. */
export function caseField(path: string, format: Pick<CaseFormat, 'groups'>): CaseField {
  const declared = declaredFields(format).find((field) => pathOfField(field) === path);
  if (declared !== undefined)
    return { title: capitalized(declared.title), example: `${labelOf(declared)}: ${exampleOf(declared)}` };
  const parts = path.split('.');
  for (let length = parts.length; length > 0; length--) {
    const known = parts.slice(0, length).join('.');
    if (isField(known))
      return known === path ? FIELDS[known] : { ...FIELDS[known], title: `${FIELDS[known].title} (${path})` };
  }
  return { title: path, example: `a JSON case with "${path}"` };
}
