import { NOT_ALREADY_DONE, type OperationWords, utcDate, type WordTable } from '../shared/word-tables.js';

/** Words of the fields of products, their features, and packages. */
export const PRODUCT_WORDS: WordTable = {
  fields: {
    crmProductId: { zh: 'CRM 产品实例 ID', example: ['P-0001', 'P-0002'] },
    parentCrmProductId: { zh: 'CRM 上级（资产）实例 ID', example: ['SO-2026-00001', 'SO-2026-00002'] },
    productUri: { zh: '产品标识：gmsPid 或 appKey', example: ['P-0001', 'P-0002'] },
    productName: { zh: '产品名称', example: ['云计价平台', '土建计量平台'] },
    gmsPid: { zh: '产品标识（gmsPid）', rare: true },
    appKey: { zh: '产品标识（appKey）', rare: true },
    productType: { zh: '产品类型；平台未列出取值', example: 'software' },
    'When the product becomes valid': { zh: '产品生效时间' },
    'When the product expires': { zh: '产品到期时间' },
    limitConcurrent: { zh: '并发节点数', example: [1, 5] },
    limitTimeDuration: { zh: '可累计使用时长', example: 0 },
    strictMatchWhenDelete: {
      zh: '是：有效期和节点数完全一致才撤销；否（默认）：只按产品撤销',
      example: false,
    },
    trial: {
      zh: '是否试用',
      cells: {
        0: 'n no false 否 正式 正式版 非试用 不试用 full regular',
        1: 'y yes true 是 试用 试用版 trial √',
      },
      example: 0,
    },
    trialEndDate: { zh: '试用到期时间', example: utcDate('2030-12-31') },
    passwords: { zh: '锁内授权的密码', rare: true },
    timeUnit: {
      zh: '时长单位；平台未列出取值',
      cells: { year: '年 year years y', month: '月 个月 month months m', day: '日 天 day days d' },
      example: 'month',
    },
    timeUnitQuantity: { zh: '单位数量', example: 12 },
    timeDurationExpression: { zh: '购买时长，按“年-月-日”；建议填写时长而非日期', example: '1-0-0' },
    'Original licence order, only where a new purchase moves the product over from another order': {
      zh: '原授权订单号，仅当新购时产品由其他订单转移而来才填写',
    },
    productFeatures: { zh: '产品功能项' },
    featureCode: { zh: '功能项编码', example: ['F-01', 'F-02'] },
    featureName: { zh: '功能项名称', example: ['云存储', '协同编辑'] },
    featureValue: { zh: '功能项的值', example: ['100', '20'] },
    featureValueType: { zh: '功能项的值类型；平台未列出取值', example: 'number' },
    'Whether the feature is on trial': { zh: '功能项是否试用' },
    'When the trial of the feature ends': { zh: '功能项试用到期时间' },
    merchandiseNum: { zh: '套餐编号', example: ['M-0001', 'M-0002'] },
    merchandiseName: { zh: '套餐名称', example: ['造价套餐', '计量套餐'] },
    parentMerchandiseNum: { zh: '上级套餐编号', example: ['M-0001', 'M-0002'] },
    'merchandises.crmProductId': { example: ['PK0000001', 'PK0000002'] },
    'Id of the package instance in the CRM': { zh: 'CRM 套餐实例 ID' },
    'Id of the parent package instance in the CRM': { zh: 'CRM 上级套餐实例 ID' },
    'Time bought with the package': { zh: '套餐购买时长' },
    children: { zh: '下级套餐，结构相同' },
    licenseOrderProductList: { zh: '套餐包含的产品' },
    'licenseOrderProductList.crmProductId': { example: ['PI0000101', 'PI0000102'] },
    'licenseOrderProductList.parentCrmProductId': { example: ['PK0000001', 'PK0000002'] },
    'licenseOrderProductList.productUri': { example: ['P-0011', 'P-0012'] },
    'licenseOrderProductList.productName': { example: ['安装计量平台', '市政计量平台'] },
  },
  headers: {
    crmProductId: `
    Product Instance, Product Instance ID, CRM Product, CRM Product ID, CRM Product No, Instance, Instance
    ID, 产品实例, 产品实例ID, 产品实例号, 产品实例编号, CRM产品, CRM产品ID, CRM产品号, CRM产品编号, CRM产品实例, CRM产品实例ID, 实例ID, 实例号, CRM
    Instance, Product Instance in CRM, CRM实例, CRM实例ID`,
    parentCrmProductId: `
    Parent Instance, Parent Product Instance, Parent CRM Product, Parent Instance ID, Parent Product, Asset
    Instance, Asset Instance ID, 上级实例, 上级产品实例, 上级实例ID, 父实例, 父实例ID, 父产品实例, 父产品实例ID, 资产实例, 资产实例ID, 资产实例号`,
    productUri: `
    Product Code?, Product URI, Product ID?, Product No?, Product Number?, Product Key?, Product Mnemonic,
    SKU?, 产品标识?, 产品编码?, 产品代码?, 产品编号?, 产品ID?, 产品号?, 产品助记码, 产品唯一标识?, 助记码, Product??, 产品??, Product Identifier,
    Product Unique ID`,
    productName:
      'Product Name, Product, Software, Product Title, 产品名称, 产品, 产品名, 软件名称, 商品名称?, 产品软件名称',
    gmsPid: 'GMS PID, PID, GMS产品标识, GMS产品ID, 产品PID, GMS Product ID, Product PID, Product GMS PID',
    appKey: 'App Key, Application Key, 应用Key, 应用标识, 产品AppKey, App Key Product, 产品应用Key',
    productType: 'Product Type, Product Kind, Product Category, 产品类型, 产品类别, 产品种类, 产品分类',
    limitConcurrent: `
    Nodes, Node Count, Number of Nodes, Concurrent, Concurrent Nodes, Concurrent Users, Concurrency, Seats,
    Users, Licences?, Licenses?, Qty?, Quantity?, 并发数, 节点数, 并发节点数, 并发, 节点, 并发用户数, 用户数, 站点数, 点数, 授权数?, 授权数量?,
    数量?, Number of Users, Concurrent Seats, Product Nodes`,
    limitTimeDuration: `
    Usage Time, Usage Duration, Accumulated Time, Accumulated Duration, Time Limit?, 累计时长, 累计使用时长, 使用时长,
    限制时长??, 时长??, 累计时间, Accumulated Usage, 累计使用`,
    strictMatchWhenDelete: `
    Strict, Strict Match, Exact Match, Match Exactly, 严格匹配, 是否严格匹配, 精确匹配, 严格, Strict Product Match, Strict
    Matching Flag`,
    trial:
      'Trial, Is Trial, Trial Version, Trial Flag, 试用, 是否试用, 试用标志, 试用版, 是否试用版, Trial Product',
    trialEndDate: `
    Trial Until, Trial End, Trial End Date, Trial Expiry, Trial Ends, 试用到期日, 试用到期日期, 试用截止日期, 试用结束日期, 试用到期时间,
    试用到期, 试用期至`,
    passwords:
      'Passwords, Lock Passwords, Licence Passwords, License Passwords, 锁内密码, 授权密码, 许可密码',
    timeUnit: `
    Time Unit, Unit of Time, Period Unit, Unit?, 时间单位, 期限单位, 单位时间, 时长单位, Duration Unit, Term Unit, Date
    Unit, 年限单位`,
    timeUnitQuantity: `
    Months, Years, Days, Time Quantity, Time Unit Quantity, Number of Months, Number of Years, Term?,
    Period?, Duration?, Duration Months, Term in Months, 月数, 年数, 天数, 购买月数, 购买年数, 授权月数, 授权年数, 授权年限, 授权天数,
    使用月数, 年限, 期限?, 授权期限?, 购买时长?, 服务年限, 时间单位数量, Number of Units, Unit Quantity, Duration Quantity`,
    timeDurationExpression: `
    Time Expression, Duration Expression, Time Duration Expression, Term Expression, 时长表达式, 时间表达式, 授权时长表达式,
    期限表达式, Duration??, Term??, Period??, 期限??, 时长??, 购买时长??`,
    'products.srcLicenseOrderId': `
    Moved From Order, Transferred From Order, Product Source Order, 产品原订单号, 产品源订单号, 产品来源订单, 转移自订单`,
    featureCode: `
    Feature Code, Feature, Feature ID, 特征码, 特征编码, 特征代码, 特性编码, 特性码, 功能编码, 功能码, Feature No`,
    featureName: 'Feature Name, 特征名称, 特征名, 特性名称, 特征, 功能名称',
    featureValue: 'Feature Value, Value?, 特征值, 特性值, 功能值',
    featureValueType: 'Feature Value Type, Value Type, 值类型, 特征值类型, 特性值类型',
    'productFeatures.trial': 'Feature Trial, Feature Is Trial, 特征试用, 特征是否试用, 特性试用',
    'productFeatures.trialEndDate':
      'Feature Trial Until, Feature Trial End Date, 特征试用到期日, 特征试用截止日期',
    merchandiseNum: `
    Package No, Package Number, Package Code, Package ID, Bundle No, Bundle Code, Merchandise No,
    Merchandise Number, 套餐编号, 套餐号, 套餐编码, 套餐代码, 商品包编号, 商品编号?`,
    merchandiseName: `
    Package Name, Package, Bundle, Bundle Name, Merchandise Name, 套餐名称, 套餐, 商品包名称, 套餐名, Package Title, 商品名称??`,
    parentMerchandiseNum: `
    Parent Package, Parent Package No, Parent Bundle, 上级套餐, 上级套餐编号, 父套餐, 父套餐编号, 上级商品包`,
    'merchandises.crmProductId': `
    Package Instance, Package Instance ID, Bundle Instance, CRM Package ID, 套餐实例, 套餐实例ID, 商品包实例, 商品实例,
    CRM套餐实例ID, CRM商品ID`,
    'merchandises.parentCrmProductId': `
    Parent Package Instance, Parent Package Instance ID, 上级套餐实例, 上级套餐实例ID, 父套餐实例, 父套餐实例ID`,
    'merchandises.timeDurationExpression': `
    Package Time Expression, Package Term Expression, 套餐时长表达式, 套餐时间表达式, Package Term, Package Duration,
    套餐时长, 套餐期限`,
  },
};

