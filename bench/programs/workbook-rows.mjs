// Lines of a result workbook: 7 result columns, 33 of the source; one row in 50 was rejected.
const RESULT = ['row', 'status', 'licenseOrderId', 'code', 'message', 'attempts', 'run'];
const SOURCE = 33;
const PAGE = 500;
const FIRST_DAY = 46_000;

export const RESULT_COLUMNS = RESULT;
export const SOURCE_HEADERS = Array.from({ length: SOURCE }, (_, index) => `来源列 ${index + 1}`);

/** Every third column a number, every eighth a day, the others text: some Chinese, some identifiers. */
function sourceValue(row, column) {
  if (column % 8 === 0) return { day: FIRST_DAY + ((row + column) % 700) };
  if (column % 3 === 0) return ((row * column) % 9973) + 0.5;
  return column % 2 === 0 ? `北京宏图建筑工程有限公司 ${row % 8000}` : `SO-${row}-${column}`;
}

function line(row) {
  const rejected = row % 50 === 0;
  const values = [
    row,
    rejected ? 'rejected' : 'succeeded',
    rejected ? undefined : `LO-${String(row).padStart(9, '0')}`,
    rejected ? '13004' : '0',
    rejected ? '参数校验失败: 资产编号不存在' : undefined,
    1,
    '20261101-020000-4f9a21',
  ];
  return {
    rejected,
    values,
    source: Array.from({ length: SOURCE }, (_, index) => sourceValue(row, index + 1)),
  };
}

export function* pages(count) {
  for (let from = 1; from <= count; from += PAGE) {
    const rows = Math.min(PAGE, count - from + 1);
    yield Array.from({ length: rows }, (_, index) => line(from + 1 + index));
  }
}
