import type { ComponentChildren } from 'preact';

/** What is known of something: pairs of name and value; those without a value are left out. */
export function Facts({
  of,
}: {
  readonly of: readonly (readonly [name: string, value: ComponentChildren])[];
}) {
  const known = of.filter(([, value]) => value !== undefined && value !== '' && value !== null);
  return (
    <dl class="facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
