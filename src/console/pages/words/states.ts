import type { PageWord } from './language.js';

/** Signing in, and what is not there. */
export const STATES = {
  sign_in: { en: 'Sign in', zh: '登录' },
  api_token: { en: 'API token', zh: 'API 令牌' },
  token_hint: {
    en: 'It begins your name’s session in this browser and is not kept here. An administrator makes one with: license-sync people token NAME',
    zh: '用于在此浏览器中以您的名义登录，此处不保存。管理员可用以下命令生成：license-sync people token NAME',
  },
  by_company: { en: 'Sign in with your company’s account', zh: '使用公司账号登录' },
  alone: {
    en: 'Started on your own machine? Open the address that license-sync console printed: it signs you in, once. Was it used already? Start the console again: it prints a new one.',
    zh: '在您自己的电脑上启动？请打开 license-sync console 输出的地址：该地址可登录一次。已经用过？请重新启动控制台，它会输出新的地址。',
  },
  signed_in: { en: 'You are signed in', zh: '您已登录' },
  signed_in_as: { en: 'You are {who}.', zh: '您是 {who}。' },
  not_found: { en: 'Nothing is here', zh: '此处没有内容' },
  not_found_detail: {
    en: 'No page of the console has this address. It may have been copied in part.',
    zh: '控制台没有此地址的页面。地址可能未复制完整。',
  },
} as const satisfies Record<string, PageWord>;
