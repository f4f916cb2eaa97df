import { CLI } from '../harness/places.mjs';

const ours = 'license-sync --help';
const bare = 'node -e 0';

export const STARTING = [
  {
    name: 'help',
    title: () => 'Start, say how it is used, and end',
    /** Trials in each round: they are short, and vary. */
    repeat: 6,
    contenders: [
      { name: ours, prepare: async () => ({ argv: [process.execPath, CLI, '--help'], quiet: true }) },
      { name: bare, prepare: async () => ({ argv: [process.execPath, '-e', '0'], quiet: true }) },
    ],
    goals: [
      { text: `wall, of ${bare}`, sense: 'most', limit: 1.6, value: (of) => of[ours].wall / of[bare].wall },
    ],
  },
];
