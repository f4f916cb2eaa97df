import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { workbook, worksheet } from '../fixtures/workbook.js';
import { type UnpackedEntry, unpack } from './packages.js';

export interface Seed {
  readonly name: string;
  readonly bytes: Buffer;
  /** Of workbooks whose package is sound. */
  readonly entries?: readonly UnpackedEntry[];
}

const LARGEST = 60_000;

/** Spreadsheets to begin from: the readable small ones of the reader corpus (where it is), and some made here. */
export function readerSeeds(root: string): readonly Seed[] {
  return [...madeWorkbooks(), ...madeTexts(), ...corpus(root)];
}

/** Job files to begin from: those that ship with the program, and one with the rarer parts of YAML. */
export function jobSeeds(root: string): readonly Seed[] {
  const folder = path.join(root, 'jobs');
  const names = readdirSync(folder)
    .filter((it) => it.endsWith('.yaml'))
    .sort();
  const shipped = names.map((name) => ({ name, bytes: readFileSync(path.join(folder, name)) }));
  return [...shipped, { name: 'rare.yaml', bytes: Buffer.from(RARE_YAML) }];
}

function corpus(root: string): readonly Seed[] {
  const folder = path.join(root, '../shared/spreadsheets');
  if (!existsSync(path.join(folder, 'manifest.json'))) return [];
  const listed = JSON.parse(readFileSync(path.join(folder, 'manifest.json'), 'utf8')) as readonly {
    readonly file: string;
    readonly expect: string;
    readonly bytes: number;
  }[];
  return listed
    .filter((it) => it.expect !== 'error' && it.bytes <= LARGEST)
    .map(({ file }) => seed(file, readFileSync(path.join(folder, 'files', file))));
}

function seed(name: string, bytes: Buffer): Seed {
  const entries = name.endsWith('.xlsx') ? unpack(bytes) : undefined;
  return entries ? { name, bytes, entries } : { name, bytes };
}

function madeWorkbooks(): readonly Seed[] {
  const cells = (row: number): string =>
    `<c r="A${row}" t="s"><v>${row % 5}</v></c><c r="B${row}" s="${row % 4}"><v>${45_000 + row / 7}</v></c>` +
    `<c r="C${row}" t="str"><f>1+1</f><v>f &amp; ${row}</v></c><c r="D${row}" t="b"><v>${row % 2}</v></c>` +
    `<c r="F${row}" t="inlineStr"><is><r><t>run</t></r><r><t xml:space="preserve"> ${row}</t></r></is></c>`;
  const rows = Array.from({ length: 60 }, (_, at) => `<row r="${at + 1}" spans="1:6">${cells(at + 1)}</row>`);
  const strings =
    '<si><t>Order</t></si><si><t xml:space="preserve"> 客户 😀 </t></si><si><r><t>a</t></r><r><t>b_x000D_</t></r></si>' +
    '<si/><si><t>&lt;e&gt;</t><rPh sb="0" eb="1"><t>no</t></rPh></si>';
  const formats = ['yyyy/mm/dd', '0000', '[h]:mm:ss'];
  const plain = workbook({ sheet: rows.join(''), strings, formats });
  const bare = Array.from(
    { length: 40 },
    (_, at) => `<row><c><v>${at}</v></c><c t="e"><v>#N/A</v></c></row>`,
  );
  const prefixed = worksheet(rows.slice(0, 20).join('')).replace(
    /<(\/?)(worksheet|sheetData|row|c|v|f|is|r|t)\b/g,
    '<$1x:$2',
  );
  const two =
    '<sheet name="One" sheetId="1" r:id="s1"/><sheet name="Two" sheetId="2" state="hidden" r:id="s2"/>';
  const relations =
    '<Relationship Id="s2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet2.xml"/>';
  const second = { name: 'xl/worksheets/sheet2.xml', data: worksheet(bare.join('')) };
  return [
    seed('made-plain.xlsx', plain),
    seed('made-bare.xlsx', workbook({ sheet: bare.join(''), date1904: true })),
    seed('made-prefixed.xlsx', workbook({ sheet: prefixed, strings, formats })),
    seed(
      'made-two.xlsx',
      workbook({ sheet: rows.join(''), strings, formats, sheets: two, relations, entries: [second] }),
    ),
  ];
}

