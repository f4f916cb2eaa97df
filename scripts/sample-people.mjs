// Believable names for the sample inputs, from a seeded sequence so that every making gives the same files.

/** A small seeded sequence of numbers in [0, 1). */
export function sequence(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

const CITIES = [
  '北京',
  '上海',
  '广州',
  '深圳',
  '杭州',
  '成都',
  '武汉',
  '西安',
  '南京',
  '长沙',
  '郑州',
  '青岛',
  '厦门',
  '哈尔滨',
];
const WORDS = [
  '宏图',
  '远大',
  '华建',
  '中科',
  '恒信',
  '鼎盛',
  '瑞丰',
  '博远',
  '天成',
  '锦程',
  '三和',
  '同创',
  '嘉业',
  '明德',
  '新程',
  '泰安',
];
const TRADES = [
  '建筑工程',
  '造价咨询',
  '设计研究院',
  '市政工程',
  '装饰工程',
  '项目管理',
  '工程咨询',
  '房地产开发',
  '机电安装',
  '信息技术',
];
const FAMILY = [
  '王',
  '李',
  '张',
  '刘',
  '陈',
  '杨',
  '赵',
  '黄',
  '周',
  '吴',
  '徐',
  '孙',
  '欧阳',
  '诸葛',
  '龚',
  '郝',
];
const GIVEN = [
  '伟',
  '芳',
  '娜',
  '敏',
  '静',
  '丽',
  '强',
  '磊',
  '军',
  '洋',
  '勇',
  '艳',
  '杰',
  '娟',
  '涛',
  '明',
  '超',
  '秀英',
  '建国',
  '晓燕',
  '志强',
  '雨桐',
  '子涵',
  '嘉怡',
];
const STREETS = ['人民路', '中山路', '解放大道', '科技园路', '建设街', '高新大道', '滨江路', '朝阳大街'];
const BRANCHES = [
  [11, '北京分公司'],
  [12, '天津分公司'],
  [21, '上海分公司'],
  [32, '江苏分公司'],
  [33, '浙江分公司'],
  [44, '广东分公司'],
  [51, '四川分公司'],
  [61, '陕西分公司'],
];

export function people(seed) {
  const next = sequence(seed);
  const pick = (list) => list[Math.floor(next() * list.length)];
  const digits = (count) => Array.from({ length: count }, () => Math.floor(next() * 10)).join('');
  return {
    next,
    pick,
    digits,
    whole: (from, to) => from + Math.floor(next() * (to - from + 1)),
    company: () => `${pick(CITIES)}${pick(WORDS)}${pick(TRADES)}有限公司`,
    person: () => `${pick(FAMILY)}${pick(GIVEN)}`,
    mobile: () => `1${pick(['38', '39', '50', '51', '86', '87', '77', '99'])}${digits(8)}`,
    address: () => `${pick(CITIES)}市${pick(STREETS)}${1 + Math.floor(next() * 300)}号`,
    branch: () => pick(BRANCHES),
  };
}

/** `CRM-0007` for 7. */
export function numbered(prefix, number, width = 4) {
  return `${prefix}${String(number).padStart(width, '0')}`;
}
