/** Texts of source: what is wrong, where, and what would be right. `zh` carries the same {names} as `en`. */
export const SOURCE = {} as const;
