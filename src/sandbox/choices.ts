import { SIMULATIONS } from '../platform/operations/simulations.js';
import type { SandboxChoice } from '../platform/simulated/simulation.js';

/** Choices that concern every endpoint. */
const GENERAL: readonly SandboxChoice[] = [
  {
    section: '§2.3',
    en: 'A required text may be empty but not absent or null; members that the interface does not have are refused with 13004.',
    zh: '必填文本可以为空字符串，但不能缺失或为 null；出现接口未定义的字段时返回 13004。',
  },
  {
    section: '§2.8',
    en: 'Long dates are milliseconds since 1970, or seconds where the sandbox is started so; validity texts of the activity look like 2026-01-31 08:30:00 (UTC+8).',
    zh: 'Long 类型日期为 1970 年以来的毫秒数（可在启动时改为秒）；活动权益的有效期形如 2026-01-31 08:30:00（UTC+8）。',
  },
  {
    section: '§5.4',
    en: 'Any non-empty bearer token is accepted unless the sandbox is started with one; any non-empty appKey is.',
    zh: '除非启动时指定令牌，否则接受任意非空令牌；接受任意非空 appKey。',
  },
  {
    section: '§5.5',
    en: 'A g_nonce has 1 to 128 characters. Its reuse is refused with 13004 (1001 for the activity service); the last million of 24 hours are remembered.',
    zh: 'g_nonce 长度为 1 至 128 个字符。重复使用时返回 13004（活动服务返回 1001）；保留 24 小时内最近一百万个。',
  },
  {
    section: '§7.1',
    en: '13004 and 500 come with HTTP 200, every other business code with HTTP 299 and the same three members code, message, cause. A missing Content-Type is 13004; 401, 403, 404, 405 and 413 have their usual meaning.',
    zh: '13004 与 500 使用 HTTP 200，其他业务码使用 HTTP 299，正文同为 code、message、cause。缺少 Content-Type 时返回 13004；401、403、404、405、413 取其通常含义。',
  },
  {
    section: '§8',
    en: 'No rate limit; a body may have 20 MB; orderList and assetNums may have any length within that.',
    zh: '不限速；请求正文上限 20 MB；在此范围内 orderList 与 assetNums 长度不限。',
  },
];

/** What the sandbox does where the interface is silent. */
export const CHOICES: readonly SandboxChoice[] = [...GENERAL, ...SIMULATIONS.flatMap((it) => it.choices)];
