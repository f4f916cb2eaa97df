/** Why an expression (CEL) gives nothing usable, in this program's own words. `zh` carries the same {names} as `en`. */
export const EXPRESSION = {
  'expression.no_condition': {
    en: 'this gives {type}, a condition must give true or false',
    zh: '结果类型为 {type}，条件必须得出 true 或 false',
  },
  'expression.useless': {
    en: 'this gives {type}; text, a number, true or false, a timestamp or a list is needed',
    zh: '结果类型为 {type}；需要文本、数字、true 或 false、时间戳或列表',
  },
  'expression.not_a_number': {
    en: 'the result is {value}, not a number',
    zh: '结果为 {value}，不是数字',
  },
  'expression.no_time': {
    en: 'the result is no point in time',
    zh: '结果不是一个时间点',
  },
  'expression.no_value': {
    en: 'the result is neither text, number, true, false, timestamp nor list',
    zh: '结果不是文本、数字、true、false、时间戳或列表',
  },
  'expression.column_name': {
    en: 'a column is named by constant text, as in row["Column"]',
    zh: '列必须用固定文本指定，例如 row["列名"]',
  },
  'expression.whole_row': {
    en: '"{name}" is read one column at a time, as in {name}["Column"]',
    zh: '“{name}”每次只能读取一列，例如 {name}["列名"]',
  },
  'expression.whole_record': {
    en: '"{name}" is read one field at a time, as in {name}.name',
    zh: '“{name}”每次只能读取一个字段，例如 {name}.name',
  },
  'expression.budget': {
    en: 'it takes more than {limit} steps; lists within lists or long texts make it too expensive: use shorter texts or lists, or a simpler expression',
    zh: '计算超过 {limit} 步；嵌套列表或长文本使计算量过大：请缩短文本或列表，或简化表达式',
  },
  'expression.lookaround': {
    en: 'the pattern {pattern} uses {part}: matches() has no lookahead and no lookbehind; test each part by a matches() of its own, joined by && or !',
    zh: '模式 {pattern} 使用了 {part}：matches() 不支持前瞻和后顾；请将各部分分别用 matches() 判断，并用 && 或 ! 组合',
  },
  'expression.backreference': {
    en: 'the pattern {pattern} uses {part}: matches() has no backreferences; compare the parts of the text by ==',
    zh: '模式 {pattern} 使用了 {part}：matches() 不支持反向引用；请用 == 比较文本的各部分',
  },
  'expression.pattern': {
    en: 'the pattern {pattern} of matches() is invalid: {detail}',
    zh: 'matches() 的模式 {pattern} 无效：{detail}',
  },
  'expression.pattern_size': {
    en: 'the pattern {pattern} of matches() is too large (limit: {limit}); use fewer repetitions or a shorter pattern',
    zh: 'matches() 的模式 {pattern} 过大（上限：{limit}）；请减少重复次数或缩短模式',
  },
  'expression.neither': {
    en: 'this gives {value}, neither true nor false',
    zh: '结果为 {value}，既不是 true 也不是 false',
  },
} as const;
