/** Texts of mapping: what is wrong, where, and what would be right. `zh` carries the same {names} as `en`. */
export const MAPPING = {} as const;
