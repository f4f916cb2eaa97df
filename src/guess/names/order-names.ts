/** What people call the fields of a customer and an order. See `SYNONYMS`. */
export const ORDER_NAMES: Readonly<Record<string, string>> = {
  channelCode: `
    Channel, Channel Code, 渠道编码, 渠道代码, 渠道编号, 渠道, 销售渠道, 渠道号, Dealer Code, Partner Code, 经销商代码`,
  channelOrderId: `
    Order No, Order Number, Order ID, Order, Order Code, Sales Order, Sales Order No, SO Number, PO Number,
    Channel Order, Channel Order ID, Customer Order Number, 订单号, 订单编号, 订单编码, 订单, 渠道订单号, 渠道订单, 客户订单号, 销售订单号,
    销售单号, 单号, 订单ID, 合同订单号, Purchase Order, Order Reference, 采购单号, Request No?, 申请单号?`,
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
  defaultCustomer: `
    Default Customer, Default Only, Only Default, Default, 默认客户, 是否默认客户, 仅默认客户, 是否默认, 只查默认客户`,
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
  branch: `
    Branch, Branch Name, Branch Office, Office, 分公司, 分支, 分支名称, 分支机构, 所属分公司, 所属分支, 所属机构, 所属地区, Region?, 地区?,
    Channel Branch, Branch Code??, 分公司编码??`,
  enterpriseName: `
    Enterprise, Enterprise Name, Enterprise Account Name, Main Account Name, Main Account, 企业名称, 企业账号名称,
    企业主账号名称, 主账号名称, 企业主账号, 主账号, 企业全称, 企业, Main Account Holder, 企业集团名称`,
  enterpriseGlobalId: `
    Enterprise ID, Enterprise Global ID, Enterprise Account?, Enterprise Account ID, Enterprise No,
    Enterprise?, Main Account ID, Global ID, Enterprise Code, 企业账号?, 企业帐号?, 企业ID, 企业全局ID, 企业GlobalID,
    企业账号ID, 企业主账号ID, 企业主账号?, 企业编号, 企业编码, 主账号ID, 主账号?, 全局ID, Global Enterprise ID, Enterprise Account Name??`,
  srcLicenseOrderId: `
    Source Order, Source Order ID, Source Order No, Source License Order, Source Licence Order, Original
    Order, Original Order ID, Original Order No, Original License Order, Original Licence Order, License
    Order ID, Licence Order ID, License Order, Licence Order, 原订单号, 原订单, 原订单编号, 原授权订单号, 原授权订单, 原许可订单号,
    原许可订单, 源订单号, 源订单, 源授权订单号, 授权订单号, 许可订单号, Source Licence, Original Licence No, 原单号, Source Order Reference`,
  licenseType: `
    Licence Type, License Type, Licence Kind, License Kind, Type of Licence, Lock Type, Key Type,
    Authorization Type, 授权类型, 许可类型, 锁类型, 加密锁类型, 授权方式, 授权形式, 授权种类, 许可证类型, 锁种类, 资产类型, Type??, 类型??, Licence`,
  'delete.channelOrderId': `
    Return No, Return Number, Cancellation No, 退单号, 撤销单号, Return Order?, 退货订单号?, Order No?, Order Number?, Order?,
    Request No?, 申请单号?, 订单号?, 订单?, Channel Order?, 渠道订单号?, Customer Order Number?, 客户订单号?`,
  'delete.srcLicenseOrderId': `
    Source Order, Source Order No, Source License Order, Original Order No, Original License Order, License Order ID,
    Licence Order, 原订单号, 原授权订单号, 源订单号, 授权订单号, 许可订单号, Order No??, 订单号??`,
  orderType: `
    Order Type, Kind of Order, Order Category, Business Type?, Transaction Type, 订单类型, 订单类别, 单据类型, 业务类型?,
    订单种类`,
};
