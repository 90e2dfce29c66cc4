import {
  type Choice,
  type FilledIn,
  type Form,
  type FormField,
  type FormPart,
  isField,
} from '../forms/index.ts';

/** The ids of a field's hint and error, for `aria-describedby`. */
const describedBy = ({ id, hint, error }: FormField): string | undefined =>
  [hint === undefined ? [] : `${id}-hint`, error === undefined ? [] : `${id}-error`].flat().join(' ') ||
  undefined;

function Input({ field }: { field: FormField }) {
  const { id, error } = field;
  const about = {
    id: `f-${id}`,
    name: id,
    'aria-describedby': describedBy(field),
    'aria-invalid': error === undefined ? undefined : true,
  };
  switch (field.kind) {
    case 'text':
      return <input type="text" {...about} value={field.initial} maxLength={field.maxLength} />;
    case 'long-text':
      return <textarea rows={4} {...about} maxLength={field.maxLength} defaultValue={field.initial} />;
    case 'number':
      return <input type="text" inputMode="decimal" {...about} value={field.initial} />;
    case 'date':
    case 'time':
      return <input type={field.kind} {...about} value={field.initial} />;
    case 'select':
      return (
        <select {...about} data-reshapes={field.reshapes}>
          {field.none === undefined && field.initial !== undefined ? null : (
            <option value="">{field.none ?? 'Choose…'}</option>
          )}
          {field.choices.map((choice) => (
            <option key={choice.id} value={choice.id} selected={choice.id === field.initial}>
              {choice.title}
            </option>
          ))}
        </select>
      );
    case 'multi-select':
      return (
        <fieldset class="choices" aria-describedby={describedBy(field)}>
          <legend class="sr">{field.label}</legend>
          {field.choices.map((choice) => (
            <label key={choice.id}>
              <input
                type="checkbox"
                name={id}
                value={choice.id}
                checked={field.initial?.includes(choice.id)}
              />{' '}
              {choice.title}
            </label>
          ))}
        </fieldset>
      );
  }
}

function Part({ part }: { part: FormPart }) {
  if (!isField(part)) return <p class={part.kind === 'note' ? 'pale' : undefined}>{part.text}</p>;
  const { id, label, hint, error } = part;
  return (
    <div class="field">
      {part.kind === 'multi-select' ? (
        <span class="label" aria-hidden="true">
          {label}
        </span>
      ) : (
        <label for={`f-${id}`}>{label}</label>
      )}
      <Input field={part} />
      {hint === undefined ? null : (
        <small id={`${id}-hint`} class="pale">
          {hint}
        </small>
      )}
      {error === undefined ? null : (
        <small id={`${id}-error`} class="error" role="alert">
          {error}
        </small>
      )}
    </div>
  );
}

/** A form in a dialog. @param action the address that it is sent to */
export function FormDialog({ form, action }: { form: Form; action: string }) {
  const fields = form.parts.filter(
    (part) => !isField(part) || part.advanced !== true || form.expanded === true,
  );
  return (
    <form data-send={action} noValidate>
      <h2>{form.title}</h2>
      {fields.map((part) => (
        <Part key={isField(part) ? part.id : part.text} part={part} />
      ))}
      <p class="actions">
        <button type="submit" class="main">
          {form.send}
        </button>
        <button type="button" data-do="close">
          {form.cancel}
        </button>
      </p>
    </form>
  );
}

/** The values of a form as a browser sends it: a list for a multi-select, otherwise text or null. Fields that were not shown are absent. */
export function filledInOf(
  form: Pick<Form, 'parts'>,
  sent: Readonly<Record<string, readonly string[]>>,
): FilledIn {
  return Object.fromEntries(
    form.parts.filter(isField).flatMap((field): [string, string | readonly string[] | null][] => {
      const values = Object.hasOwn(sent, field.id) ? (sent[field.id] ?? []) : [];
      if (field.kind === 'multi-select') return [[field.id, values]];
      const isShown = Object.hasOwn(sent, field.id);
      return isShown ? [[field.id, values[0] === undefined || values[0] === '' ? null : values[0]]] : [];
    }),
  );
}

/** A labeled drop-down list. @param none the text of an empty choice; if absent, the first choice is preselected */
export const Select = ({
  name,
  label,
  none,
  choices,
  chosen,
}: {
  name: string;
  label: string;
  none?: string;
  choices: readonly Choice[];
  chosen?: string | undefined;
}) => (
  <label>
    {label}{' '}
    <select name={name}>
      {none === undefined ? null : <option value="">{none}</option>}
      {choices.map(({ id, title }) => (
        <option key={id} value={id} selected={id === chosen}>
          {title}
        </option>
      ))}
    </select>
  </label>
);
