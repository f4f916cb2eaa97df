/** Awkwardnesses that the program is still to learn; sheets bear them only with AWKWARD_ALL. */
export const PENDING: ReadonlySet<string> = new Set(process.env.AWKWARD_ALL ? [] : ['a text kept by ="…"']);
