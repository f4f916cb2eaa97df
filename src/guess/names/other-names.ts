/** What people call the fields that only locks, number allocations and activities have. See `SYNONYMS`. */
export const OTHER_NAMES: Readonly<Record<string, string>> = {
  operatorIdentity: `
    Operator, Operator Name, Operated By, Done By, Handler, Handled By, Agent, Clerk, 操作人, 操作员, 操作者, 经办人,
    处理人, 操作人员, 操作人身份, 执行人, E-mail??, 邮箱??`,
  size: `
    Size?, How Many, Count?, Number of Numbers, Quantity?, Qty?, 数量?, 个数?, 申请数量, 号码数量, 领取数量, 分配数量, Number of
    Asset Numbers, Asset Number Quantity, 资产号数量, 锁号个数, Quantity of Locks, Locks Wanted, 需要数量`,
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
};
