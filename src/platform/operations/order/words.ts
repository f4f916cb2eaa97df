import { day, NOT, type OperationWords, type WordTable } from '../shared/words.js';

/** Words of the fields of orders and their assets; customers bear the same names in other operations. */
export const ORDER_WORDS: WordTable = {
  fields: {
    channelCode: { zh: '渠道编码', example: 'CH01' },
    channelOrderId: { zh: '订单号（客户订单编号）', example: ['SO-2026-00001', 'SO-2026-00002'] },
    syncMode: {
      zh: '处理方式：是否等待结果',
      values: { sync: '同步，应答即为结果', async: '异步，应答仅表示已受理' },
      cells: { sync: '同步 synchronous sync', async: '异步 asynchronous async' },
      example: 'sync',
    },
    orderList: { zh: '订单列表' },
    sequence: { zh: '订单在请求中的序号' },
    customerId: { zh: '授权平台的客户 ID', example: ['LC0001', 'LC0002'] },
    crmCustomerId: { zh: 'CRM 客户编号', example: ['CRM-0001', 'CRM-0002'] },
    customerName: { zh: '客户名称', example: ['北京宏图建筑工程有限公司', '上海恒信造价咨询有限公司'] },
    channelCustomerId: { zh: '渠道客户编号', example: ['CH-0001', 'CH-0002'] },
    adminName: { zh: '管理员姓名', example: ['王芳', '李志强'] },
    adminAccount: { zh: '管理员账号', example: ['admin0001', 'admin0002'] },
    adminEmail: { zh: '管理员邮箱', example: ['admin0001@example.com', 'admin0002@example.com'] },
    adminCellNumber: { zh: '管理员手机号', example: ['13800000001', '13900000002'] },
    passwordMobile: { zh: '购买人手机号', example: ['13800000001', '13900000002'] },
    address: { zh: '客户地址', example: ['北京市人民路1号', '上海市中山路2号'] },
    customerType: {
      zh: '客户类型：个人或企业',
      values: { personal: '个人', company: '企业' },
      cells: {
        company:
          '企业 企业客户 企业用户 公司 公司客户 单位 单位客户 法人 机构 company companies enterprise corporate corporation business organization organisation org',
        personal: '个人 个人客户 个人用户 自然人 personal person individual private',
      },
      example: 'company',
    },
    branchCode: { zh: '分支（分公司）编码', example: ['0011', '0021'] },
    branchName: { zh: '分支（分公司）名称', example: ['北京分公司', '上海分公司'] },
    enterpriseGlobalId: { zh: '企业主账号全局 ID', example: ['ENT-0001', 'ENT-0002'] },
    srcLicenseOrderId: { zh: '原授权订单号（撤销订单据此删除其产品，见 §4.5.3）' },
    licenseType: {
      zh: '授权类型',
      values: {
        normal_unrecover_usbkey: '单机锁（不可回收）',
        normal_recover_usbkey: '单机锁（可回收）',
        normal_unrecover_lan_usbkey: '网络锁（不可回收）',
        normal_recover_lan_usbkey: '网络锁（可回收）',
        identity_usbkey: '单机身份锁',
        identity_lan_usbkey: '网络身份锁',
        softkey: '单机证书',
        lan_softkey: '网络证书',
        product_entity: '产品实体',
        cloud_account: '云账号',
        cloud_customer: '企业云账号授权',
        cloud_personal: '个人云账号授权',
        lk_product_usbkey: '产品锁',
        lk_auth_usbkey: '登录锁',
      },
      example: 'normal_recover_usbkey',
    },
    orderType: {
      zh: '订单类型',
      values: { new_buy: '新购', delete_asset: '撤销资产', delete_product: '撤销产品' },
    },
    assets: { zh: '订单涉及的资产' },
    assetNos: { zh: '锁号／资产编号', example: ['8200000001', '8200000002'] },
    assetExtendList: { zh: '资产扩展属性', rare: true },
    extendCode: { zh: '扩展属性编码', example: 'region' },
    extendValue: { zh: '扩展属性值', example: ['北京', '上海'] },
    limitStartDate: { zh: '资产限制的开始时间', example: day('2026-12-01') },
    limitEndDate: { zh: '资产限制的结束时间', example: day('2027-11-30') },
    borrowedUsbKey: { zh: '是否为借用锁', example: false },
    transferedAssetNum: { zh: '资产编号是否为转移而来', example: false },
    products: { zh: '产品；只有撤销资产的订单可以没有' },
    merchandises: { zh: '商品（套餐）' },
  },
  headers: {
    channelCode: `
    Channel, Channel Code, 渠道编码, 渠道代码, 渠道编号, 渠道, 销售渠道, 渠道号, Dealer Code, Partner Code, 经销商代码`,
    channelOrderId: `
    Order No, Order Number, Order ID, Order, Order Code, Sales Order, Sales Order No, SO Number, PO Number,
    Channel Order, Channel Order ID, Customer Order Number, 订单号, 订单编号, 订单编码, 订单, 渠道订单号, 渠道订单, 客户订单号, 销售订单号,
    销售单号, 单号, 订单ID, 合同订单号, Purchase Order, Order Reference, 采购单号, Request No?, 申请单号?`,
    'delete.channelOrderId': `
    Return No, Return Number, Cancellation No, 退单号, 撤销单号, Return Order?, 退货订单号?, Order No?, Order Number?, Order?,
    Request No?, 申请单号?, 订单号?, 订单?, Channel Order?, 渠道订单号?, Customer Order Number?, 客户订单号?`,
    syncMode: 'Sync Mode, Processing Mode, 同步方式, 同步模式, 处理方式, 处理模式, Sync',
    customerId: `
    License Customer, Licence Customer, License Customer ID, Licence Customer ID, Customer ID?, Platform
    Customer, 许可客户, 许可客户号, 许可客户ID, 许可平台客户号, 授权客户ID, 授权客户号, 授权客户, 客户ID?, 平台客户号, Platform Customer ID,
    Customer ID at Platform, Customer Number??, Licence Platform Customer No, 授权平台客户ID, 许可平台客户ID`,
    crmCustomerId: `
    CRM Customer, CRM Customer ID, CRM Customer No, CRM Customer Number, CRM ID, CRM No, CRM Number, CRM
    Account, CRM客户号, CRM客户编号, CRM客户编码, CRM客户ID, CRM客户, CRM编号, CRM号, 客户编号?, 客户编码?, 客户代码?, 客户号?, Customer No?,
    Customer Number?, Customer Code?, CRM, CRM编码`,
    customerName: `
    Customer Name, Customer, New Name?, New Customer Name, Client, Client Name, Company Name, Company,
    Account Name?, Buyer?, Buyer Name?, 客户名称, 客户名, 客户, 客户全称, 新客户名称, 新名称?, 单位名称, 公司名称, 公司, 单位, 购买单位, 购买方?,
    用户名称?, 用户单位, 渠道客户名称, Enterprise Name?, Enterprise?, 企业名称?, 企业?, Channel Customer Name, 用户?`,
    channelCustomerId: `
    Channel Customer, Channel Customer ID, Channel Customer No, Channel Customer Number, Channel Customer
    Code, Dealer Customer, 渠道客户号, 渠道客户编号, 渠道客户编码, 渠道客户ID, 渠道客户代码, 渠道客户, Customer No??, Customer Number??,
    客户编号??, 客户号??, Customer at Channel`,
    adminName: `
    Admin, Admin Name, Administrator, Administrator Name, Contact?, Contact Name?, Contact Person?, 管理员,
    管理员姓名, 管理员名称, 管理员名, 联系人?, 联系人姓名?, 负责人?`,
    adminAccount: `
    Admin Account, Administrator Account, Account?, Login?, Login Name?, Username?, Admin Login, 管理员账号,
    管理员帐号, 管理员账户, 管理员登录名, 账号?, 帐号?, 登录账号?, 登录名?, 用户名?, Administrator Login`,
    adminEmail: `
    Admin E-mail, Administrator E-mail, E-mail?, Mail?, E-mail Address?, Contact E-mail?, Mail Address?,
    管理员邮箱, 管理员邮件, 管理员电子邮箱, 管理员电子邮件, 邮箱?, 电子邮箱?, 电子邮件?, 邮件地址?, 邮箱地址?, 联系邮箱?`,
    adminCellNumber: `
    Admin Mobile, Admin Phone, Admin Cell, Administrator Mobile, Administrator Phone, Mobile?, Mobile
    Number?, Mobile No?, Mobile Phone?, Cell Phone?, Cell Number?, Cell?, Phone?, Phone Number?, Phone No?,
    Telephone?, Tel?, Contact Phone?, Contact Mobile?, 管理员手机, 管理员手机号, 管理员手机号码, 管理员电话, 手机号?, 手机?, 手机号码?,
    移动电话?, 电话?, 电话号码?, 联系电话?, 联系手机?, 联系人手机?, 联系人手机号?, 联系人电话?, 联系方式?, Customer Phone?, Customer Mobile?,
    客户手机?, 客户电话?`,
    passwordMobile: `
    Security Phone, Password Mobile, Password Phone, Security Mobile, Buyer Mobile, Buyer Phone, Buyer
    Mobile Number, Purchaser Mobile, 密码手机, 密码手机号, 密保手机, 密保手机号, 安全手机, 安全手机号, 购买人手机, 购买人手机号, 购买者手机号, 购买方手机,
    购买方手机号, 接收密码手机, 接收密码手机号, Mobile??, Phone??, 手机号??, 电话??, Contact Phone??, Customer Phone??, 客户手机??,
    Password Phone Number, 安全电话, 购买人`,
    address: `
    Address, New Address, Customer Address, Street Address, Company Address, Postal Address, 地址, 新地址, 客户地址,
    单位地址, 公司地址, 联系地址, 通讯地址, 详细地址, 办公地址, 注册地址`,
    customerType: `
    Customer Type, Customer Kind, Client Type, Type of Customer, Type?, 客户类型, 客户类别, 客户性质, 用户类型, 单位类型, 类型?,
    Individual or Company, 企业个人`,
    branchCode: `
    Branch Code, Branch No, Branch Number, Branch ID, Office Code, 分支代码, 分支编码, 分支编号, 分支机构代码, 分支机构编码, 分公司代码,
    分公司编码, 分公司编号, 机构代码, 机构编码, Branch??`,
    branchName: `
    Branch, Branch Name, Branch Office, Office, Subsidiary, 分公司, 分支名称, 分支, 分支机构, 分支机构名称, 分公司名称, 所属分公司, 所属分支,
    所属机构, 机构名称, 销售分支?, Customer Branch, Region??, 地区??`,
    enterpriseGlobalId: `
    Enterprise ID, Enterprise Global ID, Enterprise Account?, Enterprise Account ID, Enterprise No,
    Enterprise?, Main Account ID, Global ID, Enterprise Code, 企业账号?, 企业帐号?, 企业ID, 企业全局ID, 企业GlobalID,
    企业账号ID, 企业主账号ID, 企业主账号?, 企业编号, 企业编码, 主账号ID, 主账号?, 全局ID, Global Enterprise ID, Enterprise Account Name??`,
    srcLicenseOrderId: `
    Source Order, Source Order ID, Source Order No, Source License Order, Source Licence Order, Original
    Order, Original Order ID, Original Order No, Original License Order, Original Licence Order, License
    Order ID, Licence Order ID, License Order, Licence Order, 原订单号, 原订单, 原订单编号, 原授权订单号, 原授权订单, 原许可订单号,
    原许可订单, 源订单号, 源订单, 源授权订单号, 授权订单号, 许可订单号, Source Licence, Original Licence No, 原单号, Source Order Reference`,
    'delete.srcLicenseOrderId': `
    Source Order, Source Order No, Source License Order, Original Order No, Original License Order, License Order ID,
    Licence Order, 原订单号, 原授权订单号, 源订单号, 授权订单号, 许可订单号, Order No??, 订单号??`,
    licenseType: `
    Licence Type, License Type, Licence Kind, License Kind, Type of Licence, Lock Type, Key Type,
    Authorization Type, 授权类型, 许可类型, 锁类型, 加密锁类型, 授权方式, 授权形式, 授权种类, 许可证类型, 锁种类, 资产类型, Type??, 类型??, Licence`,
    orderType: `
    Order Type, Kind of Order, Order Category, Business Type?, Transaction Type, 订单类型, 订单类别, 单据类型, 业务类型?,
    订单种类`,
    assetNos: `
    Asset No, Asset Number, Asset Numbers, Asset, Asset ID, Lock, Locks, Lock No, Lock Number, Lock Numbers,
    Lock ID, Dongle, Dongle No, Dongle Number, Dongle ID, USB Key, Key No, Key Number, 锁号, 资产号, 资产编号, 资产编码,
    资产, 加密锁号, 加密锁编号, 加密锁, 加密狗, 加密狗号, 锁编号, 锁序列号, 锁, 壳号, 外壳号, 锁壳号, 授权号`,
    extendCode: `
    Extend Code, Extension Code, Extension, Extension Key, 扩展码, 扩展编码, 扩展属性编码, 扩展属性, 扩展属性码, 扩展代码`,
    extendValue: 'Extend Value, Extension Value, 扩展值, 扩展属性值',
    limitStartDate: `
    Valid From, Start Date, Start, From, From Date, Begin, Begin Date, Effective Date, Effective From,
    Licence Start, License Start, Product Start Date, 开始日期, 起始日期, 开始时间, 起始时间, 生效日期, 生效时间, 开始, 起始, 起始日, 开始日,
    生效日, 有效期起, 有效期开始, 授权开始日期, 授权起始日期, 授权开始, 产品开始日期, 产品起始日期, 产品生效日期, Licence Valid From, Product Valid From,
    Feature Start?`,
    'assets.limitStartDate': `
    Asset From, Asset Start, Asset Start Date, Asset Valid From, Lock From, Lock Start Date, Lock Valid
    From, 资产开始日期, 资产起始日期, 资产生效日期, 锁开始日期, 锁起始日期, 锁生效日期, 锁有效期起, Start Date??, 开始日期??`,
    limitEndDate: `
    Valid Until, End Date, End, Until, To, To Date, Valid To, Expiry, Expiry Date, Expiration, Expiration
    Date, Expires, Expires On, Licence End, License End, Product End Date, 到期日, 到期日期, 到期时间, 截止日期, 截止日, 截止时间,
    结束日期, 结束时间, 结束, 失效日期, 失效时间, 有效期至, 有效期止, 有效期到, 授权到期日, 授权到期日期, 授权截止日期, 授权结束日期, 产品到期日, 产品到期日期, 产品截止日期,
    产品结束日期, Valid??, Validity??, 有效期?, Product Expiry`,
    'assets.limitEndDate': `
    Asset Until, Asset End, Asset End Date, Asset Valid Until, Asset Expiry, Asset Expiry Date, Lock Until,
    Lock End Date, Lock Expiry, Lock Valid Until, 资产结束日期, 资产截止日期, 资产到期日, 资产到期日期, 锁结束日期, 锁截止日期, 锁到期日, 锁到期日期,
    锁有效期, 锁有效期至, End Date??, 到期日期??`,
    borrowedUsbKey: `
    Lent Lock, Borrowed, Borrowed Lock, Lent, 借锁, 是否借锁, 借出, 借用锁, Lent Flag, Lent Lock Flag, 借锁标志`,
    transferedAssetNum: `
    Transferred, Number Transferred, Transferred Asset Number, 锁号转移, 是否转移, 资产号转移, 是否转移锁号, Lock Transferred`,
  },
};

/** Words that ask for a revocation; of assets or of products, as the columns have it. */
export const REVOKING: OperationWords['clues'] = {
  rank: 3,
  pattern: new RegExp(
    `\\b(?:revo(?:ke[sd]?|cations?|king)|return(?:s|ed|ing)?|cancel(?:l?(?:ed|ing|ations?)|s)?|refund(?:s|ed|ing)?|` +
      `withdraw(?:n|als?|ing)?|delet(?:e[sd]?|ions?|ing)|remov(?:e[sd]?|als?|ing)|terminat(?:e[sd]?|ions?|ing)|` +
      `tak(?:e|en|ing) back|giv(?:e|en|ing) back|hand(?:ed|ing)? (?:back|in))\\b|` +
      `${NOT}(?<!可)(?:撤销|撤回|撤单|注销|取消|删除|回收|作废|收回|退锁|退货|退回|退订|退单|退还|退款|退产品|退模块|退软件|退资产|退狗)(?!日期|时间)`,
    'giu',
  ),
};