const CHINESE =
  '订单号,客户名称,数量,备注\n0001,深圳市华信科技有限公司,2,"含,逗号"\n0002,北京办事处,3,\n\n0003,上海分公司,1,"两\n行"\n';
const LATIN = 'Nr;Name;Menge\r\n007;Müller & Söhne;1,5\r\n008;"Größe; ""XL""";2\r\n;;\r\n009;Ärzte;3\r\n';

function madeTexts(): readonly Seed[] {
  const wide = (text: string): Buffer => Buffer.from(text, 'utf16le');
  const made: readonly (readonly [string, Buffer])[] = [
    ['made-utf8.csv', Buffer.from(CHINESE)],
    ['made-bom.csv', Buffer.from(`\ufeff${CHINESE}`)],
    ['made-utf16le.csv', wide(`\ufeff${CHINESE}`)],
    ['made-utf16be.csv', wide(CHINESE).swap16()],
    ['made-gb18030.csv', gb18030(CHINESE.repeat(4))],
    ['made-latin1.csv', Buffer.from(LATIN, 'latin1')],
    ['made-semicolon.csv', Buffer.from(LATIN)],
    ['made-tabs.tsv', Buffer.from(CHINESE.replaceAll(',', '\t').replaceAll('\n', '\r'))],
    [
      'made-result.csv',
      Buffer.from(`row,status,licenseOrderId,code,message,attempts,run,A,B\n2,valid,,,,0,r,'=1,x\n`),
    ],
    [
      'made-long.csv',
      Buffer.from(`a,b\n${Array.from({ length: 900 }, (_, at) => `${at},"v ${at}"\n`).join('')}`),
    ],
  ];
  return made.map(([name, bytes]) => ({ name, bytes }));
}

/** Node decodes GB18030 but doesn't encode it; two bytes a character are all that the text needs. */
function gb18030(text: string): Buffer {
  const bytes = new Map<string, readonly number[]>();
  const decoder = new TextDecoder('gb18030');
  for (let lead = 0xb0; lead <= 0xf7; lead += 1) {
    for (let trail = 0xa1; trail <= 0xfe; trail += 1) {
      bytes.set(decoder.decode(Uint8Array.of(lead, trail)), [lead, trail]);
    }
  }
  return Buffer.from(
    [...text].flatMap((it) => (it < '\x80' ? [it.charCodeAt(0)] : (bytes.get(it) ?? [0x3f]))),
  );
}

const RARE_YAML = `%YAML 1.2
---
# every kind of scalar, an anchor, flow and block collections
version: 1
name: "rare-job"
description: >-
  folded
  text \${HOME}
operation: order.new_buy
connection: &conn 'sandbox'
source:
  file: ../data/orders.xlsx
  sheet: 1
  where: |
    row["Status"] == "Approved" && int(row["Qty"]) > 0
  hiddenRows: refuse
map:
  channelCode: { value: CH }
  channelOrderId: { template: "SO-{Order No}-{Line}" }
  syncMode: { column: Mode, default: sync, values: { 同步: sync, "1": async } }
  orderList:
    each: ["Order No"]
    customerId: Customer
    crmCustomerId: { expr: 'row["CRM"] + "-" + string(int(row["Qty"]) * 2)' }
    assets:
      each: { sheet: Products, on: [Order No] }
      assetNos: { column: Locks, split: ";" }
      limitEndDate: { column: Until, format: yyyy/MM/dd, end: day }
batch: { size: 10 }
run: { concurrency: 4, requestsPerSecond: 12.5, timeout: 30s, retries: 0, onInvalid: skip, stopAfterFailures: 5 }
safety: { maxItems: 10, maxDeletes: 0, allowDeleteFromAllOrders: false, duplicates: abort }
output: { file: "../results/{job}-{run}.csv" }
schedule: { cron: "0 2 * * *", timezone: Asia/Shanghai, onMissed: run, onOverlap: skip, jitter: 5m }
notify:
  - on: always
    webhook: { url: "https://hooks.example.com/a?b=\${HOME}", secret: { env: HOOK }, headers: { X-A: b }, timeout: 5s }
  - { command: [notify, "done"], timeout: 1m }
`;
