/** Texts of workbook: what is wrong, where, and what would be right. `zh` carries the same {names} as `en`. */
export const WORKBOOK = {} as const;
