/** Runs that carry out one step of another. */
export const SQL = `
ALTER TABLE runs ADD COLUMN step INTEGER;
`;
