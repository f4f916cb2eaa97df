import type { Random } from '../support/random.js';
import type { Moment } from './days.js';

const CITIES = ['北京', '上海', '广州', '深圳', '成都', '武汉', '西安', '杭州'];
const FIRMS = ['恒信', '中诚', '远大', '宏图', '瑞安', '天工', '鼎盛', '新宇'];
const TRADES = ['建设工程有限公司', '工程造价咨询有限公司', '建筑设计院'];
const ENGLISH = ['Northgate', 'Riverside', 'Alder', 'Kestrel', 'Summit', 'Harbour', 'Juniper', 'Granite'];
const KINDS = ['Construction Ltd', 'Engineering Co.', 'Surveyors', 'Building Group'];
const PRODUCTS = ['土建计量平台', '钢筋算量软件', '云计价平台', '招标管理系统'];
const SOFTWARE = ['Quantity Take-off', 'Rebar Detailing', 'Cloud Pricing', 'Tender Desk'];

export type Language = 'en' | 'zh';

export function company(random: Random, language: Language): string {
  if (language === 'zh') return random.pick(CITIES) + random.pick(FIRMS) + random.pick(TRADES);
  return `${random.pick(ENGLISH)} ${random.pick(KINDS)}`;
}

export function product(random: Random, language: Language): string {
  return random.pick(language === 'zh' ? PRODUCTS : SOFTWARE);
}

export function branch(random: Random, language: Language): string {
  return language === 'zh' ? `${random.pick(CITIES)}分公司` : `${random.pick(ENGLISH)} branch`;
}

export function street(random: Random, language: Language): string {
  const number = random.whole(1, 300);
  return language === 'zh'
    ? `${random.pick(CITIES)}市人民路${number}号`
    : `${number} ${random.pick(ENGLISH)} Road`;
}

/** Digits, the first of them not 0. */
export function digits(random: Random, length: number): string {
  let made = String(random.whole(1, 9));
  while (made.length < length) made += String(random.whole(0, 9));
  return made;
}

export function day(random: Random, year: number): Moment {
  return { year, month: random.whole(1, 12), day: random.whole(1, 28) };
}