/** Words of the fields of orders and their assets; customers have the same names in other operations. */
const ORDER_WORDS: WordTable = {
  fields: {
    channelCode: { zh: '渠道编码', example: 'CH01' },
    channelOrderId: { zh: '订单号（客户订单编号）', example: ['SO-2026-00001', 'SO-2026-00002'] },
    syncMode: {
      zh: '处理方式：同步（立即返回结果）或异步（先受理，结果稍后产生）',
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
      cells: {
        company:
          '企业 企业客户 企业用户 公司 公司客户 单位 单位客户 法人 机构 company companies enterprise corporate corporation business organization organisation org',
        personal: '个人 个人客户 个人用户 自然人 personal person individual private',
      },
      example: 'company',
    },
    branchCode: { zh: '分公司编码', example: ['0011', '0021'] },
    branchName: { zh: '分公司名称', example: ['北京分公司', '上海分公司'] },
    enterpriseGlobalId: { zh: '企业主账号全局 ID', example: ['ENT-0001', 'ENT-0002'] },
    srcLicenseOrderId: { zh: '原授权订单号（撤销订单据此撤销其产品，见 §4.5.3）' },
    licenseType: {
      zh: '授权类型',
      example: 'normal_recover_usbkey',
    },
    orderType: {
      zh: '订单类型',
    },
    assets: { zh: '订单涉及的资产' },
    assetNos: { zh: '锁号（资产编号）', example: ['8200000001', '8200000002'] },
    assetExtendList: { zh: '资产扩展属性', rare: true },
    extendCode: { zh: '扩展属性编码', example: 'region' },
    extendValue: { zh: '扩展属性值', example: ['北京', '上海'] },
    limitStartDate: { zh: '资产限制的开始时间', example: utcDate('2026-12-01') },
    limitEndDate: { zh: '资产限制的结束时间', example: utcDate('2027-11-30') },
    borrowedUsbKey: { zh: '是否为借用锁', example: false },
    transferedAssetNum: { zh: '锁号是否为转移而来', example: false },
    products: { zh: '产品；只有撤销资产的订单可以没有' },
    merchandises: { zh: '套餐' },
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

/** Words that request a revocation; the columns decide between assets and products. */
const REVOKING: OperationWords['clues'] = {
  rank: 3,
  pattern: new RegExp(
    `\\b(?:revo(?:ke[sd]?|cations?|king)|return(?:s|ed|ing)?|cancel(?:l?(?:ed|ing|ations?)|s)?|refund(?:s|ed|ing)?|` +
      `withdraw(?:n|als?|ing)?|delet(?:e[sd]?|ions?|ing)|remov(?:e[sd]?|als?|ing)|terminat(?:e[sd]?|ions?|ing)|` +
      `tak(?:e|en|ing) back|giv(?:e|en|ing) back|hand(?:ed|ing)? (?:back|in))\\b|` +
      `${NOT_ALREADY_DONE}(?<!可)(?:撤销|撤回|撤单|注销|取消|删除|回收|作废|收回|退锁|退货|退回|退订|退单|退还|退款|退产品|退模块|退软件|退资产|退狗)(?!日期|时间)`,
    'giu',
  ),
};

export const DELETE_ASSET_WORDS: OperationWords = {
  purpose: '撤销资产',
  examples: { srcLicenseOrderId: ['LO-SEED-0001', 'LO-SEED-0002'] },
  task: 'revoke',
  clues: REVOKING,
  essential: ['assetNos'],
};

export const DELETE_PRODUCT_WORDS: OperationWords = {
  purpose: '撤销产品',
  examples: {
    srcLicenseOrderId: ['LO-SEED-0001', 'LO-SEED-0002'],
    crmProductId: ['CRMP-0001-1', 'CRMP-0002-1'],
    limitConcurrent: 5,
  },
  task: 'revoke',
  clues: REVOKING,
  essential: ['productUri', 'crmProductId'],
};

/** Fields that only a purchase has. */
const BOUGHT: readonly string[] = [
  'productType',
  'parentCrmProductId',
  'timeUnit',
  'timeUnitQuantity',
  'timeDurationExpression',
  'limitTimeDuration',
  'trial',
  'trialEndDate',
  'merchandiseNum',
  'merchandiseName',
  'featureCode',
  'featureName',
];

export const NEW_BUY_WORDS: OperationWords = {
  purpose: '新购下单',
  shared: [ORDER_WORDS, PRODUCT_WORDS],
  examples: { assetNos: ['00700001', '00700002'], crmProductId: ['PI0000001', 'PI0000002'] },
  task: 'buy',
  clues: {
    rank: 7,
    pattern: new RegExp(
      `\\b(?:new ?buys?|purchas(?:e|es|ed|ing)|buy(?:s|ing)?|bought|new (?:orders?|licen[cs]es?|subscriptions?|sales?)|` +
        `procur(?:e|ed|ement)|sales orders?|to order)\\b|` +
        `${NOT_ALREADY_DONE}(?:新购|采购|购买|订购|新订单|新开|开通|增购|加购|下单|新增授权|新授权|销售订单)(?!人|方|者|单位|日期|时间)`,
      'giu',
    ),
  },
  onlyWhenNamed: true,
  essential: ['assetNos', 'productName', 'productUri', 'merchandiseNum', 'merchandiseName', 'licenseType'],
  own: { some: { of: BOUGHT, least: 3 }, share: 0.6 },
};
