/** A text with `${NAME}` replaced; `origin[i]` is the index in the given text that unit `i` comes from. */
interface Substituted {
  readonly text: string;
  readonly origin: readonly number[];
  /** At least one variable was put in. */
  readonly used: boolean;
  readonly faults: readonly VariableFault[];
}

type VariableFault =
  | { readonly kind: 'missing'; readonly name: string; readonly at: number }
  | { readonly kind: 'malformed'; readonly found: string; readonly at: number };

const MARK = /\$\$\{|\$\{([^}]*)(\})?/g;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** `${NAME}` becomes the variable's value, `$${` becomes `${`. */
export function substitute(text: string, env: NodeJS.ProcessEnv): Substituted {
  const parts: string[] = [];
  const origin: number[] = [];
  const faults: VariableFault[] = [];
  let used = false;
  let from = 0;
  const keep = (until: number) => {
    parts.push(text.slice(from, until));
    for (let index = from; index < until; index += 1) origin.push(index);
  };
  for (const match of text.matchAll(MARK)) {
    keep(match.index);
    from = match.index + match[0].length;
    const name = match[1] ?? '';
    if (match[0] === '$${') put('${', match.index);
    else if (!match[2] || !NAME.test(name))
      faults.push({ kind: 'malformed', found: match[0], at: match.index });
    else {
      used = true;
      const value = Object.hasOwn(env, name) ? env[name] : undefined;
      if (value === undefined) faults.push({ kind: 'missing', name, at: match.index });
      else put(value, match.index);
    }
  }
  keep(text.length);
  return { text: parts.join(''), origin, used, faults };

  function put(value: string, at: number): void {
    parts.push(value);
    for (let count = 0; count < value.length; count += 1) origin.push(at);
  }
}
