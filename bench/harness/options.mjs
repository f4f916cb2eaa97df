import { parseArgs } from 'node:util';

export const USAGE = `npm run bench [-- OPTIONS]

Measures license-sync against its peers and writes bench/results.md. The first time it installs the peers in bench/
and makes the input files in bench/data/ (about 0.5 GB); all of it takes an hour or two.

  --only NAME   this measure only; may be given again, or several with commas; "goals" stands for those with goals that
                are being worked at
  --base FOLDER a folder with a built earlier version, to be measured beside this one
  --rounds N    how often each program is run (each measure has a number of its own)
  --quick       small inputs, one round, nothing written: to see that everything works
  --list        the measures' names
`;

/** @throws when the arguments can't be understood */
export function readOptions(argv, names, groups) {
  const { values } = parseArgs({
    args: argv,
    options: {
      only: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string' },
      base: { type: 'string' },
      quick: { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const asked = values.only.flatMap((it) => it.split(',')).filter((it) => it !== '');
  const only = asked.flatMap((it) => groups[it] ?? [it]);
  const unknown = only.find((it) => !names.includes(it));
  if (unknown !== undefined) throw new Error(`no measure ${unknown}; there are ${names.join(', ')}`);
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0)) {
    throw new Error(`--rounds takes a whole number from 1, not ${values.rounds}`);
  }
  return { ...values, only: only.length === 0 ? names : only, rounds };
}
