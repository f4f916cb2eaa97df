// Results as Markdown, for the terminal and for the page.

const HEADS = {
  wall: 'wall s',
  cpu: 'CPU s',
  peak: 'peak MiB',
  execute: 'execute s',
  worker: 'peak of a worker MiB',
  loop: 'loop s',
  loopCpu: 'loop CPU s',
};
const SENSES = { most: '<=', least: '>=' };

export function goalTable(results) {
  const rows = results.flatMap(({ name, goals }) =>
    goals.map(({ text, sense, limit, value, met }) => [
      name,
      text,
      `${SENSES[sense]} ${plain(limit)}`,
      value === undefined ? '' : plain(value),
      value === undefined ? 'not measured' : met ? 'yes' : 'no',
    ]),
  );
  return table(['measure', 'what', 'goal', 'measured', 'met'], rows);
}

export function figureTable({ of }) {
  const names = [...new Set(Object.values(of).flatMap((it) => Object.keys(it)))];
  const rows = Object.entries(of).map(([program, figures]) => [
    program,
    ...names.map((name) => (figures[name] === undefined ? '' : plain(figures[name]))),
  ]);
  return table(['program', ...names.map((it) => HEADS[it] ?? it)], rows);
}

function plain(value) {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(value < 1 ? 3 : 2);
}

function table(heads, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const widths = heads.map((head, index) => Math.max(head.length, ...rows.map((row) => row[index].length)));
  const padded = (cells) => line(cells.map((cell, index) => cell.padEnd(widths[index])));
  return [padded(heads), line(widths.map((it) => '-'.repeat(it))), ...rows.map(padded)].join('\n');
}
