import { day, type WordTable } from '../shared/words.js';

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
      zh: '撤销产品时：是则时间范围和节点数须完全一致，否则只按产品匹配（默认）',
      example: false,
    },
    trial: {
      zh: '是否试用',
      values: { 0: '非试用', 1: '试用' },
      cells: {
        0: 'n no false 否 正式 正式版 非试用 不试用 full regular',
        1: 'y yes true 是 试用 试用版 trial √',
      },
      example: 0,
    },
    trialEndDate: { zh: '试用到期时间', example: day('2030-12-31') },
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
    productFeatures: { zh: '产品特征' },
    featureCode: { zh: '特征编码', example: ['F-01', 'F-02'] },
    featureName: { zh: '特征名称', example: ['云存储', '协同编辑'] },
    featureValue: { zh: '特征值', example: ['100', '20'] },
    featureValueType: { zh: '特征值类型；平台未列出取值', example: 'number' },
    'Whether the feature is on trial': { zh: '特征是否试用' },
    'When the trial of the feature ends': { zh: '特征试用到期时间' },
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
