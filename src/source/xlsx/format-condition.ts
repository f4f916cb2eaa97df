/** The condition of a format's section, `[>=100]`: which numbers it is for. Undefined if the brackets hold something else. */
export function formatCondition(inside: string): ((value: number) => boolean) | undefined {
  const parts = /^(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)$/.exec(inside);
  return parts ? comparison(parts[1]!, Number(parts[2])) : undefined;
}

function comparison(sign: string, than: number): (value: number) => boolean {
  switch (sign) {
    case '<':
      return (value) => value < than;
    case '<=':
      return (value) => value <= than;
    case '>':
      return (value) => value > than;
    case '>=':
      return (value) => value >= than;
    case '<>':
      return (value) => value !== than;
    default:
      return (value) => value === than;
  }
}
