import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { workbook } from '../fixtures/workbook.js';
import { licenseSync } from '../support/command.js';

const folder = mkdtempSync(path.join(os.tmpdir(), 'marked-cells-'));
afterAll(() => rmSync(folder, { recursive: true }));

const texts = (row: number, ...cells: readonly string[]): string =>
  `<row r="${row}">${cells
    .map((it, at) => (it.startsWith('<') ? it : `<c r="${'AB'[at]}${row}" t="str"><v>${it}</v></c>`))
    .join('')}</row>`;

async function validate(name: string, rows: string, source = ''): Promise<{ output: string; code: number }> {
  const file = path.join(folder, `${name}.xlsx`);
  writeFileSync(file, workbook({ sheet: texts(1, 'Lock', 'Operator') + rows }));
  const job = path.join(folder, `${name}.yaml`);
  writeFileSync(
    job,
    `version: 1\nname: ${name}\noperation: asset.lock\nconnection: sandbox\nsource: { file: ${name}.xlsx${source} }\nmap: { assetNums: Lock, operatorIdentity: Operator }\n`,
  );
  const { stdout, stderr, code } = await licenseSync(['validate', job], { cwd: folder });
  return { output: `${stdout}${stderr}`, code: code ?? -1 };
}

describe('subtotals and struck-out cells in a dry run', () => {
  const subtotal = '<c r="A3"><f>SUBTOTAL(3,A2:A2)</f><v>1</v></c>';
  const rows = texts(2, '8200000001', 'ops') + texts(3, subtotal, 'ops Count');

  it('a subtotal is invalid, and its message names where and until', async () => {
    const { output, code } = await validate('subtotal', rows);
    expect(code).toBe(3);
    expect(output).toMatch(/A3 is a formula with SUBTOTAL.*source\.where.*source\.until/);
  });

  it('where excludes it, as the message says', async () => {
    const where = `, where: '!row["Operator"].endsWith("Count")'`;
    const { output, code } = await validate('excluded', rows, where);
    expect(output).toMatch(/rows 2: (?:valid 1, skipped 1|skipped 1, valid 1)/);
    expect(code).toBe(0);
  });

  it('a struck-out cell is read, and a warning names it, unless where excludes its row', async () => {
    const struck = '<c r="A2" t="inlineStr"><is><r><rPr><strike/></rPr><t>8200000001</t></r></is></c>';
    const marked = texts(2, struck, 'ops') + texts(3, '8200000002', 'mail');
    const { output, code } = await validate('struck', marked);
    expect(code).toBe(0);
    expect(output).toContain('1 of the cells that were read is struck out, in whole or in part: A2');
    const excluded = await validate('unstruck', marked, `, where: 'row["Operator"] == "mail"'`);
    expect(excluded.output).not.toContain('struck out');
  });
});
