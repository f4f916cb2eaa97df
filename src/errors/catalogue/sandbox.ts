/** Texts of sandbox: what is wrong, where, and what would be right. `zh` carries the same {names} as `en`. */
export const SANDBOX = {} as const;
