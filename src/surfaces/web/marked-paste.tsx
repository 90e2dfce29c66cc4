import { type Span, type Stretch, stretchesOf } from '../../case/paste/index.ts';
import { PART_WORDS } from '../views/index.ts';

/** Names shown in front of parts, so that they do not depend on color alone. Fields need none: their label precedes them. */
const TAGS: Readonly<Partial<Record<Span['is'], string>>> = {
  user: 'user',
  system: 'system',
  remark: 'remark',
  'left out': 'left out',
  unsure: '?',
};

const classOf = (is: Span['is']): string => `part is-${is.replace(' ', '-')}`;

/** Whether a label in the text, such as `User:`, already names the part. */
const says = (label: string, is: Span['is']): boolean => label.toLowerCase().replaceAll(/[^a-z]/g, '') === is;

/** @param label the label in the text before this part; empty if there is none */
function Part({ stretch: { is, text, path, why }, label }: { stretch: Stretch; label: string }) {
  if (is === null) return <>{text}</>;
  const tag = says(label, is) ? undefined : TAGS[is];
  const more = [path, why].filter((one) => one !== undefined);
  return (
    <span class={classOf(is)} title={more.length === 0 ? undefined : more.join(': ')}>
      {tag === undefined ? null : (
        <>
          <b class="tag" aria-hidden={is === 'unsure'}>
            {tag}
          </b>
          {is === 'unsure' ? <span class="sr">not sure:</span> : null}{' '}
        </>
      )}
      {text}
    </span>
  );
}

/** A text with its parts marked, and a legend. */
export function MarkedPaste(received: { text: string; spans: readonly Span[] }) {
  const stretches = stretchesOf(received);
  const kinds = [...new Set(stretches.flatMap(({ is }) => is ?? []))];
  let last: Stretch | undefined;
  const parts = stretches.map((stretch) => {
    const label = last?.is === 'label' ? last.text : '';
    if (stretch.is !== null) last = stretch;
    return { stretch, label };
  });
  return (
    <figure class="marked">
      <div class="pre">
        {parts.map((part, index) => (
          <Part key={index} {...part} />
        ))}
      </div>
      <figcaption>
        <ul aria-label="What the marks mean">
          {kinds.map((is) => (
            <li key={is}>
              <span class={classOf(is)}>{TAGS[is] ?? is}</span>: {PART_WORDS[is]}
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
}
