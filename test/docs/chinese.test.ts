import { describe, expect, it } from 'vitest';
import { sourceTexts } from '../fixtures/source-texts.js';

/** Words by which sheets are recognised, and marks in the sheets of others. */
const LEXICONS = /^(?:guess\/(?:decide|lexicon|profile)|source\/|mapping\/|platform\/operations\/shared\/)/;

/** The headers that an operation recognises are lists in its file of words. */
const isHeaders = (at: string, text: string) => /\.words\.ts/.test(at) && text.includes(', ');

const TEXTS = sourceTexts()
  .filter(({ at, text }) => /\p{Script=Han}/u.test(text) && !LEXICONS.test(at) && !isHeaders(at, text))
  .map(({ at, text }) => ({ at, text: text.replace(/`[^`]*`/g, '`') }));

const found = (pattern: RegExp) =>
  TEXTS.filter(({ text }) => pattern.test(text)).map(({ at, text }) => `${at} ${text}`);

/** One word for one concept: [words that are not used, the word that is]. */
const TERMS: readonly (readonly [string, string])[] = [
  ['计划任务|日程|时间表', '定时任务'],
  ['制定|制作|规划', '生成计划'],
  ['沙盒', '沙箱'],
  ['资产号|云锁编号|实体锁', '锁号（资产编号）、加密锁'],
  ['许可(?!证)', '授权'],
  ['商品包', '套餐'],
  ['分支', '分公司'],
  ['密码手机', '安全手机号'],
  ['吊销', '撤销'],
  ['查明|结清|结论', '核实、核实结果'],
  ['略过', '跳过'],
  ['答复|回复|应答', '响应'],
  ['请求批准|申请批准|批复|批准(?!的权限)', '提交审批、审批'],
  ['制作人|审核人', '制单人、审批人'],
  ['切断', '异常中断'],
  ['比对|对比|比较|对账', '核对'],
  ['关键列|键列|键表', '标识列'],
  ['标题行|列标题', '表头'],
  ['调度器', '调度程序'],
  ['修正', '更正'],
  ['推测', '自动识别'],
  ['结局', '结果'],
  ['数据源|源文件', '表格文件'],
  ['主体', 'OpenID 标识（sub）'],
  ['涵盖|届时|轮到|代为|为人所知', 'a plain verb'],
];

describe('Chinese texts', () => {
  it('are found', () => {
    expect(TEXTS.length).toBeGreaterThan(1500);
  });

  it.each(TERMS)('do not say %s, but %s', (avoided) => {
    expect(found(new RegExp(avoided, 'u'))).toEqual([]);
  });

  it('have full-width punctuation and quotes', () => {
    expect(
      found(
        /[\p{Script=Han}）”}][,;:!?] ?(?=[\p{Script=Han}“（])|[\p{Script=Han}）”][,;:!?]|\p{Script=Han}"|"\p{Script=Han}/u,
      ),
    ).toEqual([]);
  });

  it('separate the members of a list by 、', () => {
    expect(found(/(?:\d|\}), (?:\d|\{)/)).toEqual([]);
  });

  it('do not join four clauses by ；', () => {
    expect(found(/；.*；.*；/)).toEqual([]);
  });
});
