// Makes docs/pictures/ from what the built program does with the tutorial's own steps. Run: node scripts/make-pictures.mjs
// Requires LibreOffice (soffice), poppler (pdftoppm), tmux and Chromium. Look at every picture afterwards.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ExcelJS from 'exceljs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PROGRAM = path.join(ROOT, 'bin', 'license-sync.js');
const PICTURES = path.join(ROOT, 'docs', 'pictures');
const CHROMIUM = process.env.CHROMIUM ?? 'chromium';
/** Its path is seen in pictures. */
const SCRATCH = path.join(tmpdir(), 'licences');
const FOLDER = path.join(SCRATCH, 'returns');
/** Where tmux keeps this script's server apart from its user's. */
const TMUX = ['-L', 'license-sync-pictures'];

function run(...args) {
  const env = { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' };
  try {
    execFileSync(process.execPath, [PROGRAM, ...args], { cwd: FOLDER, env, stdio: 'pipe' });
  } catch (error) {
    // Invalid rows are part of the example.
    if (error.status !== 1 && error.status !== 3) throw error;
  }
}

/** What the tutorial has its reader type into a workbook: `[cell, cell to, text]` by file. */
function tutorialEdits(file) {
  const tutorial = readFileSync(path.join(ROOT, 'docs', 'tutorial.md'), 'utf8');
  const rows = [
    ...tutorial.matchAll(/^\| `([^`]+\.xlsx)` \| `(\w+)!([A-Z]+\d+)(?::([A-Z]+\d+))?` \| (.+) \|$/gm),
  ];
  return rows.filter(([, name]) => name === file).map(([, , ...edit]) => edit);
}

async function edit(file) {
  const book = await new ExcelJS.Workbook().xlsx.readFile(path.join(FOLDER, file));
  for (const [name, from, to = from, what] of tutorialEdits(file)) {
    const sheet = book.getWorksheet(name);
    const [first, last] = [sheet.getCell(from), sheet.getCell(to)];
    const copied = /^a copy of `[A-Z]+(\d+)/.exec(what)?.[1];
    for (let row = first.row; row <= last.row; row += 1) {
      for (let col = first.col; col <= last.col; col += 1) {
        const text = what.startsWith('nothing') ? null : what.replaceAll('`', '');
        sheet.getCell(row, col).value = copied ? sheet.getCell(Number(copied), col).value : text;
      }
    }
  }
  await book.xlsx.writeFile(path.join(FOLDER, file));
}

/** Pages of a workbook as they are printed; crops are shares of the page: left, top, width, height. */
function printed(workbook, name, strips) {
  const options = ['--headless', '--convert-to', 'pdf', '--outdir', SCRATCH];
  execFileSync('soffice', [...options, path.join(FOLDER, workbook)], { stdio: 'pipe' });
  const pdf = path.join(SCRATCH, `${path.basename(workbook, '.xlsx')}.pdf`);
  const info = execFileSync('pdfinfo', [pdf], { encoding: 'utf8' });
  const [, wide, high] = /Page size: +([\d.]+) x ([\d.]+)/.exec(info);
  const images = strips.map(({ page, dpi, crop: [left, top, width, height] }, index) => {
    const [across, down] = [(wide / 72) * dpi, (high / 72) * dpi];
    const box = ['-x', left * across, '-y', top * down, '-W', width * across, '-H', height * down];
    const file = path.join(SCRATCH, `${name}-${index}`);
    const where = [
      '-f',
      page,
      '-l',
      page,
      '-r',
      dpi,
      ...box.map((it) => (typeof it === 'number' ? Math.round(it) : it)),
    ];
    execFileSync('pdftoppm', [...where.map(String), '-singlefile', '-png', pdf, file]);
    return { file: `${file}.png`, width: Math.round(width * across), height: Math.round(height * down) };
  });
  if (images.length === 1) {
    copyFileSync(images[0].file, path.join(PICTURES, `${name}.png`));
    return;
  }
  const body = images.map((it) => `<img src="${pathToFileURL(it.file)}">`).join('');
  const gap = 10;
  const width = Math.max(...images.map((it) => it.width));
  const height = images.reduce((sum, it) => sum + it.height + gap, -gap);
  shot(page(`img { display: block; margin-bottom: ${gap}px }`, body), name, width, height);
}

function page(style, body) {
  const file = path.join(SCRATCH, 'page.html');
  writeFileSync(
    file,
    `<!doctype html><meta charset="utf-8"><style>body { margin: 0; background: #fff } ${style}</style>${body}`,
  );
  return file;
}

