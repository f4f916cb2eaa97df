/** Texts of show: where each value of a job comes from. `zh` carries the same {names} as `en`. */
export const SHOW = {
  'show.head': { en: '{file} as it counts', zh: '{file} 实际生效的内容' },
  'show.head_shared': {
    en: '{file} as it counts with {settings}',
    zh: '{file} 结合 {settings} 后实际生效的内容',
  },
  'show.default': { en: 'default', zh: '默认值' },
  'show.used_at': { en: 'used at {place}', zh: '引用于 {place}' },
  'show.variable': { en: 'environment variable {names}', zh: '环境变量 {names}' },
  'show.withheld': {
    en: 'notify is left out here, as it may hold secrets ({where})',
    zh: '此处省略 notify，因其可能包含机密（{where}）',
  },
} as const;
