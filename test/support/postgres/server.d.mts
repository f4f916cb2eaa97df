export interface StartedPostgres {
  /** Of its database `postgres`, for the role that owns everything; no password. */
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  readonly pid: number | undefined;
  start(): Promise<void>;
  stop(how?: 'fast' | 'immediate'): Promise<void>;
  restart(how?: 'fast' | 'immediate'): Promise<void>;
  remove(): Promise<void>;
}

export function nativeFolder(): string;

export function startPostgres(options?: {
  readonly folder?: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly port?: number;
}): Promise<StartedPostgres>;
