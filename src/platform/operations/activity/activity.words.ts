import type { OperationWords } from '../shared/word-tables.js';

export const ACTIVITY_WORDS: OperationWords = {
  purpose: '参与活动并领取产品',
  fields: {
    identity: {
      zh: '参与者：云账号（手机号或邮箱）、企业账号或云锁号',
      example: ['13800000001', 'user2@example.com'],
    },
    activityLabel: { zh: '活动简称', example: 'spring-gift-2027' },
    source: { zh: '参与活动的业务线（域名或名称）', example: 'crm.example.com' },
    branch: { zh: '参与者所属分公司', example: ['北京分公司', '上海分公司'] },
  },
  headers: {
    identity: `
    Participant, Identity, Participant Account, Account?, Cloud Account, User?, Member?, 参与人, 参与者, 参与账号,
    身份标识, 身份, 云账号, 账号?, 帐号?, 用户账号?, 参加人, 领取人, 领取账号, Participant Phone, Cloud Account Number, Identity
    Account, Mobile?, E-mail?, 手机号?, 邮箱?, 云锁号, Lock Number?, 锁号?, Enterprise Account?, 企业账号?`,
    activityLabel: `
    Activity, Activity Label, Activity Code, Activity Name?, Campaign, Campaign Code, Promotion, 活动, 活动标签,
    活动编码, 活动代码, 活动助记码, 活动标识, 活动名称?, Activity Mnemonic, 活动编号`,
    source: `
    Source, Business Line, Source System, Origin, 来源, 业务线, 来源系统, 来源渠道, 业务来源, 来源域名, Source Domain, Source
    Channel, Business, 业务, Domain, Domain Name, 系统域名, Originating System, Source Business Line, 来源业务线,
    System, 系统`,
    branch: `
    Branch, Branch Name, Branch Office, Office, 分公司, 分支, 分支名称, 分支机构, 所属分公司, 所属分支, 所属机构, 所属地区, Region?, 地区?,
    Channel Branch, Branch Code??, 分公司编码??`,
  },
  task: 'participate',
  clues: {
    rank: 11,
    pattern:
      /\b(?:activit(?:y|ies)|campaigns?|promotions?|promo|events?|participa(?:te|tion|nts?|ting)|claims?)\b|活动|促销|权益|报名|参与/giu,
  },
  essential: ['activityLabel', 'identity'],
  own: { all: ['activityLabel'], some: { of: ['activityLabel', 'identity', 'source'], least: 2 } },
};
