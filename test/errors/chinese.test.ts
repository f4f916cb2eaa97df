import { describe, expect, it } from 'vitest';
import { OPERATION_NAMES_ZH } from '../../src/errors/chinese-names.js';
import { type Message, message, render } from '../../src/errors/message.js';
import { OPERATION_NAMES } from '../../src/model/operation.js';
import { sourceTexts } from '../fixtures/source-texts.js';

/** Words by which sheets and cells are recognised, and data of the sandbox: they are as people write them. */
const AS_WRITTEN =
  /^(?:guess|source|util|mapping|sandbox|run\/corrections|run\/resolve)\/|^platform\/operations\/.*(?:\.words|word-tables)|^platform\/operations\/.*sample/;

/** A word that Chinese texts do not use, and the word for this concept. */
const AVOIDED: readonly (readonly [RegExp, string])[] = [
  [/计划任务|任务计划/, '定时任务'],
  [/制定|制作(?!人)|规划/, '生成'],
  [/沙盒/, '沙箱'],
  [/资产号|云锁编号|锁号／/, '锁号'],
  [/许可订单|许可客户|许可类型/, '授权…'],
  [/(?<!的)特征(?!码)/, '功能项'],
  [/商品包/, '套餐'],
  [/分支机构|所属分支/, '分公司'],
  [/吊销|删除订单/, '撤销'],
  [/查明|结清|给出结局/, '核实'],
  [/略过/, '已跳过；已忽略'],
  [/答复|回复|应答(?!时)/, '响应'],
  [/(?<!获得?)批准(?!的权限)|批复|请求批准/, '审批；通过'],
  [/制作人|审核人/, '制单人；审批人'],
  [/被切断|中途/, '异常中断'],
  [/对账|比对/, '核对'],
  [/(?<!处理)(?<!行为)动作/, '处理动作'],
  [/标题行|列标题/, '表头'],
  [/调度器|日程|时间表/, '调度程序；定时'],
  [/修正/, '更正'],
  [/推测/, '自动识别'],
  [/结局/, '结果'],
  [/数据源|电子表格文件/, '表格文件'],
  [/主体/, 'OpenID 标识（sub）'],
  [/实体锁/, '加密锁'],
  [/状态未知|标为 unknown|状态为 unknown/, '结果未知（unknown）'],
  [/请报告此问题/, '请向开发方报告此问题'],
  [/拉取/, '导出'],
];

const HALF_WIDTH = /[\u4e00-\u9fff”）][,;:!?()"]|[,;:!?()"][\u4e00-\u9fff“（]/;

const TEXTS = sourceTexts().filter((it) => /[\u4e00-\u9fff]/.test(it.text) && !AS_WRITTEN.test(it.at));

describe('Chinese texts', () => {
  it('have one word for one concept', () => {
    expect(TEXTS.length).toBeGreaterThan(1500);
    const found = TEXTS.flatMap(({ at, text }) =>
      AVOIDED.filter(([word]) => word.test(text)).map(
        ([word, write]) => `${at} ${word.exec(text)}: ${write}`,
      ),
    );
    expect(found).toEqual([]);
  });

  it('have full-width punctuation', () => {
    const found = TEXTS.filter(({ text }) => HALF_WIDTH.test(text.replace(/`[^`]*`/g, '`')));
    expect(found.map(({ at, text }) => `${at} ${text}`)).toEqual([]);
  });

  it('name statuses, states and operations with the code behind them, and lists with 、', () => {
    const zh = (it: Message): string => render(it, 'zh');
    expect(zh(message('steps.not_on', { step: 'bind', status: 'unknown' }))).toBe(
      '未发送：步骤 bind 为结果未知（unknown）',
    );
    expect(zh(message('summary.rows', { rows: 3, counts: 'succeeded 2, rejected 1' }))).toBe(
      '行数 3：成功（succeeded） 2、平台拒绝（rejected） 1',
    );
    expect(zh(message('run.conflict_in_file', { asset: '8100000001', rows: '2, 3' }))).toContain(
      '第 2、3 行',
    );
    expect(
      zh(message('summary.step', { step: 'x', operation: 'asset.lock', run: 'r', counts: 'valid 1' })),
    ).toContain('停用加密锁（asset.lock）');
    // A command stays as it is typed.
    expect(zh(message('template.step_order', { operation: 'order.new_buy' }))).toContain(
      'license-sync template order.new_buy --nested',
    );
    expect(Object.keys(OPERATION_NAMES_ZH)).toEqual([...OPERATION_NAMES]);
  });
});