function shot(file, name, width, height) {
  const flags = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--hide-scrollbars',
    `--window-size=${width},${height}`,
  ];
  const target = path.join(PICTURES, `${name}.png`);
  execFileSync(CHROMIUM, [...flags, `--screenshot=${target}`, String(pathToFileURL(file))], {
    stdio: 'pipe',
  });
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Types a command into a terminal, and pictures what is seen at its end. */
async function terminal(command, name, columns, rows) {
  const tmux = (...args) => execFileSync('tmux', [...TMUX, ...args], { encoding: 'utf8', cwd: FOLDER });
  tmux(
    'new-session',
    '-d',
    '-x',
    String(columns),
    '-y',
    String(rows),
    'env',
    'LANG=C.UTF-8',
    'PS1=$ ',
    'bash',
    '--norc',
  );
  try {
    tmux('send-keys', `node() { shift; ${process.execPath} ${PROGRAM} "$@"; }; clear`, 'Enter');
    await setTimeout(1000);
    tmux('send-keys', command, 'Enter');
    let seen = '';
    for (let waited = 0; waited < 30 && !/report \S+\n\$$/.test(seen.trimEnd()); waited += 1) {
      await setTimeout(1000);
      seen = tmux('capture-pane', '-p');
    }
    const style =
      'pre { margin: 0; padding: 14px; background: #1e1e1e; color: #e0e0e0; font: 14px/1.35 monospace }';
    const text = seen.trimEnd();
    const height = Math.ceil(text.split('\n').length * 14 * 1.35) + 28;
    shot(page(style, `<pre>${escaped(text)}</pre>`), name, Math.ceil(columns * 8.43) + 28, height);
  } finally {
    tmux('kill-server');
  }
}

/** The sheet of docs/awkward-sheets.md, and what comes of it by the page's own job. */
function awkwardSheet() {
  const words = readFileSync(path.join(ROOT, 'docs', 'awkward-sheets.md'), 'utf8');
  const [, job] = /```yaml\n# file: jobs\/office-returns\.yaml\n(.*?)```/s.exec(words);
  writeFileSync(
    path.join(FOLDER, 'jobs', 'office-returns.yaml'),
    job.replace(
      'file: data/office-returns.xlsx',
      'file: ../data/office-returns.xlsx, headerRow: 3, merged: fill',
    ),
  );
  copyFileSync(
    path.join(ROOT, 'jobs', 'data', 'office-returns.xlsx'),
    path.join(FOLDER, 'data', 'office-returns.xlsx'),
  );
  printed('data/office-returns.xlsx', 'awkward-sheet', [
    { page: 1, dpi: 110, crop: [0.055, 0.1, 0.86, 0.34] },
  ]);
  run('run', 'jobs/office-returns.yaml', '--output', 'returns-done.xlsx');
  printed('returns-done.xlsx', 'awkward-result', [
    { page: 1, dpi: 110, crop: [0.025, 0.055, 0.95, 0.225] },
    { page: 2, dpi: 110, crop: [0.025, 0.055, 0.95, 0.225] },
  ]);
}

rmSync(SCRATCH, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
mkdirSync(PICTURES, { recursive: true });

run('init', '.', '--operation', 'order.delete_asset');
printed('data/delete-asset.xlsx', 'template', [
  { page: 1, dpi: 110, crop: [0.025, 0.05, 0.95, 0.11] },
  { page: 2, dpi: 110, crop: [0.025, 0.05, 0.95, 0.11] },
]);
await edit('data/delete-asset.xlsx');
run('validate', 'jobs/delete-asset.yaml', '--output', 'checked.xlsx');
printed('checked.xlsx', 'checked', [
  { page: 1, dpi: 170, crop: [0.02, 0.055, 0.735, 0.14] },
  { page: 2, dpi: 170, crop: [0.02, 0.055, 0.765, 0.14] },
]);
await edit('checked.xlsx');
await terminal(
  'node ../bin/license-sync.js run jobs/delete-asset.yaml --input checked.xlsx --output sent.xlsx --report report.html',
  'terminal',
  112,
  20,
);
printed('sent.xlsx', 'result', [
  { page: 1, dpi: 170, crop: [0.02, 0.055, 0.75, 0.08] },
  { page: 2, dpi: 170, crop: [0.02, 0.055, 0.765, 0.08] },
]);
printed('sent.xlsx', 'summary', [{ page: 4, dpi: 75, crop: [0.02, 0.075, 0.78, 0.54] }]);
shot(path.join(FOLDER, 'report.html'), 'report', 1000, 900);
awkwardSheet();
rmSync(SCRATCH, { recursive: true, force: true });
