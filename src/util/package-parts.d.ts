// Single files of packages whose index would load a hundred unused ones. The paths within a package are not a public
// interface: test/dependencies.test.ts detects one that moved.

declare module 'exceljs/lib/doc/workbook.js' {
  const workbook: typeof import('exceljs').Workbook;
  export default workbook;
}

declare module 'exceljs/lib/stream/xlsx/workbook-writer.js' {
  const writer: typeof import('exceljs').stream.xlsx.WorkbookWriter;
  export default writer;
}

declare module 'undici/lib/dispatcher/pool.js' {
  const pool: typeof import('undici').Pool;
  export default pool;
}
