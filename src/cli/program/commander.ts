import { createRequire } from 'node:module';

/**
 * Commander by `require`: to `import` a CommonJS package Node first reads it through for the names that it exports,
 * which help would wait for.
 */
const commander = createRequire(import.meta.url)('commander') as typeof import('commander');

export const { Command, InvalidArgumentError, Option } = commander;
export type Command = InstanceType<typeof Command>;
export type Option = InstanceType<typeof Option>;
export type Argument = InstanceType<typeof commander.Argument>;
