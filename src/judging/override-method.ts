import { JuryError } from '../common/errors.ts';
import { Method } from './method.ts';

export interface MethodOverrides {
  rounds?: number;
  temperature?: number;
}

/**
 * A method with settings of the caller's in place of its own.
 * @throws JuryError `usage` where the method makes no sense with them
 */
export function overrideMethod(method: Method, { rounds, temperature }: MethodOverrides): Method {
  if (rounds === undefined && temperature === undefined) return method;
  if (rounds !== undefined && rounds > 1 && method.sees === 'nothing')
    throw new JuryError(
      'usage',
      `Method "${method.id}" has one round, in which judges answer alone; more rounds go with a debate such as mad or roundtable.`,
    );
  const single = rounds === 1 && method.rounds > 1 ? { sees: 'nothing', stop: 'never' } : {};
  const changed = Method.safeParse({
    ...method,
    ...single,
    ...(rounds === undefined ? {} : { rounds }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(temperature === undefined || method.ratedFirst === undefined
      ? {}
      : { ratedFirst: { ...method.ratedFirst, temperature } }),
  });
  if (changed.success) return changed.data;
  const problems = changed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; ');
  throw new JuryError('usage', `Method "${method.id}" cannot run like that: ${problems}.`);
}
