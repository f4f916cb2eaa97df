/** What of a claim (claims-ahead.ts) doesn't hold: said in the ledger, so that whoever takes a key from it can say so. */
export const SQL = `
-- Batches in a claimed range of which some key isn't held, or was taken from the claim since. None of them may leave by
-- its token.
CREATE TABLE contested_batches (
  batch INTEGER PRIMARY KEY
) STRICT;
`;
