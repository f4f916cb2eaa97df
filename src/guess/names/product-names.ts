/** What people call the fields of an asset, its products and its packages. See `SYNONYMS`. */
export const PRODUCT_NAMES: Readonly<Record<string, string>> = {
  'products.srcLicenseOrderId': `
    Moved From Order, Transferred From Order, Product Source Order, 产品原订单号, 产品源订单号, 产品来源订单, 转移自订单`,
  assetNos: `
    Asset No, Asset Number, Asset Numbers, Asset, Asset ID, Lock, Locks, Lock No, Lock Number, Lock Numbers,
    Lock ID, Dongle, Dongle No, Dongle Number, Dongle ID, USB Key, Key No, Key Number, 锁号, 资产号, 资产编号, 资产编码,
    资产, 加密锁号, 加密锁编号, 加密锁, 加密狗, 加密狗号, 锁编号, 锁序列号, 锁, 壳号, 外壳号, 锁壳号, 授权号`,
  assetNums: `
    Lock No, Lock Number, Lock Numbers, Locks, Lock, Lock ID, Asset No, Asset Number, Asset Numbers, Asset,
    Dongle, Dongle No, Dongle Number, Dongle ID, USB Key, Key No, Key Number, 锁号, 资产号, 资产编号, 资产编码, 加密锁号,
    加密锁编号, 加密锁, 加密狗, 加密狗号, 锁编号, 锁序列号, 锁, 壳号, 外壳号, 锁壳号`,
  'assets.limitStartDate': `
    Asset From, Asset Start, Asset Start Date, Asset Valid From, Lock From, Lock Start Date, Lock Valid
    From, 资产开始日期, 资产起始日期, 资产生效日期, 锁开始日期, 锁起始日期, 锁生效日期, 锁有效期起, Start Date??, 开始日期??`,
  'assets.limitEndDate': `
    Asset Until, Asset End, Asset End Date, Asset Valid Until, Asset Expiry, Asset Expiry Date, Lock Until,
    Lock End Date, Lock Expiry, Lock Valid Until, 资产结束日期, 资产截止日期, 资产到期日, 资产到期日期, 锁结束日期, 锁截止日期, 锁到期日, 锁到期日期,
    锁有效期, 锁有效期至, End Date??, 到期日期??`,
  borrowedUsbKey: `
    Lent Lock, Borrowed, Borrowed Lock, Lent, 借锁, 是否借锁, 借出, 借用锁, Lent Flag, Lent Lock Flag, 借锁标志`,
  transferedAssetNum: `
    Transferred, Number Transferred, Transferred Asset Number, 锁号转移, 是否转移, 资产号转移, 是否转移锁号, Lock Transferred`,
  extendCode: `
    Extend Code, Extension Code, Extension, Extension Key, 扩展码, 扩展编码, 扩展属性编码, 扩展属性, 扩展属性码, 扩展代码`,
  extendValue: 'Extend Value, Extension Value, 扩展值, 扩展属性值',
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
  limitStartDate: `
    Valid From, Start Date, Start, From, From Date, Begin, Begin Date, Effective Date, Effective From,
    Licence Start, License Start, Product Start Date, 开始日期, 起始日期, 开始时间, 起始时间, 生效日期, 生效时间, 开始, 起始, 起始日, 开始日,
    生效日, 有效期起, 有效期开始, 授权开始日期, 授权起始日期, 授权开始, 产品开始日期, 产品起始日期, 产品生效日期, Licence Valid From, Product Valid From,
    Feature Start?`,
  limitEndDate: `
    Valid Until, End Date, End, Until, To, To Date, Valid To, Expiry, Expiry Date, Expiration, Expiration
    Date, Expires, Expires On, Licence End, License End, Product End Date, 到期日, 到期日期, 到期时间, 截止日期, 截止日, 截止时间,
    结束日期, 结束时间, 结束, 失效日期, 失效时间, 有效期至, 有效期止, 有效期到, 授权到期日, 授权到期日期, 授权截止日期, 授权结束日期, 产品到期日, 产品到期日期, 产品截止日期,
    产品结束日期, Valid??, Validity??, 有效期?, Product Expiry`,
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
  passwords: 'Passwords, Lock Passwords, Licence Passwords, License Passwords, 锁内密码, 授权密码, 许可密码',
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
  featureCode: `
    Feature Code, Feature, Feature ID, 特征码, 特征编码, 特征代码, 特性编码, 特性码, 功能编码, 功能码, Feature No`,
  featureName: 'Feature Name, 特征名称, 特征名, 特性名称, 特征, 功能名称',
  featureValue: 'Feature Value, Value?, 特征值, 特性值, 功能值',
  featureValueType: 'Feature Value Type, Value Type, 值类型, 特征值类型, 特性值类型',
  'productFeatures.trial': 'Feature Trial, Feature Is Trial, 特征试用, 特征是否试用, 特性试用',
  'productFeatures.trialEndDate':
    'Feature Trial Until, Feature Trial End Date, 特征试用到期日, 特征试用截止日期',
  'merchandises.crmProductId': `
    Package Instance, Package Instance ID, Bundle Instance, CRM Package ID, 套餐实例, 套餐实例ID, 商品包实例, 商品实例,
    CRM套餐实例ID, CRM商品ID`,
  'merchandises.parentCrmProductId': `
    Parent Package Instance, Parent Package Instance ID, 上级套餐实例, 上级套餐实例ID, 父套餐实例, 父套餐实例ID`,
  merchandiseNum: `
    Package No, Package Number, Package Code, Package ID, Bundle No, Bundle Code, Merchandise No,
    Merchandise Number, 套餐编号, 套餐号, 套餐编码, 套餐代码, 商品包编号, 商品编号?`,
  merchandiseName: `
    Package Name, Package, Bundle, Bundle Name, Merchandise Name, 套餐名称, 套餐, 商品包名称, 套餐名, Package Title, 商品名称??`,
  parentMerchandiseNum: `
    Parent Package, Parent Package No, Parent Bundle, 上级套餐, 上级套餐编号, 父套餐, 父套餐编号, 上级商品包`,
  'merchandises.timeDurationExpression': `
    Package Time Expression, Package Term Expression, 套餐时长表达式, 套餐时间表达式, Package Term, Package Duration,
    套餐时长, 套餐期限`,
};
