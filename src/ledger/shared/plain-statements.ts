type PlainValue = string | number | null;

/** Words that every dialect understands, with parameters $1, $2, …, and their values. */
export type PlainStatement = readonly [sql: string, params: readonly PlainValue[]];

/** For stores of which every database keeps the same. What a statement changed is durable when it resolves. */
export interface PlainStatements {
  all<T>(...statement: PlainStatement): Promise<readonly T[]>;
  get<T>(...statement: PlainStatement): Promise<T | undefined>;
  /** Gives the number of rows changed. */
  run(...statement: PlainStatement): Promise<number>;
  /** The same before anything was sent: a ledger that another program holds is told as such, not as a failure. */
  runFirst(...statement: PlainStatement): Promise<number>;
  /** May as well be left out where another program writes just now: nobody waits for it. */
  runUnlessBusy(...statement: PlainStatement): Promise<void>;
  /** All of them or none, one after the other. Gives what the first one reads. */
  together<T>(first: PlainStatement, others: readonly PlainStatement[]): Promise<readonly T[]>;
}
