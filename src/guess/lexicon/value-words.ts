/** Words for the kind of value under a header, by concept. */
export const VALUES: Readonly<Record<string, string>> = {
  number: `
    number, no, id, ids, code, identifier, identification, serial, serial number, serial no, sn, ref,
    reference, #, 编号, 编码, 代码, 号, 号码, id号, 序列号, 标识, 标识码, 码, 身份号, 档案号, 标识符, 流水号`,
  name: 'name, full name, legal name, registered name, 名称, 名, 姓名, 全称, 名字, 简称, 抬头',
  phone: `
    mobile, phone, cell, tel, telephone, cellphone, mobile phone, cell phone, mobile number, cell number, phone number,
    handset, 手机, 手机号, 手机号码, 电话, 电话号码, 移动电话, 联系方式, 手机电话`,
  email:
    'email, e-mail, mail, email address, e-mail address, mail address, 邮箱, 邮件, 电子邮箱, 电子邮件, 邮件地址, 邮箱地址',
  address: `
    address, street, street address, 地点, postal address, location, premises, mailing address, registered office, 地址,
    住址, 通讯地址, 办公地址, 注册地址, 详细地址, 联系地址, 所在地, 经营地址, (通信|单位|公司|企业|客户|营业|总部)地址`,
  type: 'type, kind, category, class, mode, sort, 类型, 类别, 种类, 性质, 分类, 形式, 类, 方式, 模式',
  date: 'date, day, time, on, when, 日期, 时间, 日, 时刻',
  valid: 'valid, validity, effective, usable, 有效, 有效期, 使用期, 有效日期, 使用有效期',
  start: `
    start, begin, beginning, from, since, valid from, effective from, effective date, start date, commencement,
    activation, activated, go-live, 开始, 起始, 生效, 起, 启用日期, 开通日期, 有效期起, 有效期自, 起始日, 开始日, 生效日, 开通时间`,
  end: `
    end, until, to, expiry, expires, expiration, valid until, valid to, valid till, till, expiry date, ,
    ending, finish, due, through, thru, expiring, 到期, 截止, 结束, 失效, 终止, 止, 至, 到, 期满, 有效期至, 有效期到, 有效期止, 到期日, 截至,
    过期, 有效至`,
  count: `
    count, quantity, how many, number of, no of, amount of, pieces, pcs, total number of, 数量, 个数, 数, 数目, 总数,
    件数, 套数, 份数`,
  node: `
    node, concurrent, concurrency, seat, concurrent user, concurrent node, user, workstation, terminal, simultaneous,
    simultaneous user, 节点, 并发, 站点, 点, 并发用户, 并发节点, 终端, 席位, 用户数, 站点数, 点数, 工位`,
  duration: `
    duration, term, period, length, length of time, licence term, subscription term, subscription, 时长, 期限,
    期间, 周期, 使用期限, 服务期, 订阅期, 授权期`,
  accumulated: 'accumulated, cumulative, usage, total usage, 累计, 累积, 使用',
  unit: 'unit, 单位时间, 计量单位',
  month: 'month, mth, 月, 个月, 月份',
  year: 'year, yr, 年, 年度, 年限',
  daycount: '天, 天数',
  value: 'value, 值',
  limit: 'limit, limited, restriction, 限制, 限定, 上限',
  flag: 'flag, whether, is, yes or no, y n, indicator, marked, 是否, 标志, 标记, 否',
};
